/* check_coverage.c - a gap is claimed where blocks drawn by chance leave one, and nowhere else. */
#include "check/examine/coverage.h"

#include "tests/check_main.h"

#include <string.h>

enum { MOST = 64, ELEMENT = 4 };
static struct simgpu_stretch stretches[MOST];
static struct simgpu_launch launch;
static struct simgpu_report report = {.launches = &launch, .launch_count = 1};
static struct coverage_output output;
static uint64_t element;
static char text[160];

/* MOST blocks of as many, spread evenly; each writes width elements where place says. */
static void run(uint64_t blocks, uint64_t width, uint64_t (*place)(uint64_t block, uint64_t width))
{
    launch = (struct simgpu_launch){.grid = {(uint32_t)blocks, 1, 1},
                                    .blocks = blocks,
                                    .blocks_run = MOST,
                                    .blocks_drawn = MOST,
                                    .stretches = stretches,
                                    .stretch_count = MOST};
    for (uint64_t i = 0; i < MOST; i++) {
        uint64_t block = i * (blocks - 1) / (MOST - 1), low = place(block, width) * ELEMENT;
        stretches[i] = (struct simgpu_stretch){.block = block,
                                               .address = 4096,
                                               .low = low,
                                               .high = low + width * ELEMENT,
                                               .bytes = width * ELEMENT,
                                               .drawn = true,
                                               .weight = (double)blocks / MOST};
    }
}

static void write_to(uint64_t count)
{
    output = (struct coverage_output){.address = 4096, .count = count, .element_bytes = ELEMENT};
}

static bool gap(void)
{
    return coverage_of(&report, &output, &element, text, sizeof text) == COVERAGE_GAP;
}

static uint64_t in_line(uint64_t block, uint64_t width)
{
    return block * width;
}

static uint64_t begins_again(uint64_t block, uint64_t width)
{
    return (uint32_t)(block * width);
}

static const uint64_t LARGE = 3 * (UINT64_C(1) << 31);

static uint64_t from_the_end(uint64_t block, uint64_t width)
{
    return LARGE - (block + 1) * width;
}

static uint64_t by_turns(uint64_t block, uint64_t width)
{
    uint64_t blocks = LARGE / width;
    return (block % 2 ? blocks / 2 + block / 2 : block / 2) * width;
}

START_TEST(designs_that_cover_everything_have_no_gap)
{
    uint64_t (*const places[])(uint64_t, uint64_t) = {in_line, from_the_end, by_turns};
    write_to(LARGE);
    output.by_chance = true;
    run(LARGE / 256, 256, places[_i]);
    ck_assert_msg(!gap(), "%s", text);
}
END_TEST

START_TEST(a_grid_stride_loop_has_no_gap)
{
    write_to(LARGE);
    run(1056, LARGE / 1056 + 1, in_line);
    for (uint64_t i = 0; i < MOST; i++) {
        stretches[i].low = stretches[i].block * 256 * ELEMENT;
        stretches[i].high = LARGE * ELEMENT - (1056 - stretches[i].block) * 256 * ELEMENT;
    }
    ck_assert_msg(!gap(), "%s", text);
}
END_TEST

START_TEST(a_capped_grid_writes_too_few)
{
    write_to(LARGE);
    run(65535, 256, in_line);
    ck_assert(gap());
    ck_assert_uint_eq(element, UINT64_C(65535) * 256);
}
END_TEST

START_TEST(an_index_that_begins_again_misses_a_region)
{
    write_to(LARGE);
    run(LARGE / 256, 256, begins_again);
    ck_assert(gap());
    ck_assert_uint_eq(element, UINT64_C(1) << 32);
}
END_TEST

/* Of what lies past 2^32 chance would have missed so little. */
START_TEST(where_each_block_has_its_piece_one_that_writes_anothers_is_told)
{
    const uint64_t count = (UINT64_C(1) << 32) + (UINT64_C(1) << 28);
    write_to(count);
    run(count / 256, 256, in_line);
    ck_assert(!gap());
    run(count / 256, 256, begins_again);
    ck_assert(gap());
    ck_assert_uint_eq(element, UINT64_C(1) << 32);
    run(count / 128, 256, begins_again); /* others may write it */
    ck_assert(!gap());
}
END_TEST

