/* generator.h - the drop-in libcurand: generators for the device that draw on the host.
 *
 * cuRAND has generators for the host, too (curandCreateGeneratorHost), and documents that they give
 * the same numbers, except for the last digits of a logarithm. They need no GPU. So a generator for
 * the device is one of the toolkit's for the host, and what it draws is copied to where the program
 * wants it, in the order of the generator's stream. The kernels with which a GPU draws them are not
 * modelled: a profile shows copies.
 *
 * Reading order: toolkit.c (the library that draws), generator.c, draw.c (the functions that give
 * numbers), tables.c (what needs no generator). Every other function of the toolkit's library
 * becomes a stub that says its name: ../client/stubs.awk.
 */
#ifndef RAND_GENERATOR_H
#define RAND_GENERATOR_H

#include "../client/extension.h"

#include <curand.h>

struct curandGenerator_st {
    uint32_t mark;
    curandGenerator_t toolkits; /* draws on the host */
    cudaStream_t stream;
    bool for_host; /* as the program made it */
};

bool rand_generator_is_sound(curandGenerator_t generator);
/* The toolkit's function of that name; NULL, after a sentence, when there is no library. */
void *rand_toolkit(const char *function);
#define TOOLKIT(function) ((__typeof__(&function))rand_toolkit(#function))

#endif
