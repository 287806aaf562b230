/* check_levels.c - hints go on from level to level, for each verdict, and say no more than the
 * evidence has. */
#include "check/examine/levels.h"

#include "check/examine/history.h"
#include "check/examine/sayings.h"
#include "check/verdict.h"

#include "tests/check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct judge_evidence evidence_of(enum verdict verdict, const char *said)
{
    struct judge_evidence evidence = {.verdict = (int)verdict, .said = said};
    for (int i = 0; i < JUDGE_COUNTERS; i++)
        evidence.counter[i] = NAN;
    return evidence;
}

/* All sentences of a level, each with a blank after it; the caller frees it. */
static char *text_of(const json_t *levels, size_t level)
{
    size_t i;
    json_t *text;
    char *all = calloc(1, 8192);
    json_array_foreach (json_array_get(levels, level), i, text) {
        strcat(all, json_string_value(text));
        strcat(all, " ");
    }
    return all;
}

static bool level_has(const struct judge_evidence *e, int level, const char *words)
{
    const struct judge none = {.hints = NULL};
    json_t *levels = levels_of(&none, e, NULL);
    char *text = text_of(levels, (size_t)level - 1);
    bool found = strstr(text, words) != NULL;
    free(text);
    json_decref(levels);
    return found;
}

START_TEST(each_verdict_has_three_levels_that_differ)
{
    const struct judge none = {.hints = NULL};
    for (unsigned verdict = 0; verdict < VERDICTS; verdict++) {
        struct judge_evidence e = evidence_of((enum verdict)verdict, "it is said so");
        if (verdict == VERDICT_PASS || verdict_points((enum verdict)verdict) == POINTS_AGAIN)
            continue;
        json_t *levels = levels_of(&none, &e, NULL);
        char *of[LEVELS];
        for (size_t i = 0; i < LEVELS; i++) {
            of[i] = text_of(levels, i);
            ck_assert_msg(*of[i], "%s, level %zu", verdict_name((enum verdict)verdict), i + 1);
        }
        ck_assert_str_ne(of[0], of[1]);
        ck_assert_str_ne(of[1], of[2]);
        ck_assert_str_ne(of[0], of[2]);
        for (size_t i = 0; i < LEVELS; i++)
            free(of[i]);
        json_decref(levels);
    }
}
END_TEST

/* At 96 columns, of which a list takes two. */
START_TEST(a_hint_is_at_most_six_lines)
{
    const struct sayings tables[] = {sayings_questions(), sayings_faults(), sayings_steps()};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; i < tables[t].count; i++)
            ck_assert_msg(strlen(tables[t].rows[i].text) < 96 * 4, "%s", tables[t].rows[i].text);
}
END_TEST

START_TEST(a_fault_of_the_last_block_may_be_a_missing_guard)
{
    struct judge_evidence e = evidence_of(VERDICT_OUT_OF_BOUNDS, "out of bounds: it lies 4 bytes");
    e.at_line = 12;
    e.launch = (struct judge_launch){
        .count = 1, .blocks = 5, .threads = 256, .has_place = true, .block = 4, .thread = 9};
    ck_assert(level_has(&e, 1, "thread 9 of block 4"));
    ck_assert(level_has(&e, 2, "1280 threads in all"));
    e.launch.block = 2;
    ck_assert(!level_has(&e, 2, "in all") && level_has(&e, 2, "not the last block"));
    e.launch.has_place = false; /* some blocks store to an input */
    ck_assert(!level_has(&e, 1, "that is named"));
}
END_TEST

START_TEST(an_index_off_in_aligned_buffers_is_not_the_pointer)
{
    const struct judge_case aligned = {.name = "n = 3"},
                            off = {.name = "y one off", .offset_bytes = {0, 4}};
    struct judge_evidence e = evidence_of(VERDICT_MISALIGNED, "misaligned address");
    e.at_line = 30;
    e.where = &aligned;
    ck_assert(level_has(&e, 2, "so the index is the cause") &&
              !level_has(&e, 2, "does not start at"));
    e.where = &off;
    ck_assert(!level_has(&e, 2, "so the index is the cause") &&
              level_has(&e, 2, "does not start at"));
}
END_TEST

