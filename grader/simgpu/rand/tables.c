/* tables.c - versions, and the tables that programs copy to the device themselves. */
#include "generator.h"

/* The toolkit's answer; an error when there is no library. */
#define ANSWER(name, PARAMETERS, ...)                                                  \
    curandStatus_t name PARAMETERS                                                     \
    {                                                                                  \
        __typeof__(&name) toolkits = TOOLKIT(name);                                    \
        return toolkits ? toolkits(__VA_ARGS__) : CURAND_STATUS_INITIALIZATION_FAILED; \
    }

ANSWER(curandGetVersion, (int *version), version)
ANSWER(curandGetProperty, (libraryPropertyType type, int *value), type, value)
ANSWER(curandGetDirectionVectors32,
       (curandDirectionVectors32_t * vectors[], curandDirectionVectorSet_t set), vectors, set)
ANSWER(curandGetDirectionVectors64,
       (curandDirectionVectors64_t * vectors[], curandDirectionVectorSet_t set), vectors, set)
ANSWER(curandGetScrambleConstants32, (unsigned int **constants), constants)
ANSWER(curandGetScrambleConstants64, (unsigned long long **constants), constants)