enum { ACROSS = 4096, WIDTH = 256 };

/* A grid of two axes, a little longer than it need be; rows begin so many blocks apart. */
static uint64_t rows_apart;

static uint64_t in_rows(uint64_t block, uint64_t width)
{
    return (block / ACROSS * rows_apart + block % ACROSS) * width;
}

static bool rows_have_gap(uint64_t count, uint64_t apart)
{
    uint64_t down = (count + ACROSS * WIDTH - 1) / (ACROSS * WIDTH);
    write_to(count);
    rows_apart = apart;
    run(down * ACROSS, WIDTH, in_rows);
    launch.grid[0] = ACROSS;
    launch.grid[1] = (uint32_t)down;
    for (size_t i = 0; i < MOST; i++) { /* not the last row's, some of which have nothing to do */
        stretches[i].block = i * (launch.blocks - ACROSS) / MOST;
        stretches[i].low = in_rows(stretches[i].block, WIDTH) * ELEMENT;
        stretches[i].high = stretches[i].low + WIDTH * ELEMENT;
    }
    return gap();
}

START_TEST(rows_of_blocks_that_overlap_end_early)
{
    const uint64_t count = LARGE - 7;
    const uint64_t down = LARGE / (ACROSS * WIDTH);
    ck_assert_msg(!rows_have_gap(count, ACROSS), "%s", text);
    ck_assert(rows_have_gap(count, ACROSS - 1));
    ck_assert_uint_eq(element, WIDTH * ((down - 1) * (ACROSS - 1) + ACROSS));
    ck_assert(rows_have_gap(count, ACROSS + 1));
    ck_assert_uint_eq(element, WIDTH * ACROSS);
    ck_assert(rows_have_gap(count, down)); /* of the grid's other axis */
}
END_TEST

/* A block that writes its own piece and the rest of the last one, too, is in no row. */
START_TEST(the_rest_of_the_last_piece_belongs_to_a_block_that_ran)
{
    struct simgpu_stretch *last = &stretches[MOST - 1];
    write_to(LARGE - 249); /* seven elements in the last of 256 */
    run(LARGE / 256, 256, in_line);
    last->high = last->low + 7 * ELEMENT;
    last->bytes = 7 * ELEMENT;
    ck_assert_msg(!gap(), "%s", text);
    last->high = last->low + 4 * ELEMENT;
    last->bytes = 4 * ELEMENT;
    ck_assert(gap());
    ck_assert_uint_eq(element, LARGE - 249 - 3);
    stretches[0].high = LARGE * ELEMENT;
    stretches[0].bytes += 3 * ELEMENT;
    ck_assert_msg(!gap(), "%s", text);
}
END_TEST

/* Shorter than an int's range, and each block writes as much as there is to write for one. */
static const uint64_t SHORT = UINT64_C(1) << 28;

static uint64_t number_of_16_bits(uint64_t block, uint64_t width)
{
    return (block * UINT64_C(0x9E3779B97F4A7C15) >> 48) * width;
}

START_TEST(a_part_that_chance_would_not_miss_is_a_gap)
{
    write_to(SHORT);
    run(SHORT / 256, 256, number_of_16_bits);
    ck_assert(!gap());
    output.by_chance = true;
    ck_assert(gap());
    ck_assert_uint_ge(element, UINT64_C(63) << 18);
    for (size_t i = 0; i < MOST; i++) /* those of one part are chosen much more often */
        stretches[i].weight = i ? 1 : (double)launch.blocks - MOST;
    ck_assert_msg(!gap(), "%s", text);
    run(SHORT / 256, 256, number_of_16_bits);
    stretches[0].bytes *= 16; /* others of that kind may write what is missing */
    stretches[0].high += stretches[0].bytes;
    ck_assert_msg(!gap(), "%s", text);
}
END_TEST

START_TEST(a_rounded_number_of_blocks_ends_early)
{
    write_to(LARGE + 1);
    run(LARGE / 256, 256, in_line);
    ck_assert(gap());
    ck_assert_uint_eq(element, LARGE);
}
END_TEST

