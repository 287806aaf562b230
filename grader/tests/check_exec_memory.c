/* check_exec_memory.c - loads and stores of every width, alone and as vectors, side by side and
 * apart, by all lanes and by some: many of them have fast paths of their own. */
#include "bench_machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static struct bench bench;

static void open_bench(void)
{
    bench_open(&bench);
}

static void close_bench(void)
{
    bench_close(&bench);
}

enum { LANES = 32, MOST_BYTES = 2 * 16 * LANES, FROM_BEFORE = 7 };

static const struct type {
    const char *name;
    unsigned bytes;
    bool is_signed;
} TYPES[] = {{"u8", 1, false},  {"s8", 1, true},  {"u16", 2, false}, {"s16", 2, true},
             {"u32", 4, false}, {"s32", 4, true}, {"f32", 4, false}, {"u64", 8, false}};

struct way {
    const struct type *type;
    unsigned count, register_bytes;
    const char *space, *order;
    unsigned stride;   /* bytes from lane to lane */
    bool every_second; /* only the even lanes */
};

static const char *register_name(unsigned bytes)
{
    return bytes == 2 ? "%h" : bytes == 4 ? "%r" : "%rd";
}

/* "{%r20, %r21}" */
static void write_registers(const struct way *way, char *text, size_t size)
{
    const char *name = register_name(way->register_bytes);
    if (way->count == 1)
        snprintf(text, size, "%s20", name);
    else if (way->count == 2)
        snprintf(text, size, "{%s20, %s21}", name, name);
    else
        snprintf(text, size, "{%s20, %s21, %s22, %s23}", name, name, name, name);
}

/* p0 to memory at p1 or in shared memory, back, and to p2: the registers, 8 bytes each. */
static void write_body(const struct way *way, char *text, size_t size)
{
    char registers[64], kind[40];
    const char *name = register_name(way->register_bytes), *guard = way->every_second ? "@%p1" : "";
    write_registers(way, registers, sizeof registers);
    snprintf(kind, sizeof kind, "%s.%s",
             way->count == 1   ? ""
             : way->count == 2 ? ".v2"
                               : ".v4",
             way->type->name);
    bool shared = strcmp(way->space, "shared") == 0;
    size_t used = (size_t)snprintf(
        text, size,
        ".shared .align 16 .b8 words[1024]; mov.u32 %%r1, %%tid.x; and.b32 %%r2, %%r1, 1;\n"
        "setp.eq.u32 %%p1, %%r2, 0; ld.param.u64 %%rd1, [p0]; ld.param.u64 %%rd2, [p1];\n"
        "ld.param.u64 %%rd3, [p2]; %s mad.wide.u32 %%rd4, %%r1, %u, %%rd1;\n"
        "mad.wide.u32 %%rd5, %%r1, %u, %%rd2; mad.wide.u32 %%rd6, %%r1, 32, %%rd3;\n"
        "%s ld.global%s %s, [%%rd4]; %s st%s.%s%s [%%rd5], %s;\n",
        shared ? "mov.u64 %rd2, words;" : "", way->stride, way->stride, guard, kind, registers,
        guard, way->order, way->space, kind, registers);
    for (unsigned i = 0; i < way->count; i++)
        used += (size_t)snprintf(text + used, size - used, "mov.b%u %s2%u, %d;\n",
                                 8 * way->register_bytes, name, i, FROM_BEFORE);
    used += (size_t)snprintf(text + used, size - used, "%s ld%s.%s%s %s, [%%rd5];\n", guard,
                             way->order, way->space, kind, registers);
    for (unsigned i = 0; i < way->count; i++)
        used += (size_t)snprintf(text + used, size - used, "st.global.u%u [%%rd6+%u], %s2%u;\n",
                                 8 * way->register_bytes, 8 * i, name, i);
    ck_assert_uint_lt(used, size);
}

static uint64_t widened(const unsigned char *from, const struct type *type, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, from, type->bytes);
    if (type->is_signed && value >> (8 * type->bytes - 1))
        value |= UINT64_MAX << (8 * type->bytes - 1);
    return bytes == 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

