/* compile.c - the drop-in libnvrtc: the toolkit's own library compiles, always to PTX.
 *
 * A program that compiles kernels at run time may ask for PTX, or for the machine code of its GPU
 * (sm_90), which the simulated device cannot run. So the toolkit's library is asked to compile for
 * the virtual architecture of the same number, and a program that asks for machine code gets the
 * PTX: the driver accepts either. All other functions are the toolkit's, called by what forward.awk
 * writes.
 */
#include <dlfcn.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *nvrtc_forward(const char *function);

/* The toolkit's function; the program ends without it. */
void *nvrtc_forward(const char *function)
{
    static void *library;
    if (!library) /* the loader gives every caller the same one */
        library = dlopen(TOOLKIT_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    void *found = library ? dlsym(library, function) : NULL;
    if (!found) {
        fprintf(stderr, "simgpu: NVRTC compiles with the toolkit's own library: %s\n", dlerror());
        abort();
    }
    return found;
}

#define TOOLKIT(function) ((__typeof__(&function))nvrtc_forward(#function))

/* Of "--gpu-architecture=sm_90", in one word or two, "compute_90"; NULL when it is another option.
 * The caller frees it. */
static char *virtual_architecture(const char *option)
{
    static const char *const BEGINNINGS[] = {"--gpu-architecture=", "-arch=", ""};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(BEGINNINGS[i]), bytes = strlen(option) + sizeof "compute_";
        if (strncmp(option, BEGINNINGS[i], length) || strncmp(option + length, "sm_", 3))
            continue;
        char *made = malloc(bytes);
        if (made)
            snprintf(made, bytes, "%scompute_%s", BEGINNINGS[i], option + length + 3);
        return made;
    }
    return NULL;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options)
{
    const char **ours = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof *ours);
    char **made = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof *made);
    nvrtcResult result = NVRTC_ERROR_OUT_OF_MEMORY;
    for (int i = 0; ours && made && options && i < count; i++) {
        made[i] = virtual_architecture(options[i]);
        ours[i] = made[i] ? made[i] : options[i];
    }
    if (ours && made)
        result = TOOLKIT(nvrtcCompileProgram)(program, count, options ? ours : NULL);
    for (int i = 0; made && i < count; i++)
        free(made[i]);
    free(ours);
    free(made);
    return result;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes)
{
    return TOOLKIT(nvrtcGetPTXSize)(program, bytes);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *code)
{
    return TOOLKIT(nvrtcGetPTX)(program, code);
}