START_TEST(a_few_blocks_prove_nothing)
{
    write_to(LARGE);
    run(65535, 256, in_line);
    launch.blocks_drawn = 3;
    for (size_t i = 3; i < MOST; i++)
        stretches[i].drawn = false;
    ck_assert(!gap());
    ck_assert_int_eq(coverage_of(&report, &output, &element, text, sizeof text), COVERAGE_UNKNOWN);
    write_to(65535 * 256);
    ck_assert_int_eq(coverage_of(&report, &output, &element, text, sizeof text), COVERAGE_NO_GAP);
    for (size_t i = 0; i < MOST; i += 4) /* at an edge, half a tile */
        stretches[i].bytes /= 2;
    ck_assert_int_eq(coverage_of(&report, &output, &element, text, sizeof text), COVERAGE_NO_GAP);
}
END_TEST

/* 1056 blocks walk over the output, 31 turns each and a few of them 32: those did not run. */
START_TEST(of_a_few_blocks_none_may_have_the_turn_more)
{
    enum { BLOCKS = 1056, TURN = 512, TURNS = 31 };
    write_to((uint64_t)BLOCKS * TURN * TURNS + 32 * TURN);
    run(BLOCKS, TURN * TURNS, in_line);
    launch.blocks_drawn = 3;
    for (size_t i = 3; i < MOST; i++)
        stretches[i].drawn = false;
    ck_assert_int_eq(coverage_of(&report, &output, &element, text, sizeof text), COVERAGE_NO_GAP);
    write_to((uint64_t)BLOCKS * TURN * TURNS * 5 / 4);
    ck_assert_int_eq(coverage_of(&report, &output, &element, text, sizeof text), COVERAGE_UNKNOWN);
}
END_TEST

START_TEST(stores_that_cannot_be_followed_prove_nothing)
{
    write_to(LARGE);
    run(LARGE / 256, 256, in_line);
    launch.stretches_lost = true;
    ck_assert_int_eq(coverage_of(&report, &output, &element, text, sizeof text), COVERAGE_UNKNOWN);
}
END_TEST

/* Every second block of those that run writes nothing: half of the stretches, of that weight. */
/* Blocks take three turns or four, and most of the weight lies on one that takes three. */
START_TEST(one_heavy_block_proves_nothing)
{
    write_to(LARGE);
    run(LARGE / 1024, 1024, in_line);
    for (uint64_t i = 0; i < MOST; i++)
        stretches[i].weight = i ? 1 : (double)launch.blocks - MOST;
    stretches[0].bytes -= stretches[0].bytes / 4;
    stretches[0].high -= (stretches[0].high - stretches[0].low) / 4;
    launch.blocks += launch.blocks / 8;
    ck_assert_msg(!gap(), "%s", text);
}
END_TEST

START_TEST(idle_blocks_leave_gaps)
{
    write_to(LARGE);
    run(LARGE / 256, 256, in_line);
    launch.stretch_count = MOST / 2;
    ck_assert(gap());
    run(2 * LARGE / 256, 256, in_line); /* twice as many blocks as there is work for */
    launch.stretch_count = MOST / 2;
    ck_assert(!gap());
}
END_TEST

/* The grid has two rows of blocks, and of the second a third has work: of a few that are drawn none
 * may have. Of many some have. */
START_TEST(a_few_idle_blocks_of_a_row_prove_nothing)
{
    enum { FEW = 4, MANY = 60 };
    write_to(LARGE * 4 / 3);
    run(LARGE / 256, 256, in_line);
    launch.blocks *= 2;
    launch.grid[1] = 2;
    launch.blocks_run = launch.blocks_drawn = MOST + FEW;
    ck_assert_msg(!gap(), "%s", text);
    launch.blocks_run = launch.blocks_drawn = MOST + MANY;
    ck_assert(gap());
}
END_TEST