static void check_way(const struct way *way)
{
    char text[2048];
    bench.parameter_count = 0;
    unsigned char *from = bench_buffer(&bench, MOST_BYTES), *to = bench_buffer(&bench, MOST_BYTES);
    uint64_t *registers = bench_buffer(&bench, LANES * 4 * 8);
    unsigned bytes = way->type->bytes;
    for (unsigned i = 0; i < MOST_BYTES; i++)
        from[i] = (unsigned char)(i * 167 + i / 256 + 91);
    write_body(way, text, sizeof text);
    bench_body(&bench, text);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < way->count; i++) {
            bool is_on = !way->every_second || lane % 2 == 0;
            unsigned at = lane * way->stride + i * bytes;
            uint64_t must =
                is_on ? widened(from + at, way->type, way->register_bytes) : FROM_BEFORE;
            ck_assert_msg(registers[lane * 4 + i] == must, "lane %u, element %u of\n%s", lane, i,
                          text);
            uint64_t kept = widened(to + at, way->type, 8);
            if (strcmp(way->space, "global") == 0)
                ck_assert_msg(kept == (is_on ? widened(from + at, way->type, 8) : 0),
                              "memory of lane %u, element %u of\n%s", lane, i, text);
        }
}

/* _i: the type. */
START_TEST(what_is_stored_is_loaded_again_whichever_way_it_goes)
{
    static const char *const SPACES[] = {"global", "shared"}, *const ORDERS[] = {"", ".volatile"};
    const struct type *type = &TYPES[_i];
    for (unsigned count = 1; count <= 4 && count * type->bytes <= 16; count *= 2)
        for (unsigned bytes = type->bytes < 2 ? 2 : type->bytes; bytes <= 8; bytes *= 2)
            for (unsigned i = 0; i < 16; i++) {
                if (type->name[0] == 'f' && bytes != type->bytes)
                    continue;
                check_way(&(struct way){.type = type,
                                        .count = count,
                                        .register_bytes = bytes,
                                        .space = SPACES[i & 1],
                                        .order = ORDERS[i >> 1 & 1],
                                        .stride = count * type->bytes << (i >> 2 & 1),
                                        .every_second = i >> 3});
            }
}
END_TEST

/* A tile so many words wide, of which rows lie 40 words apart, the later ones before the first. */
static void check_tile(unsigned width)
{
    enum { APART = 40 };
    char text[1024];
    bench.parameter_count = 0;
    uint32_t *from = bench_buffer(&bench, LANES * APART * sizeof *from);
    uint32_t *to = bench_buffer(&bench, LANES * sizeof *to);
    for (uint32_t i = 0; i < LANES * APART; i++)
        from[i] = 7 * i + 3;
    snprintf(text, sizeof text,
             "ld.param.u64 %%rd1, [p0]; ld.param.u64 %%rd2, [p1]; mov.u32 %%r1, %%tid.x;\n"
             "div.u32 %%r2, %%r1, %u; rem.u32 %%r3, %%r1, %u; sub.u32 %%r2, 31, %%r2;\n"
             "mad.lo.u32 %%r3, %%r2, %d, %%r3; mad.wide.u32 %%rd1, %%r3, 4, %%rd1;\n"
             "mad.wide.u32 %%rd2, %%r1, 4, %%rd2;\n"
             "ld.global.u32 %%r4, [%%rd1]; st.global.u32 [%%rd2], %%r4;\n",
             width, width, APART);
    bench_body(&bench, text);
    ck_assert_int_eq(bench_run(&bench, "test"), SIM_FAULT_NONE);
    for (unsigned lane = 0; lane < LANES; lane++)
        ck_assert_uint_eq(to[lane], from[(31 - lane / width) * APART + lane % width]);
}

START_TEST(rows_of_a_tile_come_to_their_lanes)
{
    for (unsigned width = 1; width <= LANES; width *= 2)
        check_tile(width);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exec_memory");
    TCase *tests = tcase_create("exec_memory");
    tcase_add_checked_fixture(tests, open_bench, close_bench);
    tcase_set_timeout(tests, MOST_SECONDS);
    tcase_add_loop_test(tests, what_is_stored_is_loaded_again_whichever_way_it_goes, 0,
                        (int)(sizeof TYPES / sizeof *TYPES));
    tcase_add_test(tests, rows_of_a_tile_come_to_their_lanes);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
