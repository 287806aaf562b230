/* compare.c - the table of `make fidelity`: how truly the simulated device counts and times.
 *
 *     compare [--held-in | --set-aside fifth] [--sass TABLE] MEASURED SIMULATED
 *             [MEASURED SIMULATED]...
 *
 * TABLE is what sass.sh wrote: the evidence that ptxas merged loads, which excuses a difference.
 * Launches of the fifth round that are set aside (set_aside.h) are dropped before anything is
 * printed, unless --set-aside fifth asks for them; with --held-in, those of every round are.
 * Exit status: 0, 1 when a demand below is missed, 2 when the tables cannot be compared.
 */
#include "comparison.h"
#include "halves.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

struct options {
    enum shown shown;
    const char *sass;
    char **tables; /* pairs of them */
    int count;
};

/* Prints a sentence for each demand on the counters that is missed, and counts them. */
static int judge_counters(const struct comparison *comparison)
{
    static const char *const NAMES[] = {"requests", "sectors", "shared wavefronts"};
    int missed = 0;
    for (int counter = TABLE_REQUESTS; counter <= TABLE_WAVEFRONTS; counter++) {
        size_t count =
            table_count_matches(comparison, NULL, (enum table_counter)counter, MATCH_DIFFERENT);
        if (!count)
            continue;
        printf("MISSED: %zu %s in %s; all must agree.\n", count,
               count == 1 ? "launch differs" : "launches differ", NAMES[counter]);
        missed++;
    }
    return missed;
}

/* The number of demands missed. */
static int report(const struct comparison *comparison, double *scratch)
{
    table_print(comparison, scratch);
    table_print_exceptions(comparison);
    int missed = 0;
    for (enum half half = HALF_OLDER; half < HALVES; half++)
        missed += halves_report(comparison, half);
    missed += judge_counters(comparison);
    if (!missed)
        printf("Every demand is met.\n");
    return missed;
}

static bool parse(int count, char **arguments, struct options *options)
{
    int next = 1;
    options->shown = SHOWN_OPENED;
    if (next < count && strcmp(arguments[next], "--held-in") == 0) {
        options->shown = SHOWN_HELD_IN;
        next++;
    } else if (next < count && strcmp(arguments[next], "--set-aside") == 0) {
        if (next + 1 == count || strcmp(arguments[next + 1], "fifth") != 0)
            return false;
        options->shown = SHOWN_ALL;
        next += 2;
    }
    if (next + 1 < count && strcmp(arguments[next], "--sass") == 0) {
        options->sass = arguments[next + 1];
        next += 2;
    }
    options->tables = arguments + next;
    options->count = count - next;
    return options->count >= 2 && options->count % 2 == 0;
}

int main(int count, char **arguments)
{
    static struct comparison comparison;
    struct options options = {0};
    char error[CSV_ERROR_BYTES] = "Out of memory.";
    if (!parse(count, arguments, &options)) {
        fprintf(stderr, "Usage: compare [--held-in | --set-aside fifth] [--sass TABLE] MEASURED "
                        "SIMULATED [MEASURED SIMULATED]...\n");
        return 2;
    }
    bool good = !options.sass || comparison_machine_code(&comparison, options.sass, error);
    for (int i = 0; good && i < options.count; i += 2)
        good = comparison_add(&comparison, options.tables[i], options.tables[i + 1], error);
    comparison_drop_set_aside(&comparison, options.shown);
    double *scratch = calloc(comparison.count + 1, sizeof *scratch);
    int status = 2;
    if (good && scratch)
        status = report(&comparison, scratch) ? 1 : 0;
    else
        fprintf(stderr, "compare: %s\n", error);
    free(scratch);
    comparison_free(&comparison);
    return status;
}