/* Of two planes of a grid one writes this output. More blocks were drawn of the other. */
START_TEST(a_plane_that_has_another_output_is_not_idle)
{
    enum { WRITERS = 8, IDLE = 56 };
    write_to(LARGE);
    run(2 * LARGE / 256, 256, in_line);
    launch.stretch_count = WRITERS;
    launch.blocks_run = launch.blocks_drawn = WRITERS + IDLE;
    for (size_t i = 0; i < WRITERS; i++)
        stretches[i].weight = (double)launch.blocks / 2 / WRITERS;
    ck_assert_msg(!gap(), "%s", text);
    for (size_t i = 0; i < WRITERS; i++) /* all are of one plane */
        stretches[i].weight = (double)launch.blocks / (WRITERS + IDLE);
    ck_assert(gap());
}
END_TEST

/* Of long blocks: so many of those that ran wrote, and as many more began as left. */
static bool few_leave_gap(uint64_t blocks, size_t wrote, uint64_t ran, uint64_t left)
{
    run(blocks, 256, in_line);
    launch.stretch_count = wrote;
    launch.blocks_run = launch.blocks_drawn = ran;
    launch.blocks_left = left;
    for (size_t i = 0; i < wrote; i++)
        stretches[i].weight = (double)blocks / (double)wrote;
    return gap();
}

START_TEST(a_long_block_that_does_nothing_leaves_a_gap)
{
    write_to(LARGE);
    ck_assert(!few_leave_gap(LARGE / 256, 8, 8, 56));
    ck_assert(few_leave_gap(LARGE / 256, 8, 9, 55));
    ck_assert(!few_leave_gap(2 * LARGE / 256, 8, 32, 24)); /* idle ones that nobody needs */
    ck_assert(few_leave_gap(LARGE / 250, 8, 40, 24));
    few_leave_gap(LARGE / 256, 8, 9, 55);
    stretches[0].bytes *= 2; /* stored twice, written once */
    ck_assert(gap());
}
END_TEST

START_TEST(where_all_blocks_ran_the_untouched_is_unwritten)
{
    const struct simgpu_touched touched[] = {{0, 4096}};
    write_to(LARGE);
    launch = (struct simgpu_launch){.blocks = 1, .blocks_run = 1};
    output.touched = touched;
    output.touched_count = 1;
    ck_assert(gap());
    ck_assert_uint_eq(element, 1024);
    output.is_input = true;
    ck_assert(!gap());
}
END_TEST

/* The second launch does what lies past the first one's end. */
START_TEST(two_launches_may_share_an_output)
{
    static struct simgpu_stretch second[MOST];
    struct simgpu_launch both[2];
    struct simgpu_report two = {.launches = both, .launch_count = 2};
    write_to(LARGE);
    run(LARGE / 512, 256, in_line);
    ck_assert(gap());
    both[0] = both[1] = launch;
    memcpy(second, stretches, sizeof second);
    for (size_t i = 0; i < MOST; i++) {
        second[i].low += LARGE / 2 * ELEMENT;
        second[i].high += LARGE / 2 * ELEMENT;
    }
    both[1].stretches = second;
    ck_assert_int_eq(coverage_of(&two, &output, &element, text, sizeof text), COVERAGE_NO_GAP);
}
END_TEST

/* Most leave out a fifth of their part, some do not. */
START_TEST(blocks_that_leave_out_a_fifth_are_told)
{
    write_to(1 << 26);
    run((1 << 26) / 256, 256, in_line);
    for (size_t i = 0; i < MOST; i++)
        if (i % 10)
            stretches[i].bytes = 204 * ELEMENT;
    ck_assert(gap());
    for (size_t i = 0; i < MOST; i++) /* a turn more or less is no gap */
        stretches[i].bytes = (i % 8 ? 256 : 224) * ELEMENT;
    ck_assert_msg(!gap(), "%s", text);
}
END_TEST

/* Pieces of their own side by side, as blocks of one kind; but the last few of those that ran write
 * what the first ones do. */
static void run_twins(uint64_t blocks, size_t twins)
{
    run(blocks, 256, in_line);
    for (size_t i = 0; i < MOST; i++) {
        size_t place = i < MOST - twins ? i : i - (MOST - twins);
        stretches[i].low = stretches[place].low;
        stretches[i].high = stretches[place].high;
        stretches[i].print = 1 + place;
        stretches[i].kind = 1;
        stretches[i].kind_blocks = blocks;
    }
}

