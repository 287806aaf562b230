/* mutate.c - prints what can be changed in a source, as JSON: see mutations.h.
 *
 *     mutate FILE [flags for the compiler...]
 *
 * `warpquest mutants` calls it for every right entry of a lesson, and judges what comes of it.
 * `make code-mutants` calls it for our own code: what ends in .c is C, everything else is CUDA.
 */
#include "mutants/find.h"

#include "lib/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_FLAGS = 64, EXIT_USAGE = 64, EXIT_REFUSED = 8 };

/* clang-format off */
/* As nvcc compiles it, as near as clang comes. Its own wrapper of the toolkit's headers is as old
 * as clang is; without it, the headers are told that they are read by nvcc. What a launch turns
 * into is declared for the compiler, not by a header. */
static const char *const FLAGS[] = {
    "-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80",
    "-std=c++17", "-ferror-limit=0", "-w", "-D__CUDACC__", "-D__CUDACC_VER_BUILD__=0",
    "-include", "cuda.h", /* its version: what clang asks for the PTX that there is */
    "-include", "cuda_runtime.h", "-include", "mutants/launch.h"};
enum { FLAG_COUNT = sizeof FLAGS / sizeof *FLAGS };
/* clang-format on */
/* clang knows _Float16 only with that instruction set. */
static const char *const C_FLAGS[] = {"-x", "c", "-std=c17", "-mavx512fp16", "-ferror-limit=0",
                                      "-w"};
enum { C_FLAG_COUNT = sizeof C_FLAGS / sizeof *C_FLAGS };

static int put_flags(const char *path, const char **flags)
{
    size_t length = strlen(path);
    bool is_c = length > 2 && strcmp(path + length - 2, ".c") == 0;
    memcpy(flags, is_c ? C_FLAGS : FLAGS, is_c ? sizeof C_FLAGS : sizeof FLAGS);
    return is_c ? C_FLAG_COUNT : FLAG_COUNT;
}

int main(int count, char **words)
{
    const char *flags[MOST_FLAGS];
    char reason[600];
    if (count < 2 || count - 2 + FLAG_COUNT > MOST_FLAGS) {
        fprintf(stderr, "usage: mutate FILE [flags for the compiler...]\n");
        return EXIT_USAGE;
    }
    int flag_count = put_flags(words[1], flags);
    for (int i = 2; i < count; i++)
        flags[flag_count++] = words[i];
    char *source = file_read(words[1], MOST_BYTES, NULL);
    if (!source) {
        fprintf(stderr, "mutate: %s: %s\n", words[1], strerror(errno));
        return EXIT_REFUSED;
    }
    struct mutations mutations = {.source = source};
    bool sound = find_mutations(words[1], flags, flag_count, &mutations, reason, sizeof reason);
    if (!sound)
        fprintf(stderr, "mutate: %s\n", reason);
    else if (!mutations_write(&mutations, stdout))
        fprintf(stderr, "mutate: the output cannot be written\n"), sound = false;
    mutations_free(&mutations);
    free(source);
    return sound ? 0 : EXIT_REFUSED;
}
