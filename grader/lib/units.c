/* units.c - numbers as people read them. */
#include "lib/units.h"

#include <stdio.h>

static void scaled(double value, const char *const *prefixes, const char *unit, char *text,
                   size_t bytes)
{
    int step = 0;
    while (value >= 1000 && prefixes[step + 1]) {
        value /= 1000;
        step++;
    }
    int digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    snprintf(text, bytes, "%.*f %s%s", digits, value, prefixes[step], unit);
}

void units_rate(double rate, const char *unit, char *text, size_t bytes)
{
    static const char *const PREFIXES[] = {"", "k", "M", "G", "T", "P", NULL};
    scaled(rate, PREFIXES, unit, text, bytes);
}

void units_time(double time_ns, char *text, size_t bytes)
{
    static const char *const PREFIXES[] = {"n", "u", "m", "", NULL};
    scaled(time_ns, PREFIXES, "s", text, bytes);
}
