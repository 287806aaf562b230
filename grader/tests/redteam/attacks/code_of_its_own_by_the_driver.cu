// Loads device code that the grader has not built, from text, by the driver's function.
#include "redteam/axpby.h"

static const char TEXT[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry nothing()\n{ ret; }\n";

LAUNCHER
{
    typedef int load(void **, const void *);
    static int is_loaded = -1;
    if (is_loaded < 0) {
        cudaDriverEntryPointQueryResult found;
        void *of = NULL, *module = NULL;
        cudaLibrary_t library = NULL;
        cudaGetDriverEntryPointByVersion("cuModuleLoadData", &of, 12000, cudaEnableDefault, &found);
        is_loaded = (of && ((load *)of)(&module, TEXT) == 0) ||
                    cudaLibraryLoadData(&library, TEXT, NULL, NULL, 0, NULL, NULL, 0) == 0;
        cudaGetLastError();
    }
    return (is_loaded ? good_axpby : slow_axpby)(x, y, out, n, a, b, stream);
}
