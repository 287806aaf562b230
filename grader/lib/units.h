/* units.h - a rate or a time with its unit, to three digits: "4.21 TB/s", "18.9 us". */
#ifndef LIB_UNITS_H
#define LIB_UNITS_H

#include <stddef.h>

/* rate in unit, which gets a prefix: 4.21e12 and "B/s" are "4.21 TB/s". */
void units_rate(double rate, const char *unit, char *text, size_t bytes);
void units_time(double time_ns, char *text, size_t bytes);

#endif
