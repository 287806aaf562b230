/* generator.c - generators, and how they are set. */
#include "generator.h"

#include <stdlib.h>

enum { GENERATOR_MARK = 0x72616e64 };

bool rand_generator_is_sound(curandGenerator_t generator)
{
    return generator && generator->mark == GENERATOR_MARK;
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool for_host)
{
    curandStatus_t (*make)(curandGenerator_t *, curandRngType_t) =
        TOOLKIT(curandCreateGeneratorHost);
    if (!make || !generator)
        return CURAND_STATUS_INITIALIZATION_FAILED;
    if (!for_host && cudaFree(NULL) != cudaSuccess)
        return CURAND_STATUS_INITIALIZATION_FAILED;
    struct curandGenerator_st *made = calloc(1, sizeof *made);
    if (!made)
        return CURAND_STATUS_ALLOCATION_FAILED;
    curandStatus_t status = make(&made->toolkits, type);
    if (status != CURAND_STATUS_SUCCESS) {
        free(made);
        return status;
    }
    made->mark = GENERATOR_MARK;
    made->for_host = for_host;
    *generator = made;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (!rand_generator_is_sound(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    curandStatus_t status = TOOLKIT(curandDestroyGenerator)(generator->toolkits);
    generator->mark = 0;
    free(generator);
    return status;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    if (!rand_generator_is_sound(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

#define SETTING(name, type)                                      \
    curandStatus_t name(curandGenerator_t generator, type value) \
    {                                                            \
        if (!rand_generator_is_sound(generator))                 \
            return CURAND_STATUS_NOT_INITIALIZED;                \
        return TOOLKIT(name)(generator->toolkits, value);        \
    }

SETTING(curandSetPseudoRandomGeneratorSeed, unsigned long long)
SETTING(curandSetGeneratorOffset, unsigned long long)
SETTING(curandSetQuasiRandomGeneratorDimensions, unsigned int)

/* A host generator does not have the order that depends on the GPU; any order is right for it. */
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
    if (!rand_generator_is_sound(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!generator->for_host && order == CURAND_ORDERING_PSEUDO_DYNAMIC)
        order = CURAND_ORDERING_PSEUDO_DEFAULT;
    return TOOLKIT(curandSetGeneratorOrdering)(generator->toolkits, order);
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    if (!rand_generator_is_sound(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    return TOOLKIT(curandGenerateSeeds)(generator->toolkits);
}
