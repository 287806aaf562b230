/* check_soft_rounding.c - rounding in software gives the bits of a processor that has the modes. */
#include "exec/soft_rounding.h"
#include "exec/numbers.h"
#include "tests/check_main.h"

#include <check.h>
#include <fenv.h>
#include <inttypes.h>

enum { DRAWS = 60000 };
static const int MODES[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
enum { MODE_COUNT = sizeof MODES / sizeof *MODES };

static uint64_t state = 1;

static uint64_t draw(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t mixed = (state ^ state >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    return mixed ^ mixed >> 29;
}

/* Any bits; values around 1, whose sums cancel; few bits, whose results are exact; the edges. */
static double any_double(void)
{
    static const double EDGES[] = {0.0,         -0.0,      INFINITY,  -INFINITY, NAN,
                                   1.0,         -1.0,      DBL_MAX,   -DBL_MAX,  DBL_MIN,
                                   0x0.8p-1022, 0x1p-1074, -0x1p-1074};
    uint64_t bits = draw(), kind = draw() % 8;
    if (kind == 0)
        return EDGES[bits % (sizeof EDGES / sizeof *EDGES)];
    if (kind < 3)
        return double_of_bits((bits & UINT64_C(0x800FFFFFFFFFFFFF)) |
                              (UINT64_C(1023 - 2) + bits % 5) << 52);
    if (kind == 3)
        return (double)(int64_t)(bits % 65) - 32;
    if (kind == 4) /* near and below the smallest numbers */
        return double_of_bits((bits & UINT64_C(0x800FFFFFFFFFFFFF)) | (bits >> 20 & 63) << 52);
    return double_of_bits(bits);
}

static float any_float(void)
{
    static const float EDGES[] = {0.0f,    -0.0f,    INFINITY, -INFINITY, NAN,       1.0f,
                                  FLT_MAX, -FLT_MAX, FLT_MIN,  0x1p-149f, -0x1p-149f};
    uint32_t bits = (uint32_t)draw();
    uint64_t kind = draw() % 8;
    if (kind == 0)
        return EDGES[bits % (sizeof EDGES / sizeof *EDGES)];
    if (kind < 3)
        return float_of_bits((bits & 0x807FFFFF) | (125 + bits % 5) << 23);
    if (kind == 3)
        return (float)(int)(bits % 65) - 32;
    if (kind == 4)
        return float_of_bits((bits & 0x807FFFFF) | (bits >> 10 & 31) << 23);
    return float_of_bits(bits);
}

/* A NaN's bits are the operation's affair. */
static bool same(double a, double b)
{
    return bits_of_double(a) == bits_of_double(b) || (a != a && b != b);
}

#define HOLD(what, T, expression, soft, a, b, c)                                               \
    do {                                                                                       \
        fesetround(MODES[mode]);                                                               \
        volatile T wanted = (expression);                                                      \
        fesetround(FE_TONEAREST);                                                              \
        T got = (soft);                                                                        \
        ck_assert_msg(same(wanted, got), what " of %a, %a, %a, mode %d: %a, the processor %a", \
                      (double)(a), (double)(b), (double)(c), _i, (double)got, (double)wanted); \
    } while (0)

#define CLAIMS(name, T, any, fma, sqrt)                                           \
    START_TEST(name##_results_have_the_bits_of_the_processor)                     \
    {                                                                             \
        enum rounding mode = (enum rounding)_i;                                   \
        for (int i = 0; i < DRAWS; i++) {                                         \
            volatile T a = any(), b = any(), c = any();                           \
            if (i % 4 == 0)                                                       \
                c = -(a * b); /* what remains is the product's last bits */       \
            HOLD("sum", T, a + b, name##_sum(a, b, mode), a, b, c);               \
            HOLD("difference", T, a - b, name##_difference(a, b, mode), a, b, c); \
            HOLD("product", T, a *b, name##_product(a, b, mode), a, b, c);        \
            HOLD("quotient", T, a / b, name##_quotient(a, b, mode), a, b, c);     \
            HOLD("fma", T, fma(a, b, c), name##_fma(a, b, c, mode), a, b, c);     \
            HOLD("root", T, sqrt(a), name##_root(a, mode), a, b, c);              \
        }                                                                         \
    }                                                                             \
    END_TEST

CLAIMS(f32, float, any_float, fmaf, sqrtf)
CLAIMS(f64, double, any_double, fma, sqrt)

START_TEST(conversions_have_the_bits_of_the_processor)
{
    enum rounding mode = (enum rounding)_i;
    for (int i = 0; i < DRAWS; i++) {
        volatile double a = i % 2 ? any_double() : (double)any_float() * (1 + 0x1p-30);
        volatile int64_t whole = (int64_t)(draw() >> draw() % 64);
        HOLD("float", float, (float)a, f32_of_f64(a, mode), a, 0, 0);
        HOLD("float", float, (float)whole, f32_of_integer(whole, mode), (double)whole, 0, 0);
        HOLD("double", double, (double)whole, f64_of_integer(whole, mode), (double)whole, 0, 0);
    }
}
END_TEST

/* By what a half is: the nearest in that direction of all of them. */
START_TEST(halves_lie_in_the_direction_asked_for)
{
    for (int i = 0; i < DRAWS; i++) {
        double value = ldexp(any_float(), -(int)(draw() % 20));
        if (!isfinite(value))
            continue;
        double below = float_of_f16(f16_of_f64(value, ROUND_DOWN));
        double above = float_of_f16(f16_of_f64(value, ROUND_UP));
        double cut = float_of_f16(f16_of_f64(value, ROUND_ZERO));
        double nearest = float_of_f16(f16_of_double(value));
        ck_assert_msg(below <= value && value <= above, "%a: %a, %a", value, below, above);
        ck_assert_msg(nearest == below || nearest == above, "%a: %a", value, nearest);
        ck_assert_msg(cut == (value > 0 ? below : above), "%a: %a", value, cut);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("soft rounding");
    TCase *tcase = tcase_create("directions");
    tcase_add_loop_test(tcase, f32_results_have_the_bits_of_the_processor, 0, MODE_COUNT);
    tcase_add_loop_test(tcase, f64_results_have_the_bits_of_the_processor, 0, MODE_COUNT);
    tcase_add_loop_test(tcase, conversions_have_the_bits_of_the_processor, 0, MODE_COUNT);
    tcase_add_test(tcase, halves_lie_in_the_direction_asked_for);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
