/* page_records.h - records for check_page.c, in JSON: what real checks gave, shortened. */
#ifndef TESTS_PAGE_RECORDS_H
#define TESTS_PAGE_RECORDS_H

/* What is between the brackets, as a string. */
#define JSON_TEXT(...) #__VA_ARGS__

/* clang-format off */
/* Lesson 3: one thread adds up what all others left. */
static const char SLOW[] = JSON_TEXT(
    {"schema": 1, "started": "2026-12-01T03:36:11Z", "seed": "0x7ab0b45c41df", "grader":
    "59b77c5e508b5c125d09254015dc55a0d5a256d7014fb0a1037a8d3bde93c99c", "gates": [{"verdict":
    "PASS", "reason": "", "gate": "build"}, {"verdict": "PASS", "cases": 80, "done": 80, "gate":
    "safety", "device": "simulated NVIDIA H200"}, {"verdict": "PASS", "cases": 110, "done": 110,
    "worst_share": 0.251419, "worst_case": "row_sumsq, 1100000000 x 4", "gate": "numerics",
    "device": "simulated NVIDIA H200"}, {"verdict": "SLOW", "reason":
    "lanes are off while others of their warp work", "advice":
    "which lanes are off: a condition may differ within a warp, or a warp not be full", "cases":
    [{"case": "gated, n = 16777216", "figures": [{"name": "kernel launches", "ok": true, "value":
    1, "at_most": 1}, {"name": "lanes switched on (of 32)", "ok": true, "value": 32, "at_least":
    27.3}, {"name": "warp instructions over the reference's", "ok": true, "value": 1, "at_most":
    1.4}, {"name": "load efficiency", "ok": true, "value": 1, "at_least": 0.95}, {"name":
    "store efficiency", "ok": true, "value": 1, "at_least": 0.95}, {"name":
    "bytes over the least", "ok": true, "value": 1, "at_most": 1.05}], "verdict": "PASS"},
    {"case": "row_sumsq, 32768 x 1024", "figures": [{"name": "kernel launches", "ok": true,
    "value": 1, "at_most": 1}, {"name": "lanes switched on (of 32)", "ok": false, "value":
    10.7814, "at_least": 27.3, "refuses": true, "gain": 0.202901}, {"name": "load efficiency",
    "ok": true, "value": 1, "at_least": 0.95}, {"name": "store efficiency", "ok": true, "value":
    1, "at_least": 0.95}, {"name": "shared wavefronts over the least", "ok": true, "value": 1,
    "at_most": 1.05}, {"name": "bytes over the least", "ok": true, "value": 1, "at_most": 1.05}],
    "refused": "lanes switched on (of 32)", "verdict": "SLOW"}], "shown": 1, "gate": "counters",
    "device": "simulated NVIDIA H200"}, {"verdict": "SLOW", "reason":
    "it reaches 35.0 % of the reference's speed (modelled)", "advice": "", "measured": false,
    "shown": 1, "ratio": 0.349616, "bar": 0.75, "least": 0.675, "gold_bar": 0.88,
    "gold_of_ladder": 0, "gold": false, "cases": [{"case": "gated, n = 16777216", "launcher":
    "lesson3_gated", "time_ns": 142936.0, "reference_ns": 142936.0, "ratio": 1, "rate":
    60096200000000.0, "rate_unit": "FLOP/s", "ceiling": "FMA rate", "of_ceiling": 0.928006,
    "verdict": "PASS", "reason": ""}, {"case": "row_sumsq, 32768 x 1024", "launcher":
    "lesson3_row_sumsq", "time_ns": 97906.9, "reference_ns": 34229.8, "ratio": 0.349616, "rate":
    1372210000000.0, "rate_unit": "B/s", "ceiling": "copy rate", "of_ceiling": 0.336277,
    "verdict": "SLOW", "reason": "it reaches 35.0 % of the reference's speed (modelled)"}],
    "gate": "utilization", "device": "simulated NVIDIA H200"}], "lesson": "03_divergence",
    "title": "warp divergence", "number": 3, "submission": {"path": "ann.cu", "is_own": false,
    "is_graded": false, "sha256":
    "c678ed9e58070c0f134b0cd5da5d76d930a2254dedd055f6e7a8f7a2f23e8de9", "bytes": 2920}, "sandbox":
    "bubblewrap", "self_check": false, "device": {"name": "simulated NVIDIA H200", "simulated":
    true, "compute": 90, "memory_bytes": 150109880320, "l2_bytes": 62914560, "ipc": true},
    "verdict": "SLOW", "points": 40, "gold": false, "reason":
    "lanes are off while others of their warp work", "advice":
    "which lanes are off: a condition may differ within a warp, or a warp not be full",
    "failed_gate": "counters", "line": {"number": 73, "text": "sum += s_sum[other];", "says":
    "1.0 of 32 lanes work: the others are on another path, done, or not there", "time":
    "26 % of the kernels' time (modelled, simulated NVIDIA H200) goes into this line, 56 %",
    "gain":
    "with all lanes of its warps at work your kernel would take at most 0.81 of its time"},
    "mistake": {"name": "one_thread_adds", "hint":
    "At the line that is named one lane of a warp works and 31 wait for it, as where one"},
    "seconds": 2.60853});

