/* coverage.c - tells libFuzzer which code ran, when gcc compiled it.
 *
 * libFuzzer comes with clang and reads counters that clang's instrumentation keeps. gcc can only
 * call a function at every basic block (-fsanitize-coverage=trace-pc). So that function keeps
 * counters of the same kind, a byte for each place, and hands libFuzzer the whole array once. The
 * linker's --wrap puts it in front of libFuzzer's own, which does nothing.
 */
#include <stddef.h>
#include <stdint.h>

/* The start of the program, as the linker names it. */
extern char __executable_start;

/* Two basic blocks are at least a call's length apart. */
enum { CALL_BYTES_LOG2 = 2, COUNTERS = 1 << 20 };
static uint8_t counters[COUNTERS];

void __sanitizer_cov_8bit_counters_init(uint8_t *first, uint8_t *end);
void __wrap___sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_cmpf(float a, float b);
void __sanitizer_cov_trace_cmpd(double a, double b);

__attribute__((constructor)) static void introduce(void)
{
    __sanitizer_cov_8bit_counters_init(counters, counters + COUNTERS);
}

void __wrap___sanitizer_cov_trace_pc(void)
{
    uintptr_t place = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&__executable_start;
    counters[place >> CALL_BYTES_LOG2 & (COUNTERS - 1)]++;
}

/* gcc tells of comparisons of floating-point numbers too, which libFuzzer cannot use. */
void __sanitizer_cov_trace_cmpf(float a, float b)
{
    (void)a, (void)b;
}

void __sanitizer_cov_trace_cmpd(double a, double b)
{
    (void)a, (void)b;
}
