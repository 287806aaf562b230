/* points.h - what a band is worth: a small file that the instructor edits (points.txt).
 *
 * A band says how far a record got, whatever that is worth. Marks are computed from bands each time
 * they are shown, so that another policy needs no new judgement.
 */
#ifndef CLASS_POINTS_H
#define CLASS_POINTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum band { BAND_GOLD, BAND_PASS, BAND_CLOSE, BAND_RIGHT, BAND_NONE, BANDS };
enum { POINTS_LESSONS = 100 };

struct points {
    double of[POINTS_LESSONS][BANDS]; /* by the lesson's number */
};

/* False with a sentence that names file and line. */
bool points_read(const char *path, struct points *points, char *reason, size_t reason_bytes);

const char *band_name(enum band band);
/* Of a record whose verdict gives a mark. */
enum band band_of(const json_t *record);
/* The most that the lesson can give. */
double points_most(const struct points *points, int lesson);

#endif
