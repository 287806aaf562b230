/* check_deal.c - each block has one turn, and chance exchanges only blocks that are on the device
 * at the same time. */
#include "simgpu/machine/run/deal.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = 400 };

START_TEST(every_block_has_one_turn_and_meets_those_before_its_own_on_the_device)
{
    for (uint64_t seed = 1; seed < 20; seed++)
        for (uint64_t count = 1; count <= MOST; count += count < 40 ? 1 : 37)
            for (uint64_t together = 2; together <= MOST; together += together < 8 ? 1 : 61) {
                bool dealt[MOST] = {false};
                for (uint64_t turn = 0; turn < count; turn++) {
                    uint64_t block = deal_turn(seed, turn, count, together);
                    ck_assert_uint_lt(block, count);
                    ck_assert(!dealt[block]);
                    ck_assert_uint_eq(block / together, turn / together);
                    dealt[block] = true;
                }
            }
}
END_TEST

/* A sum in order of arrival differs only if the order does. */
START_TEST(blocks_that_are_together_are_never_in_order)
{
    for (uint64_t seed = 1; seed < 200; seed++)
        for (uint64_t count = 2; count <= 64; count++) {
            uint64_t neighbours = 0;
            for (uint64_t turn = 0; turn + 1 < count; turn++)
                neighbours += deal_turn(seed, turn + 1, count, count) ==
                              deal_turn(seed, turn, count, count) + 1;
            ck_assert_uint_eq(neighbours, 0);
        }
}
END_TEST

TESTS("deal", every_block_has_one_turn_and_meets_those_before_its_own_on_the_device,
      blocks_that_are_together_are_never_in_order)