START_TEST(a_large_case_is_past_an_int_only_if_it_has_so_many_bytes)
{
    struct judge_evidence e = evidence_of(VERDICT_WRONG, "1 of 9000 wrong, first out[8]");
    e.total = 9000;
    e.wrong = 1;
    e.first_wrong = 8;
    e.got = 1;
    e.want = 2;
    e.is_large = true;
    e.most_bytes = 0x1p34;
    ck_assert(level_has(&e, 2, "more than 2^31 elements or bytes"));
    e.got = 2.001; /* as by rounding */
    ck_assert(!level_has(&e, 2, "2^31"));
    e.got = 1;
    e.most_bytes = 4e6; /* one row of a million */
    ck_assert(!level_has(&e, 2, "2^31"));
    e.verdict = VERDICT_OUT_OF_BOUNDS;
    ck_assert(!level_has(&e, 2, "2^31") && !level_has(&e, 3, "int64_t"));
    e.most_bytes = 0x1p34;
    ck_assert(level_has(&e, 2, "more than 2^31 elements or bytes"));
}
END_TEST

START_TEST(a_race_is_told_by_the_order_of_its_lines)
{
    struct judge_evidence e = evidence_of(VERDICT_RACE, "shared memory race: thread (0,0,0)");
    e.at_line = 40;
    e.other_line = 52;
    ck_assert(level_has(&e, 1, "at line 40, another at line 52"));
    ck_assert(level_has(&e, 2, "next iteration of the loop") &&
              level_has(&e, 3, "before line 40 comes again"));
    e.other_line = 31;
    ck_assert(level_has(&e, 3, "between line 31 and line 40"));
    e.advice = "the first of the two lines runs in the loop's next turn: put";
    ck_assert(level_has(&e, 2, "in different iterations") &&
              !level_has(&e, 2, "which is above it"));
    ck_assert(level_has(&e, 3, "at the end of the loop's body, where"));
    e.advice = NULL;
    e.said = "missing cp.async wait: thread (0,0,0)";
    ck_assert(level_has(&e, 1, "How many groups") && !level_has(&e, 2, "in the same iteration"));
}
END_TEST

START_TEST(a_missing_end_is_blocks_only_where_a_block_begins)
{
    struct judge_evidence e = evidence_of(VERDICT_WRONG, "3 of 1027 wrong, first out[1024]");
    e.total = 1027;
    e.wrong = e.unwritten = 3;
    e.first_wrong = 1024;
    e.wrong_is_unwritten = e.wrong_is_tail = true;
    e.launch = (struct judge_launch){.count = 1, .blocks = 4, .threads = 256};
    ck_assert(level_has(&e, 2, "multiple of 256, the threads of a block: so blocks may"));
    ck_assert(level_has(&e, 3, "thread 0 of block 4"));
    e.first_wrong = 1026;
    ck_assert(level_has(&e, 2, "not a multiple of 256"));
    e.launch.count = e.launch.threads = 0;
    ck_assert(!level_has(&e, 2, "of 256") && !level_has(&e, 3, "of block"));
}
END_TEST

/* Four elements a thread, and a block too few. */
START_TEST(where_threads_wrote_several_elements_none_is_said_to_have_one)
{
    struct judge_evidence e = evidence_of(VERDICT_WRONG, "1 of 4097 wrong, first out[4096]");
    e.total = 4097;
    e.wrong = e.unwritten = 1;
    e.first_wrong = 4096;
    e.wrong_is_unwritten = e.wrong_is_tail = true;
    e.launch = (struct judge_launch){.count = 1, .blocks = 4, .threads = 256};
    ck_assert(level_has(&e, 3, "a thread takes several") && !level_has(&e, 3, "of block 16"));
    e.launch.blocks = 16;
    ck_assert(!level_has(&e, 3, "a thread takes several") && level_has(&e, 3, "of block 16"));
}
END_TEST

START_TEST(a_start_that_is_missing_is_not_in_between)
{
    struct judge_evidence e = evidence_of(VERDICT_WRONG, "3 of 1023 wrong, first out[0]");
    e.total = 1023;
    e.wrong = e.unwritten = 3;
    e.wrong_is_unwritten = true;
    ck_assert(level_has(&e, 1, "or none?") && !level_has(&e, 2, "in between"));
    ck_assert(level_has(&e, 2, "one after them was"));
}
END_TEST

