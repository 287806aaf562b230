/* check_memory.c - where the device's memory lies: memory.c, and the windows of access.c. The arena
 * is small, and the device knows it by other addresses than this process. */
#include "machine.h"
#include "tests/check_main.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t ADDRESS = UINT64_C(0x7ec000000000), WINDOWS = UINT64_C(0x7e1500000000);
enum { ARENA_BYTES = 1 << 20, PACK_BYTES = 2 << 20, LARGER_BYTES = 5 * PACK_BYTES, MOST = 64 };

static unsigned char *host;
static uint64_t arena_bytes;
static struct sim_machine *machine;
static struct sim_context *context;
static struct sim_error error;

static bool commit(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    memset(host + (address - ADDRESS), 0, bytes);
    return address >= ADDRESS && address + bytes <= ADDRESS + arena_bytes;
}

static void release(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner, (void)address, (void)bytes;
}

/* What the machine last said that it would fill, and how often it said so. */
static uint64_t will_fill_at, will_fill_times;

static void will_fill(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    ck_assert_uint_eq(bytes, PACK_BYTES);
    will_fill_at = address;
    will_fill_times++;
}

static void open_with(uint64_t bytes)
{
    arena_bytes = bytes;
    host = aligned_alloc(4096, bytes);
    struct sim_arena arena = {.address = ADDRESS,
                              .bytes = bytes,
                              .windows = WINDOWS,
                              .host = host,
                              .commit = commit,
                              .release = release,
                              .will_fill = will_fill};
    machine = sim_machine_new(sim_profile_named("h200"), &arena, &error);
    context = machine ? sim_context_new(machine, &error) : NULL;
    ck_assert_ptr_nonnull(context);
}

static void open_machine(void)
{
    open_with(ARENA_BYTES);
}

static void close_machine(void)
{
    sim_context_free(context);
    sim_machine_free(machine);
    free(host);
}

static uint64_t take(uint64_t bytes)
{
    return sim_allocate(context, bytes, SIM_MEMORY_DEVICE, NULL, &error);
}

START_TEST(rises_and_starts_again)
{
    uint64_t kept = take(100000), before = kept;
    bool fell = false;
    for (int i = 0; i < MOST; i++) {
        uint64_t address = take(100000);
        ck_assert(address >= ADDRESS && address + 100000 <= ADDRESS + ARENA_BYTES);
        ck_assert(address + 100000 <= kept || address >= kept + 100000);
        fell |= address < before;
        before = address;
        ck_assert(sim_free(context, address, &error));
    }
    ck_assert(fell);
}
END_TEST

/* All that is live lies apart, whatever was freed in between. */
START_TEST(uses_what_is_free)
{
    uint64_t at[8] = {0}, bytes[8] = {0};
    for (uint64_t i = 0, random = 1; i < 500; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        unsigned place = random >> 40 & 7;
        if (at[place])
            ck_assert(sim_free(context, at[place], &error));
        bytes[place] = (random >> 20 & 0x7FFF) + 1;
        at[place] = take(bytes[place]);
        ck_assert_uint_ne(at[place], 0);
        for (unsigned other = 0; other < 8; other++)
            ck_assert(other == place || !at[other] || at[place] >= at[other] + bytes[other] ||
                      at[other] >= at[place] + bytes[place]);
    }
}
END_TEST

START_TEST(says_when_it_is_full)
{
    uint64_t large = take(700000);
    ck_assert_uint_ne(large, 0);
    ck_assert_uint_eq(take(700000), 0);
    ck_assert_int_eq(error.code, SIM_OUT_OF_MEMORY);
    ck_assert_uint_ne(take(100000), 0);
    ck_assert(sim_free(context, large, &error));
    ck_assert_uint_ne(take(700000), 0);
}
END_TEST