/* Lesson 1: wrong where a is 1. */
static const char WRONG[] = JSON_TEXT(
    {"schema": 1, "started": "2026-12-01T03:35:06Z", "seed": "0x9d84fe74775", "grader":
    "59b77c5e508b5c125d09254015dc55a0d5a256d7014fb0a1037a8d3bde93c99c", "gates": [{"verdict":
    "PASS", "reason": "", "gate": "build"}, {"verdict": "PASS", "cases": 83, "done": 83, "gate":
    "safety", "device": "simulated NVIDIA H200"}, {"verdict": "WRONG", "reason":
    "case n = 4097, a = 1, b = 0, out is x, NaN: 3530 of 4097 wrong, first out[1]: got", "advice":
    "3530 elements are wrong: the first is 1, the last 4093", "wrong": {"buffer": "out", "total":
    4097, "wrong": 3530, "first": 1, "got": 0.761478, "want": 0.187994, "allowed": 8.96426e-08,
    "largest_error": "inf", "pattern": "scattered", "unwritten": 0, "zeros": 0, "stride": 0},
    "cases": 102, "done": 35, "worst_share": 0.243206, "worst_case":
    "n = 1027, subnormal products", "case": "n = 4097, a = 1, b = 0, out is x, NaN", "gate":
    "numerics", "device": "simulated NVIDIA H200"}], "lesson": "01_coalescing", "title":
    "coalesced elementwise kernel", "number": 1, "submission": {"path": "ann.cu", "is_own": false,
    "is_graded": false, "sha256":
    "3838d06d6841307d18a90d04814a134344b9511906a6909f7c2ca0625ab26e19", "bytes": 747}, "sandbox":
    "bubblewrap", "self_check": false, "device": {"name": "simulated NVIDIA H200", "simulated":
    true, "compute": 90, "memory_bytes": 150109880320, "l2_bytes": 62914560, "ipc": true},
    "verdict": "WRONG", "points": 0, "gold": false, "reason":
    "case n = 4097, a = 1, b = 0, out is x, NaN: 3530 of 4097 wrong, first out[1]: got", "advice":
    "3530 elements are wrong: the first is 1, the last 4093", "failed_gate": "numerics",
    "mistake": {"name": "stride_too_short", "hint":
    "Are elements done more than once? That takes long, and where out is x itself it takes a"},
    "seconds": 3.0713});

