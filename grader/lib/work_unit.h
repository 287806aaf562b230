/* work_unit.h - a unit of work of the host, in this machine's processor time.
 *
 * What a call may take of a processor cannot be said in seconds: a fast machine does more in them.
 * A launch is some system calls with little data, and so is the unit: bytes that go through a pipe
 * and come back. An honest call takes two or three units.
 */
#ifndef LIB_WORK_UNIT_H
#define LIB_WORK_UNIT_H

/* Measured at the first call, which takes half a millisecond. More than 0. Only one thread asks. */
double work_unit_ns(void);

#endif
