/* figure.h - a figure is a number, or a reason why there is none. It is never compared as a NAN: a
 * figure that was not observed meets no bar, and a figure with nothing to count has no bar to meet.
 */
#ifndef EXAMINE_FIGURE_H
#define EXAMINE_FIGURE_H

#include <math.h>
#include <stdbool.h>

enum figure_kind {
    FIGURE_UNKNOWN, /* it was not observed */
    FIGURE_NONE,    /* it was observed, and there was nothing of its kind */
    FIGURE_NUMBER,
};

struct figure {
    enum figure_kind kind;
    double value;    /* of a number: finite */
    const char *why; /* of the others: one clause, a constant */
};

static inline struct figure figure_unknown(const char *why)
{
    return (struct figure){.kind = FIGURE_UNKNOWN, .why = why};
}

static inline struct figure figure_none(const char *why)
{
    return (struct figure){.kind = FIGURE_NONE, .why = why};
}

static inline struct figure figure_number(double value)
{
    return isfinite(value) ? (struct figure){.kind = FIGURE_NUMBER, .value = value, .why = ""}
                           : figure_unknown("it is not a number");
}

static inline bool figure_is_number(const struct figure *figure)
{
    return figure->kind == FIGURE_NUMBER;
}

/* part / whole; FIGURE_NONE if the whole is 0. */
static inline struct figure figure_ratio(double part, double whole, const char *nothing)
{
    return whole > 0 ? figure_number(part / whole) : figure_none(nothing);
}

#endif