/* Lesson 1, as if it had been measured on a GPU. */
static const char PASSED[] = JSON_TEXT(
    {"schema": 1, "started": "2026-12-01T03:36:37Z", "seed": "0xe8aaa0e24dd", "grader":
    "59b77c5e508b5c125d09254015dc55a0d5a256d7014fb0a1037a8d3bde93c99c", "gates": [{"verdict":
    "PASS", "reason": "", "gate": "build"}, {"verdict": "PASS", "cases": 83, "done": 83, "gate":
    "safety", "device": "simulated NVIDIA H200"}, {"verdict": "PASS", "cases": 102, "done": 102,
    "worst_share": 0.2448, "worst_case": "n = 53309466, a = -1, b = 3, NaN", "gate": "numerics",
    "device": "simulated NVIDIA H200"}, {"verdict": "PASS", "cases": [{"case": "n = 67108864",
    "figures": [{"name": "kernel launches", "ok": true, "value": 1, "at_most": 1}, {"name":
    "load efficiency", "ok": true, "value": 1, "at_least": 0.95}, {"name": "store efficiency",
    "ok": true, "value": 1, "at_least": 0.95}, {"name": "bytes over the least", "ok": true,
    "value": 1, "at_most": 1.05}], "verdict": "PASS"}], "shown": 0, "gate": "counters", "device":
    "simulated NVIDIA H200"}, {"verdict": "PASS", "reason": "", "advice": "", "measured": true,
    "shown": 0, "ratio": 1, "bar": 0.7, "least": 0.63, "gold_bar": 0.92, "gold_of_ladder": 0,
    "gold": true, "cases": [{"case": "n = 67108864", "launcher": "lesson1_axpby", "time_ns":
    191974, "reference_ns": 191974, "ratio": 1, "rate": 4194880000000, "rate_unit": "B/s",
    "ceiling": "copy rate", "of_ceiling": 1.02801, "verdict": "PASS", "reason": "", "low": 0.991,
    "high": 1.008}], "gate": "utilization", "device": "NVIDIA H200"}], "lesson": "01_coalescing",
    "title": "coalesced elementwise kernel", "number": 1, "submission": {"path": "ann.cu",
    "is_own": false, "is_graded": false, "sha256":
    "9e6b0fe2e78994c57c8ab6ee49b557e16dd772d660fc10da3c68876eaf3a6e2a", "bytes": 2120}, "sandbox":
    "bubblewrap", "self_check": false, "device": {"name": "NVIDIA H200", "simulated": false,
    "compute": 90, "memory_bytes": 150109880320, "l2_bytes": 62914560, "ipc": true}, "verdict":
    "PASS", "points": 100, "gold": false, "seconds": 2.67298});

/* Lesson 1: an access that is not aligned. */
static const char FAULT[] = JSON_TEXT(
    {"schema": 1, "started": "2026-12-01T03:35:04Z", "seed": "0x4a2d0df81e93", "grader":
    "59b77c5e508b5c125d09254015dc55a0d5a256d7014fb0a1037a8d3bde93c99c", "gates": [{"verdict":
    "PASS", "reason": "", "gate": "build"}, {"verdict": "MISALIGNED", "reason":
    "misaligned address: thread (0,0,0) of block (0,0,0) reads 16 bytes of global memory at",
    "advice": "a wide access needs an address that is a multiple of its width: check the pointer",
    "file": "coalescing.cu", "line": 13, "cases": 83, "done": 12, "case":
    "n = 1023, x one element off", "gate": "safety", "device": "simulated NVIDIA H200"}],
    "lesson": "01_coalescing", "title": "coalesced elementwise kernel", "number": 1, "submission":
    {"path": "ann.cu", "is_own": false, "is_graded": false, "sha256":
    "8094063d7d54ca1b713d8385d1e6748ff5522102bb55724725d230d88db911a9", "bytes": 1228}, "sandbox":
    "bubblewrap", "self_check": false, "device": {"name": "simulated NVIDIA H200", "simulated":
    true, "compute": 90, "memory_bytes": 150109880320, "l2_bytes": 62914560, "ipc": true},
    "verdict": "MISALIGNED", "points": 0, "gold": false, "reason":
    "misaligned address: thread (0,0,0) of block (0,0,0) reads 16 bytes of global memory at",
    "advice": "a wide access needs an address that is a multiple of its width: check the pointer",
    "failed_gate": "safety", "line": {"number": 13, "text":
    "float4 u = ((const float4 *)x)[i], v = ((const float4 *)y)[i];"}, "mistake": {"name":
    "float4_anyway", "hint":
    "A float4 must lie at a multiple of 16 bytes, a float2 of 8, and the contract promises"},
    "seconds": 1.41397});

