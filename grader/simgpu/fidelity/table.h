/* table.h - the table of `make fidelity` and the names of launches whose counters differ. */
#ifndef FIDELITY_TABLE_H
#define FIDELITY_TABLE_H

#include "comparison.h"

enum table_counter { TABLE_REQUESTS, TABLE_SECTORS, TABLE_WAVEFRONTS };

/* |modelled - measured| / measured, NAN when there is no measured time. */
double table_time_error(const struct comparison_launch *launch);

/* How many launches of the family (of all for NULL) match in that way. */
size_t table_count_matches(const struct comparison *comparison, const char *family,
                           enum table_counter counter, enum match match);

/* scratch has room for every launch. */
void table_print(const struct comparison *comparison, double *scratch);
void table_print_exceptions(const struct comparison *comparison);

#endif
