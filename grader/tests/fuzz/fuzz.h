/* fuzz.h - what the fuzzing harnesses share.
 *
 * A harness is one function, which libFuzzer (or replay.c) calls with bytes again and again. It
 * must leave nothing behind: each input meets a machine of its own.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "machine.h"

#include <stddef.h>
#include <stdint.h>

/* What libFuzzer calls; the name is its own. Always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The addresses for the memory of one machine, and empty again: whatever was committed before is
 * given back. Ends the process when the system refuses. */
struct sim_arena fuzz_arena(void);

#endif