/* By size, whoever touches it: pinned, managed, and variables that the host sees. */
START_TEST(shares_no_more_with_the_host_than_it_may)
{
    sim_limit_shared(machine, 100000);
    uint64_t pinned = sim_allocate(context, 60000, SIM_MEMORY_HOST, NULL, &error);
    uint64_t variable = sim_allocate(context, 50000, SIM_MEMORY_MODULE, "v", &error);
    ck_assert_uint_ne(pinned, 0);
    ck_assert_uint_eq(sim_allocate(context, 60000, SIM_MEMORY_MANAGED, NULL, &error), 0);
    ck_assert_int_eq(error.code, SIM_OUT_OF_MEMORY);
    ck_assert(!sim_share_with_host(context, variable, &error));
    ck_assert_int_eq(error.code, SIM_OUT_OF_MEMORY);
    ck_assert_uint_ne(take(200000), 0);
    ck_assert(sim_free(context, pinned, &error));
    ck_assert(sim_share_with_host(context, variable, &error));
    ck_assert(sim_share_with_host(context, variable, &error)); /* it is already */
    ck_assert_uint_ne(sim_allocate(context, 50000, SIM_MEMORY_MANAGED, NULL, &error), 0);
    ck_assert_uint_eq(sim_allocate(context, 1, SIM_MEMORY_HOST, NULL, &error), 0);
}
END_TEST

static uint64_t take_packed(uint64_t bytes)
{
    uint64_t address = sim_allocate_packed(context, bytes, NULL, &error);
    ck_assert_uint_ne(address, 0);
    return address;
}

/* Side by side in one large page, and each is what a kernel may touch: no byte more. */
START_TEST(small_ones_lie_side_by_side)
{
    close_machine();
    open_with(LARGER_BYTES);
    uint64_t first = take_packed(1), second = take_packed(513), apart = take(100);
    uint64_t third = take_packed(512);
    struct sim_range range;
    ck_assert_uint_eq(first % PACK_BYTES, 0);
    ck_assert_uint_eq(second - first, 512);
    ck_assert_uint_eq(third - first, 3 * 512);
    ck_assert(apart < first || apart >= first + PACK_BYTES);
    ck_assert(!sim_find(context, first + 1, &range));
    ck_assert(sim_find(context, second + 512, &range));
    ck_assert_uint_eq(range.size_bytes, 513);
    ck_assert_uint_ge(take_packed(PACK_BYTES - 100) - first, PACK_BYTES); /* too large for one */
}
END_TEST

/* A pack goes with the last of what lies in it, and a new one comes when it is full. */
START_TEST(packs_come_and_go)
{
    close_machine();
    open_with(LARGER_BYTES);
    enum { HALF = PACK_BYTES / 2 };
    uint64_t total = sim_memory_free_bytes(machine);
    for (int i = 0; i < MOST; i++) {
        uint64_t one = take_packed(HALF), other = take_packed(HALF);
        ck_assert_uint_eq(other - one, HALF);
        ck_assert(sim_free(context, one, &error));
        ck_assert(!sim_free(context, one, &error));
        unsigned char *bytes = sim_host_pointer(context, other, HALF, true, &error);
        ck_assert_ptr_nonnull(bytes);
        memset(bytes, i, HALF);
        ck_assert(sim_free(context, other, &error));
        ck_assert_uint_ge(total, sim_memory_free_bytes(machine));
        ck_assert_uint_le(total - sim_memory_free_bytes(machine), PACK_BYTES);
    }
    struct sim_context *reader = sim_context_new(machine, &error);
    uint64_t shared = take_packed(64);
    ck_assert(sim_share(reader, context, shared, &error));
    ck_assert(sim_free(context, shared, &error));
    ck_assert_ptr_nonnull(sim_host_pointer(reader, shared, 64, false, &error));
    sim_context_free(context);
    context = reader;
    ck_assert_ptr_nonnull(sim_host_pointer(reader, shared, 64, false, &error));
    ck_assert(sim_free(reader, shared, &error));
    ck_assert_uint_eq(sim_memory_free_bytes(machine), total);
}
END_TEST

/* A byte has one address for the device, and another one here. */
START_TEST(is_found_by_its_own_address)
{
    uint64_t address = take(64);
    unsigned char *bytes = sim_host_pointer(context, address, 64, true, &error);
    ck_assert_ptr_eq(bytes, host + (address - ADDRESS));
}
END_TEST

