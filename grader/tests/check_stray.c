/* check_stray.c - a store that lands in an input by an index is told from one that is meant. */
#include "check/examine/stray.h"

#include "tests/check_main.h"

#include <string.h>

enum { BLOCKS = 40, IN = 4096, OUT = 8192 };
static struct simgpu_stretch stretches[2 * BLOCKS];
static struct simgpu_line lines[3];
static struct simgpu_launch launch = {.stretches = stretches, .lines = lines, .line_count = 3};
static const struct simgpu_report REPORT = {.launches = &launch, .launch_count = 1};

static void store(uint64_t block, uint64_t address)
{
    stretches[launch.stretch_count++] =
        (struct simgpu_stretch){.block = block, .address = address, .bytes = 128};
}

/* Blocks before first_stray store to the output, the others to the input instead. */
static bool is_stray(uint64_t first_stray, struct stray *stray)
{
    launch.stretch_count = 0;
    for (uint64_t block = 0; block < BLOCKS; block++)
        store(block, block < first_stray ? OUT : IN);
    return stray_store(&REPORT, IN, stray);
}

START_TEST(some_blocks_that_store_there_and_others_that_do_not_have_an_index_gone_astray)
{
    struct stray stray;
    ck_assert(is_stray(25, &stray));
    ck_assert_uint_eq(stray.block, 25);
    ck_assert_uint_eq(stray.stray, BLOCKS - 25);
    ck_assert_uint_eq(stray.all, BLOCKS);
    ck_assert(is_stray(BLOCKS - 1, &stray));
    ck_assert(!is_stray(BLOCKS, &stray));
}
END_TEST

START_TEST(who_writes_to_an_input_in_every_block_means_to)
{
    struct stray stray;
    ck_assert(!is_stray(0, &stray));
    launch.stretch_count = 0;
    for (uint64_t block = 0; block < BLOCKS; block++) {
        store(block, IN);
        store(block, OUT);
    }
    ck_assert(!stray_store(&REPORT, IN, &stray));
}
END_TEST

START_TEST(a_line_is_named_where_it_is_the_only_one_that_stores)
{
    struct stray stray;
    struct finding finding = {.verdict = VERDICT_PASS};
    memset(lines, 0, sizeof lines);
    for (unsigned i = 0; i < 3; i++)
        lines[i].place = (struct simgpu_place){.file = "some/kernel.cu", .line = 10 + i};
    lines[1].global_store.requests = 1;
    ck_assert(is_stray(25, &stray));
    ck_assert(!stray_say(&stray, "n = 2^32", "x", &finding));
    ck_assert_int_eq(finding.verdict, VERDICT_OUT_OF_BOUNDS);
    ck_assert_str_eq(finding.file, "kernel.cu");
    ck_assert_uint_eq(finding.line, 11);
    lines[2].global_store.requests = 1;
    ck_assert(is_stray(25, &stray));
    ck_assert_uint_eq(stray.place.line, 0);
}
END_TEST

TESTS("stray", some_blocks_that_store_there_and_others_that_do_not_have_an_index_gone_astray,
      who_writes_to_an_input_in_every_block_means_to,
      a_line_is_named_where_it_is_the_only_one_that_stores)
