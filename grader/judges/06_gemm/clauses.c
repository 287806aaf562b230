/* clauses.c - lesson 6: the contract's words, and what tests them besides cases. */
#include "judges/06_gemm/clauses.h"

#include "judges/06_gemm/parts.h"

/* clang-format off */
static const struct judge_clause CLAUSES[] = {
    [PRODUCT] = {"product", "Y = act(op(A) op(B) + bias) by cuBLASLt."},
    [KEPT_BY_CONTEXT] = {"kept_by_context",
        "A context keeps what has been worked out for each kind of problem; it can be saved, and "
        "loaded by the next process.",
        .counters = JUDGE_ASKS(JUDGE_QUERIES)},
    [ORDERED] = {"ordered",
        "A context belongs to one device and to one stream at a time: its calls are ordered by "
        "the caller, so one workspace serves them all.",
        .counters = JUDGE_ASKS(JUDGE_ALLOCATIONS)},
    [REFUSED_POINTER] = {"refused_pointer",
        "Every function returns cudaErrorInvalidValue for a NULL context or a pointer that is "
        "missing."},
    [LIBRARY_ERRORS] = {"library_errors",
        "What the library turns down is an error, too, and it is none of the calls after it."},
    [TYPES] = {"types", "What A, B, bias and Y are made of."},
    [WORKSPACE] = {"workspace",
        "workspace: workspace_bytes (0 is allowed) of device memory, aligned to 256 bytes, the "
        "caller's. It may be used by any call of the context until it is destroyed, and by "
        "nothing else."},
    [DESTROYED] = {"destroyed",
        "lesson6_destroy frees what the context has made of the library: handle, descriptions."},
    [FUSED] = {"fused",
        "gemm what is asked for, read before the call returns (see quest.h). save_z is false; the "
        "activation is one that the library fuses: NONE, RELU or GELU_TANH.",
        .always = "every case but those that are refused"},
    [AT_LEAST_1] = {"at_least_1", "m, n and k are at least 1."},
    [REFUSED_KIND] = {"refused_kind", "Anything else is cudaErrorInvalidValue."},
    [A_IS] = {"a_and_b", "A op(A) is m x k. B op(B) is k x n."},
    [BIAS_IS] = {"bias", "bias n elements, the same for every row;"},
    [BIAS_OR_NULL] = {"bias_or_null", "NULL if, and only if, with_bias is false."},
    [BIAS_ALIGNED] = {"bias_aligned",
        "Aligned to 16 bytes: the library's epilogue refuses others (seen on an H200 with CUDA "
        "13.0).",
        .always = "every case with a bias keeps to it"},
    [Y_IS] = {"y", "Y m x n."},
    [ROW_MAJOR] = {"row_major", "All matrices are row-major, without gaps between rows."},
    [ALIGNED] = {"aligned",
        "Pointers are device pointers; those of matrices are aligned to one element and no "
        "better;"},
    [HELD_BEFORE] = {"held_before", "nothing overlaps; what Y held before does not matter.",
        .always = "every case: numerics runs over two kinds of poison, and outputs are poisoned "
                  "between the processes of the mix"},
    [ROUNDED_ONCE] = {"rounded_once",
        "Sums are kept in FP32 until the activation has been applied, and are rounded to the type "
        "once;"},
    [ROUNDED_TWICE] = {"rounded_twice",
        "but for rows or pointers that are no multiples of 16 bytes the library may round before "
        "its epilogue, too."},
    [STREAM] = {"stream", "The work goes to the stream and is not waited for.",
        .counters = JUDGE_ASKS(JUDGE_SYNCHRONISATIONS)},
    [KNOWN] = {"known",
        "Once a context knows a kind of problem, a call makes no handle, asks the library "
        "nothing, and neither allocates device memory nor waits.",
        .counters = JUDGE_ASKS(JUDGE_HANDLES) | JUDGE_ASKS(JUDGE_QUERIES) |
                    JUDGE_ASKS(JUDGE_ALLOCATIONS) | JUDGE_ASKS(JUDGE_SYNCHRONISATIONS)},
    [NEW_KIND] = {"new_kind",
        "The first call with a new kind of problem may ask the library; it may also measure what "
        "it was offered, and wait for that, unless the stream is being captured: then one "
        "question and no measurement have to do.",
        .counters = JUDGE_ASKS(JUDGE_QUERIES)},
    [CAN_BE_CAPTURED] = {"can_be_captured", "Either way the call can be captured."},
    [QUESTIONS] = {"questions",
        "Questions are cublasLtMatmulAlgoGetHeuristic, AlgoCheck, AlgoGetIds, AlgoInit and "
        "AlgoCapGetAttribute, and a cublasLtMatmul without an algorithm. Whether a plan from a "
        "file fits may be checked once.",
        .counters = JUDGE_ASKS(JUDGE_QUERIES)},
    [SAVED] = {"saved",
        "Write all that the context knows to a file, over whatever it held.",
        .counters = JUDGE_ASKS(JUDGE_QUERIES)},
    [SAVE_FAILS] = {"save_fails",
        "cudaErrorUnknown when that cannot be done; then the file is what it was."},
    [WHOLE_FILES] = {"whole_files",
        "A process that ends while it saves leaves the old file or the new one, whole; so do "
        "several that save at once: the last one's stays.",
        .always = "make torture-lesson6: processes are killed while they save, and two save at "
                  "once"},
    [STAMP_IS] = {"stamp",
        "The file begins with a stamp, and what follows is the implementation's own. LESSON6_MAGIC "
        "cublasLtGetVersion() of who wrote it name of its cudaDeviceProp, and zeros that follow "
        "the stamp lesson6_checksum() of them"},
    [LOADED] = {"loaded",
        "Know from here on what the file says, beside what is known already; then none of its "
        "problems is asked about again.",
        .counters = JUDGE_ASKS(JUDGE_QUERIES)},
    [NO_ROOM_FOR] = {"no_room_for",
        "(It may come from a context with more workspace: what has no room in this one may be "
        "asked about again.)"},
    [NOT_BELIEVED] = {"not_believed",
        "A file that is not there, not whole, damaged, or written with another version of the "
        "library or on another device, is refused: cudaErrorInvalidValue, and the context is as "
        "it was.",
        .counters = JUDGE_ASKS(JUDGE_QUERIES)},
};
/* clang-format on */

const struct judge_clauses GEMM_CLAUSES = JUDGE_ROWS(CLAUSES);

const char *const GEMM_CONTEXT[] = {
    "06_gemm.h - contract of lesson 6: matrix products in 16 bits, planned once and run often.",
    "The usual order of calls: create, load, many gemm, save, destroy.",
    "yours",
    "FNV-1a: a bit that changed changes it. It is no protection against someone who means to.",
    NULL,
};