/* What a kernel is told of the windows, and that they mean what they say. */
START_TEST(windows_lie_where_they_should)
{
    static const char TEXT[] =
        ".version 9.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry test(.param .u64 p0)\n{\n"
        ".shared .align 4 .b8 s[4]; .local .align 4 .b8 l[4];\n"
        ".reg .b64 %a<9>; .reg .b32 %b<4>;\n"
        "ld.param.u64 %a1, [p0]; mov.u64 %a2, s; cvta.shared.u64 %a3, %a2;\n"
        "mov.u64 %a4, l; cvta.local.u64 %a5, %a4;\n"
        "mov.u32 %b1, 7; st.u32 [%a3], %b1; mov.u32 %b0, 8; st.u32 [%a5], %b0;\n"
        "ld.shared.u32 %b2, [s]; ld.local.u32 %b3, [l];\n"
        "st.global.u64 [%a1], %a3; st.global.u64 [%a1+8], %a5;\n"
        "st.u32 [%a1+16], %b2; st.u32 [%a1+20], %b3; ret;\n}\n";
    uint64_t out = take(24), told[3];
    struct sim_launch_config config = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .workers = 1};
    struct module *module = sim_module_load(context, TEXT, sizeof TEXT - 1, &error);
    ck_assert_msg(module != NULL, "%s", error.message);
    struct launch *launch =
        sim_launch_new(context, sim_module_kernel(module, "test"), &config, &out, &error);
    ck_assert_msg(launch != NULL, "%s", error.message);
    sim_launch_work(launch, 0);
    ck_assert_ptr_null(sim_launch_fault(launch));
    memcpy(told, host + (out - ADDRESS), sizeof told);
    ck_assert_uint_eq(told[0], WINDOWS + 1024);
    ck_assert_uint_eq(told[1] >> 20, ((WINDOWS >> 32) + 2) << 12 | 0xF);
    ck_assert_uint_eq(told[2], UINT64_C(8) << 32 | 7);
    sim_launch_free(launch);
}
END_TEST

static void touch(uint64_t address)
{
    ck_assert_ptr_nonnull(sim_host_pointer(context, address, 1, false, &error));
}

/* 64 pages of a stretch were touched: the next one is made as one large page. */
START_TEST(next_to_a_stretch_with_many_pages_comes_a_large_one)
{
    const uint64_t pattern = 7, bytes = LARGER_BYTES - (1 << 20);
    close_machine();
    open_with(LARGER_BYTES);
    uint64_t buffer = take(bytes), first = (buffer / PACK_BYTES + 1) * PACK_BYTES;
    ck_assert(sim_repeat(context, buffer, &pattern, sizeof pattern, 0, false, &error));
    will_fill_times = 0;
    for (int page = 0; page < 63; page++)
        touch(first + 8192 * (uint64_t)page);
    touch(first + PACK_BYTES);
    ck_assert_uint_eq(will_fill_times, 0);
    touch(first + PACK_BYTES - 1);
    touch(first + PACK_BYTES + 8192);
    ck_assert_uint_eq(will_fill_times, 0); /* it has small ones already */
    for (int page = 2; page < 70; page++)
        touch(first + PACK_BYTES + 8192 * (uint64_t)page);
    touch(first + 2 * PACK_BYTES + 4096);
    touch(first + 2 * PACK_BYTES + 8192);
    ck_assert_uint_eq(will_fill_times, 1);
    ck_assert_uint_eq(will_fill_at, first + 2 * PACK_BYTES);
    touch(buffer); /* its stretch does not lie inside the buffer */
    ck_assert_uint_eq(will_fill_times, 1);
}
END_TEST

TESTS_WITH(open_machine, close_machine, "memory", rises_and_starts_again, uses_what_is_free,
           small_ones_lie_side_by_side, packs_come_and_go, says_when_it_is_full,
           shares_no_more_with_the_host_than_it_may, is_found_by_its_own_address,
           windows_lie_where_they_should, next_to_a_stretch_with_many_pages_comes_a_large_one)
