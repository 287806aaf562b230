/* comparison.h - measured and simulated launches side by side.
 *
 * Both come as tables with a row a launch, in launch order, under the column names of metrics.def;
 * what a table lacks is not compared. The measured time is in the column time_ns, from one event to
 * another; the simulated device's, of the launch alone, in modelled_ns. A kernel of which ptxas
 * merges shared loads may differ in their wavefronts, if the table of machine_code.h shows it.
 * Usual order of calls: comparison_machine_code, comparison_add for each pair of tables, then read
 * launches; comparison_free.
 */
#ifndef FIDELITY_COMPARISON_H
#define FIDELITY_COMPARISON_H

#include "csv.h"

enum match {
    MATCH_ABSENT, /* one side has no such number, or there was nothing to count */
    MATCH_EXACT,
    MATCH_ARBITRATION, /* the hardware counted up to 2 % more: passes that other traffic delayed */
    MATCH_MERGED,      /* it counted fewer, and the machine code has wider loads than the PTX */
    MATCH_DIFFERENT,
    MATCHES,
};

/* What two events around a launch add to its time, on the H200 of measured/: in a graph, 100 empty
 * kernels take 1440 ns each; between events, one takes 2720. */
enum { COMPARISON_EVENTS_NS = 1280 };

/* Which launches a change of the model may be fitted to (set_aside.h): the older ones and those of
 * each round that are held in. A launch that is set aside comes right after its round's others. */
enum half {
    HALF_OLDER,
    HALF_HELD_IN,
    HALF_SET_ASIDE,
    HALF_SECOND_HELD_IN,
    HALF_SECOND_SET_ASIDE,
    HALF_THIRD_HELD_IN,
    HALF_THIRD_SET_ASIDE,
    HALF_FOURTH_HELD_IN,
    HALF_FOURTH_SET_ASIDE,
    HALF_FIFTH_HELD_IN,
    HALF_FIFTH_SET_ASIDE,
    HALVES,
};

/* Which of the set-aside halves are shown. The fifth round's is shown only when it is asked for by
 * name: a sealed half may be looked at once, when the work on the model is done. */
enum shown {
    SHOWN_HELD_IN, /* none */
    SHOWN_OPENED,  /* those of the first four rounds */
    SHOWN_ALL,
};

struct comparison_launch {
    const char *name, *family; /* live as long as the comparison */
    size_t name_length;
    enum half half;
    enum match requests, sectors, wavefronts;
    double measured_ns, modelled_ns;                 /* of the launch alone; 0 when unknown */
    double measured_dram_bytes, modelled_dram_bytes; /* NAN when unknown */
};

struct comparison {
    struct comparison_launch *launches;
    size_t count;
    struct comparison_source { /* what the names point into */
        struct csv csv;
        char *family;
    } * sources;
    size_t source_count;
    struct csv sass; /* see machine_code.h; empty when there is none */
};

/* Read the table that says in which kernels ptxas merged loads. False with a sentence in error when
 * it cannot be read; comparison_free is still due. */
bool comparison_machine_code(struct comparison *comparison, const char *path,
                             char error[CSV_ERROR_BYTES]);

/* Add the launches of two tables. The measured table's file is named after the program; so is the
 * family of its rows, if it has no column "family". False, with a sentence in error, when a file
 * cannot be read or the two are not of the same launches; comparison_free is still due. */
bool comparison_add(struct comparison *comparison, const char *measured_path,
                    const char *simulated_path, char error[CSV_ERROR_BYTES]);
/* Drop the launches that are set aside and not to be shown. */
void comparison_drop_set_aside(struct comparison *comparison, enum shown shown);
void comparison_free(struct comparison *comparison);

#endif