/* With block after block in an order that no other case knows. */
START_TEST(blocks_that_write_the_same_leave_a_gap)
{
    const uint64_t count = 1 << 26;
    write_to(count);
    output.is_timed = _i;
    run_twins(count / 256, 0);
    ck_assert_msg(!gap(), "%s", text);
    run_twins(count / 256, 1);
    ck_assert(gap());
    ck_assert_uint_eq(element, count);
    run_twins(count / 256 + 1, 1); /* a block more than it takes */
    ck_assert_msg(!gap(), "%s", text);
    run_twins(count / 256, 1);
    stretches[MOST - 1].print = 0; /* the same ends, and other places between */
    ck_assert_msg(!gap(), "%s", text);
}
END_TEST

/* Many more were followed than ran. */
START_TEST(how_many_write_the_same_is_known_by_those_followed)
{
    const uint64_t count = 1 << 26;
    write_to(count);
    output.is_timed = true;
    run_twins(count / 256 * 105 / 100, 1);
    ck_assert_msg(!gap(), "%s", text);
    launch.twins_drawn = 2048;
    launch.twins_found = 409; /* a fifth, of which at most a half is needed */
    ck_assert(gap());
    run_twins(count / 256 * 112 / 100, 1);
    launch.twins_drawn = 2048;
    launch.twins_found = 409;
    ck_assert_msg(!gap(), "%s", text);
    run_twins(count / 256, 0);
    launch.twins_drawn = 2048;
    launch.twins_found = 409; /* as it seems: none that ran was one */
    ck_assert_msg(!gap(), "%s", text);
}
END_TEST

START_TEST(how_many_write_nothing_is_known_by_those_followed)
{
    const uint64_t count = 1 << 26;
    write_to(count);
    run_twins(count / 256, 0);
    launch.twins_drawn = 2048;
    launch.twins_idle = 60;
    ck_assert(gap());
    run_twins(count / 256 * 106 / 100, 0); /* more than it takes */
    launch.twins_drawn = 2048;
    launch.twins_idle = 60;
    ck_assert_msg(!gap(), "%s", text);
}
END_TEST

/* One block of 256 does the work of all, and of the 2048 followed two are such: eight were to be
 * expected, and two are no rarity. Where each does only the work of 16, they cannot write all. */
START_TEST(a_few_that_work_for_all_may_be_drawn_less_often_than_expected)
{
    const uint64_t count = 1 << 26, work_of[] = {256, 16};
    for (int i = 0; i < 2; i++) {
        write_to(count);
        output.is_timed = true;
        run_twins(count / 256, 0);
        launch.stretch_count = 1;
        stretches[0].bytes = work_of[i] * 256 * ELEMENT;
        stretches[0].high = stretches[0].low + stretches[0].bytes;
        launch.twins_drawn = 2048;
        launch.twins_idle = 2046;
        ck_assert_int_eq(gap(), work_of[i] == 16);
    }
}
END_TEST

/* What another launch, a copy or a set writes is not known. */
START_TEST(where_something_else_writes_twice_proves_nothing)
{
    const uint64_t count = 1 << 26;
    write_to(count);
    output.is_timed = true;
    run_twins(count / 256, 4);
    ck_assert(gap());
    report.calls.sets = 1;
    ck_assert(!gap());
    report.calls.sets = 0;
}
END_TEST

/* Of all blocks, followed without their data: from low to high but for some. */
static bool followed(uint64_t low, uint64_t high, uint64_t holes, uint64_t first)
{
    static struct simgpu_written written;
    write_to(1 << 26);
    output.offset = 16;
    run((1 << 26) / 256, 256, in_line);
    for (size_t i = 0; i < MOST; i++) {
        stretches[i].low += output.offset;
        stretches[i].high += output.offset;
    }
    written = (struct simgpu_written){4096, low, high, holes, first};
    launch.written = &written;
    launch.written_count = 1;
    return gap();
}