START_TEST(a_call_over_spoilt_outputs_had_no_other_inputs)
{
    char said[256];
    struct judge_evidence e = evidence_of(VERDICT_WRONG, said);
    e.total = 32;
    e.wrong = e.unwritten = 1;
    e.first_wrong = 3;
    e.got = 1;
    e.want = -1;
    e.wrong_is_unwritten = true;
    snprintf(said, sizeof said, "in another call with the same arguments and %s",
             repeat_words(REPEAT_SPOILT));
    ck_assert(level_has(&e, 1, "The same call was right") && !level_has(&e, 1, "other inputs"));
    ck_assert(level_has(&e, 2, "looks at an output") && !level_has(&e, 2, "other inputs"));
    ck_assert(level_has(&e, 3, "each read of an output") && !level_has(&e, 3, "of block"));
    snprintf(said, sizeof said, "in another call with the same arguments and %s",
             repeat_words(REPEAT_CHANGED));
    ck_assert(level_has(&e, 2, "other inputs") && !level_has(&e, 2, "looks at an output"));
}
END_TEST

START_TEST(the_signal_tells_what_ended_the_process)
{
    struct judge_evidence e =
        evidence_of(VERDICT_CRASH, "killed by signal 11 (Segmentation fault)");
    ck_assert(level_has(&e, 2, "Signal 11") && !level_has(&e, 2, "Signal 6"));
    e.said = "killed by signal 6 (Aborted)";
    ck_assert(level_has(&e, 2, "Signal 6") && !level_has(&e, 2, "Signal 11"));
}
END_TEST

START_TEST(a_launcher_at_work_is_no_kernel_that_does_not_end)
{
    struct judge_evidence e = evidence_of(VERDICT_TIMEOUT, "the host code used up its time");
    ck_assert(level_has(&e, 1, "The launcher itself") && level_has(&e, 2, "not a kernel"));
    e.said = "too many steps: the kernel takes more than";
    ck_assert(level_has(&e, 1, "A loop in the kernel") && !level_has(&e, 2, "not a kernel"));
}
END_TEST

START_TEST(bytes_that_are_loaded_are_told_as_loaded)
{
    struct judge_evidence e = evidence_of(VERDICT_SLOW, "more is loaded than the product needs");
    e.refused = JUDGE_LOAD_BYTES_RATIO;
    e.counter[JUDGE_LOAD_BYTES_RATIO] = 4.8;
    ck_assert(level_has(&e, 1, "load 4.8 times the bytes"));
    e.refused = JUDGE_ALL_BYTES_RATIO;
    e.counter[JUDGE_ALL_BYTES_RATIO] = 1.5;
    ck_assert(level_has(&e, 1, "request 1.5 times the bytes"));
}
END_TEST

/* Loads are side by side, at the line whose stores are not, or the other way round. */
START_TEST(a_step_is_that_of_the_accesses_that_are_refused)
{
    struct judge_evidence e = evidence_of(VERDICT_SLOW, "stores touch more sectors");
    e.at_line = 12;
    e.refused = JUDGE_STORE_EFFICIENCY;
    e.counter[JUDGE_STORE_EFFICIENCY] = e.worst_line_counter[JUDGE_STORE_EFFICIENCY] = 0.125;
    e.line.load_width = e.line.store_width = 4;
    e.line.load_apart = 4;
    ck_assert(level_has(&e, 2, "no common step") && !level_has(&e, 3, "factor of threadIdx.x"));
    e.line.store_apart = -128;
    ck_assert(level_has(&e, 2, "gaps between") && level_has(&e, 3, "factor of threadIdx.x"));
    e.line.load_apart = 128;
    e.line.store_apart = 4;
    ck_assert(level_has(&e, 2, "Most neighbouring lanes") && !level_has(&e, 2, "gaps between"));
}
END_TEST

/* Half of all loads are well, and the others fill an eighth of their sectors. */
START_TEST(a_line_that_uses_little_of_its_sectors_is_not_off_by_one)
{
    struct judge_evidence e = evidence_of(VERDICT_SLOW, "loads touch more sectors");
    e.refused = JUDGE_LOAD_EFFICIENCY;
    e.counter[JUDGE_LOAD_EFFICIENCY] = 0.7;
    e.worst_line_counter[JUDGE_LOAD_EFFICIENCY] = 0.8;
    ck_assert(level_has(&e, 2, "touch one sector more"));
    e.worst_line_counter[JUDGE_LOAD_EFFICIENCY] = 0.125;
    ck_assert(!level_has(&e, 2, "touch one sector more"));
}
END_TEST