/* It does not compile. */
static const char UNBUILT[] = JSON_TEXT(
    {"schema": 1, "started": "2026-12-01T03:36:11Z", "seed": "0x7ab0b45c41df", "grader":
    "59b77c5e508b5c125d09254015dc55a0d5a256d7014fb0a1037a8d3bde93c99c", "gates": [{"gate":
    "build", "verdict": "BUILD", "reason": "it does not compile", "messages":
    "ann.cu(1): error: expected a \")\"\n"}], "lesson": "03_divergence", "title":
    "warp divergence", "number": 3, "submission": {"path": "ann.cu", "is_own": false, "is_graded":
    false, "sha256": "c678ed9e58070c0f134b0cd5da5d76d930a2254dedd055f6e7a8f7a2f23e8de9", "bytes":
    2920}, "sandbox": "bubblewrap", "self_check": false, "verdict": "BUILD", "points": 0, "gold":
    false, "reason": "divergence.cu does not compile", "failed_gate": "build", "seconds": 2.60853});

/* Timed too unevenly to tell. */
static const char UNCLEAR[] = JSON_TEXT(
    {"schema": 1, "started": "2026-12-01T03:36:37Z", "seed": "0xe8aaa0e24dd", "grader":
    "59b77c5e508b5c125d09254015dc55a0d5a256d7014fb0a1037a8d3bde93c99c", "gates": [{"verdict":
    "PASS", "reason": "", "gate": "build"}, {"verdict": "PASS", "cases": 83, "done": 83, "gate":
    "safety", "device": "simulated NVIDIA H200"}, {"verdict": "PASS", "cases": 102, "done": 102,
    "worst_share": 0.2448, "worst_case": "n = 53309466, a = -1, b = 3, NaN", "gate": "numerics",
    "device": "simulated NVIDIA H200"}, {"verdict": "PASS", "cases": [{"case": "n = 67108864",
    "figures": [{"name": "kernel launches", "ok": true, "value": 1, "at_most": 1}, {"name":
    "load efficiency", "ok": true, "value": 1, "at_least": 0.95}, {"name": "store efficiency",
    "ok": true, "value": 1, "at_least": 0.95}, {"name": "bytes over the least", "ok": true,
    "value": 1, "at_most": 1.05}], "verdict": "PASS"}], "shown": 0, "gate": "counters", "device":
    "simulated NVIDIA H200"}, {"verdict": "INCONCLUSIVE", "reason":
    "the interval is too wide to tell: 72 % to 81 %, and 75 % is asked for", "advice": "",
    "measured": true, "shown": 0, "ratio": 0.765, "bar": 0.7, "least": 0.63, "gold_bar": 0.92,
    "gold_of_ladder": 0, "gold": true, "cases": [{"case": "n = 67108864", "launcher":
    "lesson1_axpby", "time_ns": 191974, "reference_ns": 191974, "ratio": 0.765, "rate":
    4194880000000, "rate_unit": "B/s", "ceiling": "copy rate", "of_ceiling": 1.02801, "verdict":
    "PASS", "reason": "", "low": 0.72, "high": 0.81}], "gate": "utilization", "device":
    "NVIDIA H200"}], "lesson": "01_coalescing", "title": "coalesced elementwise kernel", "number":
    1, "submission": {"path": "ann.cu", "is_own": false, "is_graded": false, "sha256":
    "9e6b0fe2e78994c57c8ab6ee49b557e16dd772d660fc10da3c68876eaf3a6e2a", "bytes": 2120}, "sandbox":
    "bubblewrap", "self_check": false, "device": {"name": "NVIDIA H200", "simulated": false,
    "compute": 90, "memory_bytes": 150109880320, "l2_bytes": 62914560, "ipc": true}, "verdict":
    "INCONCLUSIVE", "points": null, "gold": false, "seconds": 2.67298, "failed_gate":
    "utilization", "reason":
    "the interval is too wide to tell: 72 % to 81 %, and 75 % is asked for"});

/* clang-format on */

#endif
