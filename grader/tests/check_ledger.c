/* check_ledger.c - which line a warp's cycles are charged to (timing/ledger.c). */
#include "timing/ledger.h"

#include "tests/check_main.h"

#include <check.h>

/* Two ops, each run as often as it was replayed. The first one's warps wait for a turn, since the
 * second one issues nearly always. */
START_TEST(a_wait_for_a_turn_belongs_to_what_is_issued_meanwhile)
{
    struct op_cycles cycles[] = {
        {.executions = 1, .waits = {[SIM_WAIT_ISSUE] = 1, [SIM_WAIT_TURN] = 90}},
        {.executions = 1, .waits = {[SIM_WAIT_ISSUE] = 9}}};
    struct sim_op_counters ops[] = {{.id = 0, .executions = 1}, {.id = 1, .executions = 1}};
    static struct launch launch;
    launch.ops = ops;
    launch.result.op_count = 2;
    ledger_close(cycles, &launch, 100);
    ck_assert_double_eq_tol(ops[0].modelled_ns[SIM_WAIT_TURN], 9, 1e-9);
    ck_assert_double_eq_tol(ops[1].modelled_ns[SIM_WAIT_TURN], 81, 1e-9);
    ck_assert_double_eq_tol(ops[0].modelled_ns[SIM_WAIT_ISSUE], 1, 1e-9);
}
END_TEST

TESTS("ledger", a_wait_for_a_turn_belongs_to_what_is_issued_meanwhile)