START_TEST(a_question_to_a_library_is_no_second_launch)
{
    struct judge_evidence e = evidence_of(VERDICT_SLOW, "the contract forbids asking");
    e.broken_in_small = true;
    e.refused = JUDGE_QUERIES;
    ck_assert(level_has(&e, 1, "ask of the library") && !level_has(&e, 1, "a second launch"));
    ck_assert(level_has(&e, 2, "that was kept") && !level_has(&e, 2, "no vector fits"));
    ck_assert(level_has(&e, 3, "what is looked up") && !level_has(&e, 3, "no vector fits"));
    e.refused = JUDGE_HANDLES;
    ck_assert(level_has(&e, 1, "makes a handle") && level_has(&e, 3, "Make the handle"));
    e.refused = JUDGE_COPIES;
    ck_assert(level_has(&e, 1, "a second launch") && level_has(&e, 3, "no vector fits"));
}
END_TEST

START_TEST(what_is_close_is_no_question_of_threads)
{
    struct judge_evidence e = evidence_of(VERDICT_WRONG, "1 of 1 wrong, first y[0]");
    e.total = e.wrong = 1;
    e.got = 1.001;
    e.want = 1;
    ck_assert(level_has(&e, 1, "fewer bits") && !level_has(&e, 2, "Not all of the"));
    ck_assert(level_has(&e, 1, "part of it missing") && level_has(&e, 2, "that are all 1"));
    e.largest_error = 0.5; /* of another element */
    ck_assert(!level_has(&e, 1, "fewer bits") && !level_has(&e, 2, "close to the right ones"));
    e.got = 2;
    ck_assert(level_has(&e, 1, "The only element") && !level_has(&e, 1, "others are right"));
}
END_TEST

START_TEST(an_invalid_value_is_no_wrong_shape)
{
    struct judge_evidence e = evidence_of(VERDICT_LAUNCH_ERROR, "cudaErrorInvalidValue");
    e.error = cudaErrorInvalidValue;
    ck_assert(level_has(&e, 1, "a test of your own") && level_has(&e, 2, "own test refuses"));
    ck_assert(!level_has(&e, 2, "1024 threads") && level_has(&e, 3, "against the contract"));
    e.error = cudaErrorInvalidConfiguration;
    ck_assert(!level_has(&e, 1, "a test of your own") && level_has(&e, 2, "1024 threads"));
}
END_TEST

START_TEST(a_library_has_no_line_of_yours)
{
    struct judge_evidence e =
        evidence_of(VERDICT_SLOW, "it reaches 84.7 % of the reference's speed");
    e.refused = JUDGE_COUNTER_NONE;
    e.kernel.blocks = 128;
    ck_assert(level_has(&e, 1, "Which algorithms") && level_has(&e, 3, "each algorithm"));
    e.kernel.registers = 32;
    ck_assert(!level_has(&e, 1, "Which algorithms") && !level_has(&e, 3, "each algorithm"));
}
END_TEST

/* What no barrier mends, and what is said of it instead. */
START_TEST(not_every_race_is_a_barrier_that_is_missing)
{
    const char *const LESSONS[] = {"2", "3"};
    for (size_t i = 0; i < 2; i++) {
        const struct judge *judge = judge_named(LESSONS[i]);
        struct judge_evidence e = evidence_of(VERDICT_RACE, "global memory race: thread (0,0,0)");
        e.where = &judge->cases[judge->case_count - 1];
        for (size_t m = 0; judge->mistakes && m < judge->mistakes->count; m++)
            ck_assert(!strstr(judge->mistakes->rows[m].name, "barrier_missing") ||
                      !judge->mistakes->rows[m].seen(&e));
    }
    const struct judge_evidence e =
        evidence_of(VERDICT_RACE, "missing proxy fence: thread (0,0,0)");
    ck_assert(level_has(&e, 2, "async proxy") && level_has(&e, 3, "fence_proxy_async"));
}
END_TEST

