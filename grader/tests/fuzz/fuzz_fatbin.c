/* fuzz_fatbin.c - bytes in place of a fatbin. What unpacks is read, as loading a module does. */
#include "fatbin.h"
#include "fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const unsigned ARCHITECTURES[] = {75, 80, 90};
    struct fatbin fatbin;
    struct sim_error error;
    struct cubin_kernel found;
    for (size_t i = 0; i < sizeof ARCHITECTURES / sizeof *ARCHITECTURES; i++) {
        if (fatbin_read(bytes, size, ARCHITECTURES[i], &fatbin, &error) && fatbin.cubin)
            cubin_find(fatbin.cubin, fatbin.cubin_bytes, "test", &found);
        fatbin_free(&fatbin);
    }
    cubin_find(bytes, size, "test", &found); /* machine code that was not packed */
    return 0;
}
