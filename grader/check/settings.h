/* settings.h - what an instructor has set for a class on one kind of GPU: each lesson's bar, and
 * the tolerance that the noise of this device requires. `make calibrate` proposes and writes them.
 *
 * Kept in build/settings-<device>.json:
 *   {"device": name, "lessons": {"01_coalescing": {"bar": 0.7, "delta": 0.05, "noise": ...,
 *    "run_noise": ..., "made": "2026-11-20T10:00:00Z", "expires": seconds since 1970}}}
 *
 * A device's noise changes with drivers, place and load. So settings apply for SETTINGS_DAYS; after
 * that the lesson's own bar and the usual tolerance do, until `make calibrate` is run again.
 */
#ifndef CHECK_SETTINGS_H
#define CHECK_SETTINGS_H

#include "check/course.h"

#include <jansson.h>
#include <time.h>

enum { SETTINGS_DAYS = 30 };

/* What applies to that lesson on that device at that time, or NULL. The caller releases it. */
json_t *settings_of(const struct course *course, const char *device, const char *lesson,
                    time_t now);
/* Keep them, along with other lessons' settings; made and expires are set. False with errno. */
bool settings_keep(const struct course *course, const char *device, const char *lesson, double bar,
                   double delta, const json_t *noise, time_t now);
/* Where they are kept. */
struct path settings_file(const struct course *course, const char *device);

#endif
