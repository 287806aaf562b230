/* ptx_seeds.c - small PTX modules for the fuzzer to start from: one for each case of the opcode
 * tests, and so at least one for each row of the opcode table.
 *
 *     ptx_seeds FOLDER ../ptx/move.test ...
 */
#include "ptx_cases.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_this(const struct ptx_case *one, const void *context)
{
    return one == context;
}

static bool write_seed(const char *folder, const struct cases_file *file,
                       const struct ptx_case *one)
{
    char path[4096];
    char *text = cases_module(file, "sm_90a", is_this, one);
    snprintf(path, sizeof path, "%s/%s_%u.ptx", folder, file->name, one->line);
    FILE *out = text ? fopen(path, "w") : NULL;
    bool written = out && fputs(text, out) >= 0;
    if (out)
        written &= fclose(out) == 0;
    free(text);
    return written;
}

int main(int count, char **words)
{
    char error[400] = "a folder and at least one .test file must be named";
    bool ok = count > 2;
    for (int i = 2; ok && i < count; i++) {
        struct cases_file file;
        ok = cases_read(words[i], &file, error, sizeof error);
        for (size_t j = 0; ok && j < file.count; j++)
            if (!write_seed(words[1], &file, &file.cases[j])) {
                snprintf(error, sizeof error, "cannot write into %s", words[1]);
                ok = false;
            }
        cases_free(&file);
    }
    if (!ok)
        fprintf(stderr, "ptx_seeds: %s\n", error);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