START_TEST(what_no_block_stores_is_a_gap)
{
    const uint64_t end = 16 + ELEMENT * (UINT64_C(1) << 26);
    ck_assert_msg(!followed(16, end, 0, end), "%s", text);
    ck_assert(followed(16, end, 1024, 16 + 4000));
    ck_assert_uint_eq(element, 1000);
    ck_assert(followed(20, end, 0, end));
    ck_assert_uint_eq(element, 0);
    ck_assert(followed(16, end - 8, 0, end - 8));
    ck_assert_uint_eq(element, (1 << 26) - 2);
}
END_TEST

/* What few tiles they have stored says nothing then. */
START_TEST(where_blocks_were_cut_off_only_the_ledger_counts)
{
    const uint64_t end = 16 + ELEMENT * (UINT64_C(1) << 26);
    ck_assert(!followed(16, end, 0, end));
    launch.blocks_cut = MOST;
    for (size_t i = 0; i < MOST; i++)
        stretches[i].bytes /= 8;
    ck_assert_msg(!gap(), "%s", text);
    launch.written->holes = end * 5 / 8;
    launch.written->first_hole = 16 + 4000;
    ck_assert(gap());
    ck_assert_uint_eq(element, 1000);
    launch.written_count = 0;
    ck_assert_int_eq(coverage_of(&report, &output, &element, text, sizeof text), COVERAGE_UNKNOWN);
}
END_TEST

START_TEST(where_data_say_where_to_store_no_block_was_followed)
{
    const uint64_t end = 16 + ELEMENT * (UINT64_C(1) << 26);
    ck_assert_msg(!followed(16, end, end * 5 / 8, 32), "%s", text);
    output.is_input = true;
    launch.written->holes = 1024;
    ck_assert_msg(!gap(), "%s", text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coverage");
    TCase *tests = tcase_create("coverage");
    tcase_add_loop_test(tests, designs_that_cover_everything_have_no_gap, 0, 3);
    tcase_add_test(tests, a_grid_stride_loop_has_no_gap);
    tcase_add_test(tests, a_capped_grid_writes_too_few);
    tcase_add_test(tests, an_index_that_begins_again_misses_a_region);
    tcase_add_test(tests, where_each_block_has_its_piece_one_that_writes_anothers_is_told);
    tcase_add_test(tests, rows_of_blocks_that_overlap_end_early);
    tcase_add_test(tests, the_rest_of_the_last_piece_belongs_to_a_block_that_ran);
    tcase_add_test(tests, a_part_that_chance_would_not_miss_is_a_gap);
    tcase_add_test(tests, a_rounded_number_of_blocks_ends_early);
    tcase_add_test(tests, a_few_blocks_prove_nothing);
    tcase_add_test(tests, of_a_few_blocks_none_may_have_the_turn_more);
    tcase_add_test(tests, stores_that_cannot_be_followed_prove_nothing);
    tcase_add_test(tests, one_heavy_block_proves_nothing);
    tcase_add_test(tests, idle_blocks_leave_gaps);
    tcase_add_test(tests, a_few_idle_blocks_of_a_row_prove_nothing);
    tcase_add_test(tests, a_plane_that_has_another_output_is_not_idle);
    tcase_add_test(tests, a_long_block_that_does_nothing_leaves_a_gap);
    tcase_add_test(tests, where_all_blocks_ran_the_untouched_is_unwritten);
    tcase_add_test(tests, two_launches_may_share_an_output);
    tcase_add_test(tests, blocks_that_leave_out_a_fifth_are_told);
    tcase_add_test(tests, what_no_block_stores_is_a_gap);
    tcase_add_test(tests, where_blocks_were_cut_off_only_the_ledger_counts);
    tcase_add_test(tests, where_data_say_where_to_store_no_block_was_followed);
    tcase_add_loop_test(tests, blocks_that_write_the_same_leave_a_gap, 0, 2);
    tcase_add_test(tests, how_many_write_the_same_is_known_by_those_followed);
    tcase_add_test(tests, how_many_write_nothing_is_known_by_those_followed);
    tcase_add_test(tests, a_few_that_work_for_all_may_be_drawn_less_often_than_expected);
    tcase_add_test(tests, where_something_else_writes_twice_proves_nothing);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