START_TEST(values_tell_what_is_wrong_with_them)
{
    struct judge_evidence e = evidence_of(VERDICT_WRONG, "1 of 9 wrong, first y[0]");
    e.total = 9;
    e.wrong = 1;
    e.got = -0.0;
    ck_assert(level_has(&e, 2, "Only the sign of a zero"));
    e.got = 1;
    e.want = NAN;
    ck_assert(level_has(&e, 2, "0 times NaN") && !level_has(&e, 2, "sign of a zero"));
    e.got = NAN;
    e.want = 1;
    ck_assert(level_has(&e, 2, "result is NaN"));
    e.said = "1 of 9 wrong, first y[0], in another call with the same arguments and other inputs";
    ck_assert(level_has(&e, 2, "kept from call to call"));
    e.said = "the old file is no longer whole";
    ck_assert(level_has(&e, 2, "no single number") && !level_has(&e, 2, "NaN"));
    e.said = "1 of 9 wrong, first y[0]";
    e.first_wrong = UINT64_C(1) << 32;
    ck_assert(level_has(&e, 2, "an index of 32 bits"));
    e.first_wrong = UINT64_C(1) << 34;
    ck_assert(!level_has(&e, 2, "an index of 32 bits") && level_has(&e, 2, "by a division"));
}
END_TEST

/* --- A lesson's own hints --------------------------------------------------------------------- */

static bool is_wide(const struct judge_evidence *e)
{
    return e->kernel.load_width > 12;
}

static bool is_coalesced(const struct judge_evidence *e)
{
    return e->counter[JUDGE_LOAD_EFFICIENCY] >= 0.95;
}

static const char *const HINTS[] = {"How many?", "Count. one: sectors. two: lanes.",
                                    "Take turns. Then take float4."};

static const struct judge_asked ASKED[] = {
    {2, "one:", 1 << 0, is_coalesced},
    {2, "two:", 1 << 1, NULL},
    {3, "Take turns", 0, is_coalesced},
    {3, "Then take float4", 0, is_wide},
};

static const struct judge LESSON = {
    .hints = HINTS, .asked = ASKED, .asked_count = sizeof ASKED / sizeof *ASKED};

/* The last sentence of that level, which is the lesson's, is: */
static void lesson_says(const struct judge_evidence *e, size_t level, const char *words)
{
    json_t *levels = levels_of(&LESSON, e, NULL), *of = json_array_get(levels, level - 1);
    const char *last = json_string_value(json_array_get(of, json_array_size(of) - 1));
    ck_assert_str_eq(last ? last : "", words);
    json_decref(levels);
}

START_TEST(a_hint_speaks_of_the_launcher_that_failed)
{
    struct judge_case where = {.launcher = 0};
    struct judge_evidence e = evidence_of(VERDICT_SLOW, "late");
    e.where = &where;
    lesson_says(&e, 2, "Count. one: sectors.");
    where.launcher = 1;
    lesson_says(&e, 2, "Count. two: lanes.");
}
END_TEST

START_TEST(what_is_done_is_not_asked_for)
{
    struct judge_case where = {.launcher = 0};
    struct judge_evidence e = evidence_of(VERDICT_SLOW, "late");
    e.where = &where;
    lesson_says(&e, 3, "The lesson's own way: Take turns. Then take float4.");
    e.counter[JUDGE_LOAD_EFFICIENCY] = 1;
    lesson_says(&e, 3, "The lesson's own way: Then take float4.");
    e.kernel.load_width = 16;
    json_t *levels = levels_of(&LESSON, &e, NULL);
    for (size_t i = 0; i < LEVELS; i++) {
        char *text = text_of(levels, i);
        ck_assert(!strstr(text, "turns. Then") && !strstr(text, "take float4") &&
                  !strstr(text, "Count."));
        free(text);
    }
    json_decref(levels);
}
END_TEST

START_TEST(where_another_case_is_slow_hints_on_the_timed_one_are_left_out)
{
    struct judge_evidence e = evidence_of(VERDICT_SLOW, "case odd: it takes 2 ms");
    e.in_another_case = true;
    ck_assert(level_has(&e, 1, "The timed case is fast enough"));
    ck_assert(level_has(&e, 2, "a condition on a size")); /* no launch of that case is known */
    e.at_line = 28;
    e.elsewhere.blocks = 4096;
    e.elsewhere.block_threads = 256;
    e.worst_line_counter[JUDGE_STORE_EFFICIENCY] = 1;
    e.worst_line_counter[JUDGE_LOAD_EFFICIENCY] = 0.125;
    e.worst_line_counter[JUDGE_SECTORS_PER_LOAD] = 32;
    ck_assert(level_has(&e, 2, "line 28 touches 32 sectors"));
    e.worst_line_counter[JUDGE_LOAD_EFFICIENCY] = 0.8;
    ck_assert(!level_has(&e, 2, "sectors"));
    ck_assert(!level_has(&e, 2, "uses shared memory"));
    e.kernel.shared_requests = 1;
    ck_assert(level_has(&e, 2, "uses shared memory"));
    json_t *levels = levels_of(&LESSON, &e, NULL);
    char *text = text_of(levels, 1);
    ck_assert(!strstr(text, "Count. one"));
    free(text);
    json_decref(levels);
}
END_TEST

