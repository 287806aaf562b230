/* check_facts.c - what a mistake's claims rest on is counted, not guessed from averages. */
#include "check/examine/facts.h"

#include "tests/check_main.h"

#include <math.h>

static struct judge_line line_facts(const struct simgpu_line *line)
{
    struct judge_line facts;
    json_t *object = facts_of_line(line);
    facts_read_line(object, &facts);
    json_decref(object);
    return facts;
}

/* A float4 where half of the lanes have one, in a line that all lanes come to: and the other way
 * round, single floats of all lanes among instructions of a few. */
START_TEST(a_width_is_that_of_the_lanes_that_load)
{
    const struct simgpu_line wide = {
        .warp_instructions = 40,
        .lanes_on = 32 * 40,
        .global_load = {.requests = 10, .lanes = 160, .bytes = 16 * 160}};
    const struct simgpu_line narrow = {
        .warp_instructions = 40,
        .lanes_on = 8 * 40,
        .global_load = {.requests = 10, .lanes = 320, .bytes = 4 * 320}};
    ck_assert_double_eq(line_facts(&wide).load_width, 16);
    ck_assert_double_eq(line_facts(&narrow).load_width, 4);
    ck_assert(!isfinite(line_facts(&wide).store_width));
}
END_TEST

TESTS("facts", a_width_is_that_of_the_lanes_that_load)
