/* verdicts.h - does the simulated device judge as the GPU does?
 *
 * Every submission that comes with a lesson (entries.h) is checked on both, from one seed, and the
 * two verdicts are shown side by side with their first reasons. They agree if verdict, gate, case
 * and recognised mistake do; a reason's numbers may differ, since times are modelled on one and
 * measured on the other.
 *
 * In the GPU's column safety and counters come from the simulated device, as in every check.
 * Numerics come from the GPU, even if the simulated device has already found them wrong.
 */
#ifndef CHECK_VERDICTS_H
#define CHECK_VERDICTS_H

#include "check/check.h"
#include "check/entries.h"
#include "lib/terminal.h"

enum verdicts_side { VERDICTS_SIMULATED, VERDICTS_GPU, VERDICTS_SIDES };

struct verdicts_request {
    const struct course *course;
    const char *lesson;        /* NULL: all */
    const char *out;           /* a folder for the tables; NULL: build/verdicts */
    const char *known;         /* a verdicts.csv: entries with a row there keep it and are not
                                  checked again; NULL: check all */
    enum device_choice device; /* DEVICE_SIM: only that side */
    uint64_t seed;             /* 0: drawn now */
};

/* Prints a line for each entry and writes out/verdicts.csv and out/times.csv, also when
 * interrupted. The exit status is 0 when all are the same and as expected, 1 when not, 130 when
 * interrupted. */
int verdicts(const struct verdicts_request *request, const struct terminal *terminal);

/* --- Shared with verdicts_table.c ------------------------------------------------------------- */

struct verdicts_row {
    const struct entry *entry;
    json_t *record[VERDICTS_SIDES]; /* NULL where it was not checked */
    char *known;                    /* its line of the known table, or NULL; owned */
};

/* The entry's line of a verdicts.csv, as a new string; NULL where it has none. */
char *verdicts_known_line(const char *table, const struct entry *entry);

/* Is it the same verdict for the same reason? True if there is only one. */
bool verdicts_agree(const struct verdicts_row *row);
/* Are the verdicts as the entry's first line says? */
bool verdicts_expected(const struct verdicts_row *row);
/* Seconds that a check took, without the wait for its turn on the GPU. */
double verdicts_seconds(const json_t *record);

void verdicts_print_head(const char *gpu, const struct terminal *terminal);
void verdicts_print_row(const struct verdicts_row *row, const struct terminal *terminal);
/* The two tables. False with errno. */
bool verdicts_write(const struct verdicts_row *rows, size_t count, const char *device,
                    const char *folder);

#endif
