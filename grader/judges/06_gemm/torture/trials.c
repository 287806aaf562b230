/* trials.c - what a cache meets in one process: addresses, keys, workspaces, arguments. */
#include "torture.h"

enum { MIB = 1 << 20, MOST_KINDS = 32 };

void trial_addresses(const char *file)
{
    enum { CALLS = 120 };
    struct room room = room_open(32 * MIB);
    struct kind kinds[MOST_KINDS];
    size_t count = kinds_alike(kinds, 6);
    (void)file;
    for (size_t i = 0; i < count; i++)
        product_run(room.context, &kinds[i]);
    unsigned long checked = checks;
    for (int call = 0; call < CALLS; call++)
        product_known(room.context, &kinds[drawn_below(count)], "at another address");
    if (checks != checked)
        fail("calls of known kinds ask the library whether their algorithms fit");
    room_close(&room);
    remark("%zu kinds at %d addresses", count, CALLS);
}

void trial_keys(const char *file)
{
    enum { CALLS = 160 };
    struct room room = room_open(32 * MIB);
    struct kind kinds[MOST_KINDS];
    bool met[MOST_KINDS] = {false};
    size_t count = kinds_alike(kinds, MOST_KINDS);
    (void)file;
    for (int call = 0; call < CALLS; call++) {
        size_t i = drawn_below(count);
        if (met[i])
            product_known(room.context, &kinds[i], "after others that are almost the same");
        else
            product_run(room.context, &kinds[i]);
        met[i] = true;
    }
    room_close(&room);
    remark("%zu kinds that differ in one thing each", count);
}

void trial_many(const char *file)
{
    enum { KINDS = 400 };
    struct room room = room_open(32 * MIB);
    (void)file;
    for (size_t i = 0; i < KINDS; i++) {
        struct kind kind = kind_number(i);
        product_run(room.context, &kind);
    }
    for (size_t i = 0; i < KINDS; i++) {
        struct kind kind = kind_number(i);
        product_known(room.context, &kind, "which was met before many others");
    }
    room_close(&room);
    remark("%d kinds, twice", KINDS);
}

/* Contexts that exist at the same time, with products that want more room than some have. */
void trial_rooms(const char *file)
{
    static const size_t SIZES[] = {192 * MIB, 0, 1 * MIB, 32 * MIB};
    enum { ROOMS = sizeof SIZES / sizeof *SIZES };
    struct room rooms[ROOMS];
    struct kind kinds[MOST_KINDS], long_sums = kind_long();
    size_t count = kinds_alike(kinds, 4);
    (void)file;
    for (int i = 0; i < ROOMS; i++)
        rooms[i] = room_open(SIZES[i]);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < ROOMS; i++) {
            product_run(rooms[i].context, &long_sums);
            for (size_t kind = 0; kind < count; kind++)
                product_run(rooms[i].context, &kinds[kind]);
        }
    for (int i = 0; i < ROOMS; i++) {
        product_known(rooms[i].context, &long_sums, "by the context that knew it");
        room_close(&rooms[i]);
    }
    remark("contexts with 0, 1, 32 and 192 MiB, in turn");
}

static void must_be(const char *what, cudaError_t got, cudaError_t want)
{
    if (got != want)
        fail("%s: got %s, and the contract says %s", what, cudaGetErrorName(got),
             cudaGetErrorName(want));
}

static void refuse(struct lesson6_context *context, const char *what, const struct quest_gemm *gemm,
                   const void *bias)
{
    static uint16_t *memory;
    if (!memory && cudaMalloc((void **)&memory, MIB) != cudaSuccess)
        fail("the device has no memory");
    must_be(what,
            submission.gemm(context, LESSON6_F16, memory, memory + 4096,
                            bias ? memory + 8192 : NULL, memory + 12288, gemm, 0),
            cudaErrorInvalidValue);
}

void trial_arguments(const char *file)
{
    struct room room = room_open(1 * MIB);
    struct lesson6_context *none = NULL;
    const struct quest_gemm plain = {.m = 16, .n = 16, .k = 16};
    struct quest_gemm gemm = plain;
    refuse(NULL, "a NULL context", &plain, NULL);
    refuse(room.context, "no quest_gemm", NULL, NULL);
    refuse(room.context, "a bias that with_bias denies", &plain, file);
    gemm.with_bias = true;
    refuse(room.context, "with_bias, and no bias", &gemm, NULL);
    gemm = plain, gemm.save_z = true;
    refuse(room.context, "save_z", &gemm, NULL);
    gemm = plain, gemm.m = 0;
    refuse(room.context, "m = 0", &gemm, NULL);
    gemm = plain, gemm.n = -16;
    refuse(room.context, "n = -16", &gemm, NULL);
    gemm = plain, gemm.k = 0;
    refuse(room.context, "k = 0", &gemm, NULL);
    gemm = plain, gemm.activation = QUEST_ACT_GELU_ERF;
    refuse(room.context, "gelu by erf", &gemm, NULL);
    must_be("create without a place for the context", submission.create(NULL, NULL, 0),
            cudaErrorInvalidValue);
    must_be("create with bytes and no pointer", submission.create(&none, NULL, MIB),
            cudaErrorInvalidValue);
    must_be("destroy of NULL", submission.destroy(NULL), cudaErrorInvalidValue);
    must_be("save of NULL", submission.save(NULL, file), cudaErrorInvalidValue);
    must_be("save without a path", submission.save(room.context, NULL), cudaErrorInvalidValue);
    must_be("load without a path", submission.load(room.context, NULL), cudaErrorInvalidValue);
    room_close(&room);
    remark("15 calls that must be refused");
}
