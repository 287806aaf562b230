/* machine_code.c - reads the evidence that ptxas merged loads.
 *
 * Numbers of loads alone prove nothing, since ptxas unrolls loops. But however often it repeats
 * them, loads of a width that the PTX does not have can only come from merging narrower ones.
 */
#include "machine_code.h"

#include <stddef.h>
#include <string.h>

static double loads(const struct csv *sass, size_t row, const char *column)
{
    double count = 0;
    csv_number(sass, row, csv_column(sass, column), &count);
    return count;
}

static bool merges(const struct csv *sass, size_t row)
{
    double narrow = loads(sass, row, "ptx_4"), pairs = loads(sass, row, "ptx_8");
    bool made_pairs = pairs == 0 && loads(sass, row, "sass_8") > 0;
    bool made_fours = loads(sass, row, "ptx_16") == 0 && loads(sass, row, "sass_16") > 0;
    return (made_pairs && narrow > 0) || (made_fours && narrow + pairs > 0);
}

bool machine_code_merges(const struct csv *sass, const char *program, const char *kernel)
{
    int programs = csv_column(sass, "program"), kernels = csv_column(sass, "kernel");
    for (size_t row = 0; row < sass->rows; row++)
        if (strcmp(csv_text(sass, row, programs), program) == 0 &&
            strcmp(csv_text(sass, row, kernels), kernel) == 0)
            return merges(sass, row);
    return false;
}
