/* suppress.h - findings that a project knows and does not want reported again: --suppressions FILE.
 * A line of the file names a kind and a place:
 *
 *     # The tail of the histogram races on purpose: any winner will do.
 *     global-memory-race   src/histogram.cu:41
 *     uninitialised-read   third_party/scan?.cuh
 *     *                    kernel:legacy_*
 *
 * A kind is the title of a finding with dashes for its blanks, or a star. A place is a source file
 * (from its name on, or more of its path), with or without a line, or a kernel; stars and question
 * marks stand for any characters. A finding of several places (two lines of a race, code that is
 * inlined from a header) is suppressed when one of them matches.
 */
#ifndef SUPPRESS_H
#define SUPPRESS_H

#include "device.h"

struct suppressions;

/* NULL, with a sentence in complaint that names file and line, when the file cannot be read or a
 * line makes no sense. Lives until the process ends. */
struct suppressions *suppressions_read(const char *path, char *complaint, size_t complaint_bytes);
/* NULL suppresses nothing. */
bool suppressions_match(const struct suppressions *suppressions, const struct found *found);
/* "shared-memory-race": the title of a kind as one word. */
void fault_word(enum sim_fault_kind kind, char *word, size_t bytes);

#endif
