/* check_hierarchy.c - who waits for DRAM when it is written to (timing/hierarchy.c). */
#include "machine.h"
#include "tests/check_main.h"
#include "timing/hierarchy.h"

#include <check.h>

/* What one multiprocessor sees of a memory with round figures. */
static struct hierarchy hierarchy;
static struct asker asker;
static const double ROOM = 1000; /* cycles of DRAM: of that much, L2 keeps what is written */

static void set_up(void)
{
    hierarchy = (struct hierarchy){
        .model = sim_profiles()->model,
        .asker = &asker,
        .l2_bytes_per_cycle = 64,
        .dram_bytes_per_cycle = 16,
        .room = ROOM,
        .dram_share = 1,
        .late = -1,
        .late_again = -1,
        .dram_bytes_read = SECTOR_BYTES,
        .dram_bytes_written = SECTOR_BYTES,
        .l2_latency = 200,
        .dram_latency = 400,
    };
    ck_assert(cache_init(&hierarchy.l1, 64 * 1024));
}

static void tear_down(void)
{
    hierarchy_free(&hierarchy);
}

/* All sectors of a line, another one each time. */
static uint32_t next_line(void)
{
    static uint32_t lines;
    return ++lines << LINE_SECTORS | 0xF;
}

static void store_lines(double now, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t line = next_line();
        hierarchy_access(&hierarchy, now, trace_pack(TRACE_WRITE, 1, 1), 1, &line, false);
    }
}

/* Cycles until a line is there. */
static double time_of_read(double now)
{
    uint32_t line = next_line();
    return hierarchy_access(&hierarchy, now, trace_pack(TRACE_READ, 1, 1), 1, &line, false) - now;
}

/* A line takes DRAM 8 cycles, so these 100 lines take it 800. */
enum { BURST = 100, BURST_CYCLES = 800 };

START_TEST(a_read_passes_a_burst_of_writes_where_dram_is_idle_before)
{
    double alone = time_of_read(0);
    store_lines(100000, BURST);
    ck_assert_double_lt(time_of_read(100000 + BURST), alone + BURST_CYCLES / 2);
}
END_TEST

START_TEST(a_read_waits_its_turn_where_dram_is_never_idle)
{
    double alone = time_of_read(0), now = 0;
    for (; now < 10 * BURST_CYCLES; now += BURST_CYCLES)
        store_lines(now, BURST);
    ck_assert_double_gt(time_of_read(now - BURST_CYCLES / 2), alone + BURST_CYCLES / 4);
}
END_TEST

START_TEST(a_read_waits_for_what_l2_has_no_room_for)
{
    enum { TURNS = 50, BETWEEN = 3 * BURST_CYCLES };
    double alone = time_of_read(0), now = 0;
    for (int i = 0; i < TURNS; i++, now += BETWEEN)
        store_lines(now, BURST);
    ck_assert_double_lt(time_of_read(now), alone + BURST_CYCLES / 4);
    store_lines(now, 10 * BURST);
    ck_assert_double_gt(time_of_read(now), alone + 10 * BURST_CYCLES - 3 * ROOM);
}
END_TEST

TESTS_WITH(set_up, tear_down, "hierarchy",
           a_read_passes_a_burst_of_writes_where_dram_is_idle_before,
           a_read_waits_its_turn_where_dram_is_never_idle, a_read_waits_for_what_l2_has_no_room_for)
