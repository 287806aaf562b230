/* check_blas_call.c - no call that a program makes up reads or writes past its operands. */
#include "simgpu/blas/arithmetic.h"
#include "tests/check_main.h"

static struct blas_call call_of(uint32_t operation, uint32_t flags, uint64_t m, uint64_t n)
{
    return (struct blas_call){.operation = operation,
                              .flags = flags,
                              .m = m,
                              .n = n,
                              .a = {.address = 1, .ld = m * n + 8},
                              .b = {.address = 1, .ld = m * n + 8},
                              .c = {.address = 1, .ld = m * n + 8},
                              .x = {.address = 1, .step = 1},
                              .y = {.address = 1, .step = 1},
                              .result = 1};
}

static bool is_sound(uint32_t operation, uint32_t flags, uint64_t m, uint64_t n)
{
    struct blas_call call = call_of(operation, flags, m, n);
    return blas_is_sound(&call);
}

START_TEST(every_operation_is_sound_when_square)
{
    for (uint32_t operation = 0; operation < BLAS_OPERATIONS; operation++)
        ck_assert_msg(is_sound(operation, 0, 4, 4), "%s", BLAS_OPERANDS[operation].name);
    ck_assert(!is_sound(BLAS_OPERATIONS, 0, 4, 4));
}
END_TEST

START_TEST(what_is_symmetric_or_a_triangle_is_square)
{
    ck_assert(is_sound(BLAS_GEMV, 0, 4, 5));
    ck_assert(is_sound(BLAS_STORED_MV, 0, 4, 5));
    ck_assert(!is_sound(BLAS_STORED_MV, BLAS_MIRRORED, 5, 4));
    ck_assert(!is_sound(BLAS_STORED_MV, BLAS_PACKED, 5, 4));
    ck_assert(!is_sound(BLAS_STORED_TRSV, 0, 5, 4));
    ck_assert(!is_sound(BLAS_PACKED_RANK, BLAS_PACKED, 5, 4));
    ck_assert(!is_sound(BLAS_SYRKX, 0, 3, 4));
}
END_TEST

START_TEST(lines_are_long_enough_for_what_is_stored)
{
    struct blas_call band = call_of(BLAS_STORED_MV, 0, 4, 5);
    band.k = 2;
    band.above = 3;
    band.a.ld = 6;
    ck_assert(blas_is_sound(&band));
    band.a.ld = 5;
    ck_assert(!blas_is_sound(&band));
    struct blas_call packed = call_of(BLAS_STORED_TRMV, BLAS_PACKED, 4, 4);
    packed.a.ld = 10;
    ck_assert(blas_is_sound(&packed));
    packed.a.ld = 9;
    ck_assert(!blas_is_sound(&packed));
}
END_TEST

START_TEST(sizes_have_limits)
{
    ck_assert(!is_sound(BLAS_GEMV, 0, BLAS_MOST + 1, 1));
    ck_assert(!is_sound(BLAS_STORED_TRMV, BLAS_PACKED, BLAS_MOST_PACKED, BLAS_MOST_PACKED));
    struct blas_call batch = call_of(BLAS_GEMV, 0, 2, 2);
    batch.batches = BLAS_MOST_BATCHES + 1;
    ck_assert(!blas_is_sound(&batch));
    batch.batches = 2;
    ck_assert(blas_is_sound(&batch));
    batch.y.stride = -1;
    ck_assert(!blas_is_sound(&batch));
    struct blas_call dot = call_of(BLAS_DOT, 0, 0, 4);
    dot.batches = 2;
    ck_assert(!blas_is_sound(&dot));
    dot.batches = 0;
    ck_assert(blas_is_sound(&dot));
    dot.type = 7;
    ck_assert(!blas_is_sound(&dot));
}
END_TEST

TESTS("blas_call", every_operation_is_sound_when_square, what_is_symmetric_or_a_triangle_is_square,
      lines_are_long_enough_for_what_is_stored, sizes_have_limits)
