/* calibration.h - is a lesson's utilization bar where the measured times require it?
 *
 * grader/judges/NN_slug/calibration.csv (written by calibrate.sh) has a row for each right and each
 * slow submission and each launcher: submission, expected, launcher, measured ratio to the
 * reference, and more. A submission's worst launcher counts, as in a check. Every right one has to
 * reach the bar, and one that is to fail for its time alone must not.
 */
#ifndef CHECK_CALIBRATION_H
#define CHECK_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>

/* False with a sentence, also for a table without such rows. */
bool calibration_holds(const char *csv, double bar, char *reason, size_t reason_bytes);

#endif