START_TEST(a_mistake_after_an_error_is_named_at_the_last_level)
{
    const struct judge_mistake mistake = {"guard", NULL, "The guard is i < n."};
    struct judge_evidence e = evidence_of(VERDICT_GUARD, "memory was written");
    json_t *levels = levels_of(&LESSON, &e, &mistake);
    char *second = text_of(levels, 1), *third = text_of(levels, 2);
    ck_assert(!strstr(second, mistake.hint) && strstr(third, mistake.hint) == third);
    free(second);
    free(third);
    json_decref(levels);
}
END_TEST

static bool is_of_a_file(const struct judge_evidence *e)
{
    return sayings_said(e, "the file");
}

START_TEST(a_judge_has_sentences_of_its_own)
{
    const struct judge_saying own[] = {{1, is_of_a_file, "Which file?"}, {2, is_of_a_file, "It."}};
    const struct judge judge = {.sayings = &(const struct judge_sayings)JUDGE_ROWS(own)};
    struct judge_evidence e = evidence_of(VERDICT_WRONG, "the file is gone");
    json_t *levels = levels_of(&judge, &e, NULL);
    ck_assert_str_eq(json_string_value(json_array_get(json_array_get(levels, 0), 0)),
                     "Which file?");
    ck_assert_uint_eq(json_array_size(json_array_get(levels, 1)), 1);
    json_decref(levels);
    e.said = "the key is gone";
    levels = levels_of(&judge, &e, NULL);
    ck_assert_str_ne(json_string_value(json_array_get(json_array_get(levels, 0), 0)),
                     "Which file?");
    json_decref(levels);
}
END_TEST

static bool lesson_has(const char *lesson, const struct judge_evidence *e, int level,
                       const char *words)
{
    json_t *levels = levels_of(judge_named(lesson), e, NULL);
    char *text = text_of(levels, (size_t)level - 1);
    bool found = strstr(text, words) != NULL;
    free(text);
    json_decref(levels);
    return found;
}

START_TEST(a_launch_that_has_come_far_has_loops_that_end)
{
    struct judge_evidence e = evidence_of(VERDICT_TIMEOUT, "too many steps: warp 0 of block");
    e.launch = (struct judge_launch){.count = 1, .blocks = 64199, .threads = 256};
    ck_assert(level_has(&e, 1, "A loop in the kernel does not end"));
    e.launch.has_place = true;
    e.launch.block = 36823;
    ck_assert(level_has(&e, 1, "block 36823 of 64199") && !level_has(&e, 2, "no size ends"));
    ck_assert(level_has(&e, 3, "for each result"));
    e.is_large = true; /* some blocks ran, of any number */
    ck_assert(!level_has(&e, 2, "order of their numbers"));
}
END_TEST

START_TEST(instructions_with_lanes_off_are_no_work_for_nothing)
{
    struct judge_evidence e = evidence_of(VERDICT_SLOW, "the warps execute more instructions");
    e.refused = JUDGE_WARP_INSTRUCTIONS;
    e.counter[JUDGE_WARP_INSTRUCTIONS] = 1.95;
    e.counter[JUDGE_LANES_ON] = 31;
    ck_assert(level_has(&e, 1, "thrown away") && level_has(&e, 2, "result is not needed"));
    e.counter[JUDGE_LANES_ON] = 16;
    ck_assert(!level_has(&e, 1, "thrown away") && !level_has(&e, 2, "result is not needed"));
    ck_assert(level_has(&e, 2, "its sides take turns"));
}
END_TEST

/* The end of the sum that each of them is: an edge of the inputs alone. */
START_TEST(a_part_of_a_sum_may_be_missing_where_all_is_wrong)
{
    struct judge_evidence e = evidence_of(VERDICT_WRONG, "561 of 561 wrong, first C[0][0]");
    e.total = e.wrong = 561;
    e.got = 2.70;
    e.want = 2.79;
    ck_assert(level_has(&e, 1, "an edge of the result") && !level_has(&e, 1, "at an edge does"));
    ck_assert(level_has(&e, 2, "a part of a sum"));
}
END_TEST

START_TEST(blocks_that_take_too_long_use_no_unknown_instruction)
{
    struct judge_evidence e = evidence_of(VERDICT_NOT_SIMULATED, "represent all, and they cannot: "
                                                                 "its blocks take too long");
    ck_assert(level_has(&e, 1, "longer than the simulated device allows"));
    ck_assert(!level_has(&e, 2, "not know an instruction") && level_has(&e, 2, "few blocks"));
    ck_assert(!level_has(&e, 3, "ordinary loads") && level_has(&e, 3, "from the size"));
    e.said = "tcgen05.mma is not simulated";
    ck_assert(level_has(&e, 2, "not know an instruction"));
}
END_TEST

/* Lesson 6 counts the kernels of all calls of a mix, which are a library's. */
START_TEST(kernels_of_a_library_have_no_launch_that_is_refused)
{
    struct judge_evidence e = evidence_of(VERDICT_LAUNCH_ERROR, "invalid argument");
    ck_assert(!lesson_has("6", &e, 1, "threads") &&
              lesson_has("6", &e, 2, "library refused a product"));
    ck_assert(lesson_has("2", &e, 1, "threads"));
    e.verdict = VERDICT_SLOW;
    e.refused = JUDGE_LAUNCHES;
    e.counter[JUDGE_LAUNCHES] = 146;
    ck_assert(!lesson_has("6", &e, 1, "A call launches 146") &&
              lesson_has("6", &e, 1, "counted launch 146"));
    ck_assert(!lesson_has("6", &e, 3, "struct plan")); /* it is asked once: plans are kept */
    e.refused = JUDGE_QUERIES;
    ck_assert(lesson_has("6", &e, 3, "struct plan"));
}
END_TEST

/* Every lesson's rows: words of the hint, in its order. */
START_TEST(parts_of_hints_are_words_of_theirs)
{
    for (char lesson[] = "0"; *lesson < '7'; ++*lesson) {
        const struct judge *judge = judge_named(lesson);
        const char *after = NULL;
        for (size_t i = 0; i < judge->asked_count; i++) {
            const struct judge_asked *asked = &judge->asked[i];
            bool goes_on = i > 0 && asked[-1].level == asked->level;
            after = strstr(goes_on ? after : judge->hints[asked->level - 1], asked->from);
            ck_assert_msg(after != NULL, "lesson %s: %s", lesson, asked->from);
        }
    }
}
END_TEST

TESTS("levels", each_verdict_has_three_levels_that_differ, a_hint_is_at_most_six_lines,
      a_fault_of_the_last_block_may_be_a_missing_guard,
      a_large_case_is_past_an_int_only_if_it_has_so_many_bytes,
      an_index_off_in_aligned_buffers_is_not_the_pointer, a_race_is_told_by_the_order_of_its_lines,
      a_missing_end_is_blocks_only_where_a_block_begins,
      where_threads_wrote_several_elements_none_is_said_to_have_one,
      values_tell_what_is_wrong_with_them, bytes_that_are_loaded_are_told_as_loaded,
      the_signal_tells_what_ended_the_process, a_launcher_at_work_is_no_kernel_that_does_not_end,
      what_is_close_is_no_question_of_threads, not_every_race_is_a_barrier_that_is_missing,
      an_invalid_value_is_no_wrong_shape, a_library_has_no_line_of_yours,
      a_hint_speaks_of_the_launcher_that_failed, what_is_done_is_not_asked_for,
      where_another_case_is_slow_hints_on_the_timed_one_are_left_out,
      a_mistake_after_an_error_is_named_at_the_last_level, a_judge_has_sentences_of_its_own,
      a_launch_that_has_come_far_has_loops_that_end,
      instructions_with_lanes_off_are_no_work_for_nothing,
      a_part_of_a_sum_may_be_missing_where_all_is_wrong,
      blocks_that_take_too_long_use_no_unknown_instruction,
      kernels_of_a_library_have_no_launch_that_is_refused, parts_of_hints_are_words_of_theirs,
      a_start_that_is_missing_is_not_in_between, a_call_over_spoilt_outputs_had_no_other_inputs,
      a_step_is_that_of_the_accesses_that_are_refused,
      a_line_that_uses_little_of_its_sectors_is_not_off_by_one,
      a_question_to_a_library_is_no_second_launch)
