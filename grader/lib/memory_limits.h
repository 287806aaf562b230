/* memory_limits.h - how much of this machine's memory one check may take: the one place for it.
 *
 * A submission takes memory in three ways: in its own processes, in the simulated device's process
 * (memory that kernels write to, and what the device notes about it), and in files that the two
 * share (pinned and managed memory), whose pages may be mapped nowhere, so that they are counted by
 * size. Each has a limit of its own. Past it, an allocation fails or the submission gets a verdict,
 * and the machine as a whole never runs out of memory because of it.
 *
 * A limit depends on how much memory the machine has, never on how much is free: what others do at
 * the time may not decide a verdict. Of a machine of 3 GiB or more, all three together are at most
 * eleven sixteenths. What an honest check takes at most is 3.3 GB in the device, where persistent
 * blocks go through all of lesson 1's 64 Mi elements, and less than 0.1 GB in a runner: a machine
 * needs 8 GiB for it. Most checks take a tenth of that.
 */
#ifndef LIB_MEMORY_LIMITS_H
#define LIB_MEMORY_LIMITS_H

#include <stdint.h>

/* Of one check, in bytes. */
struct memory_limits {
    uint64_t device;      /* resident in the simulated device's process */
    uint64_t shared;      /* pinned and managed memory, by size */
    uint64_t runner;      /* resident in all processes of the submission */
    uint64_t device_ends; /* the device's process is ended: it grew faster than it could look */
};

/* Of the machine, or of the container that this process is in, in bytes. */
uint64_t memory_of_machine(void);
/* The limits on a machine with so much. */
struct memory_limits memory_limits_of(uint64_t machine_bytes);
/* The limits here. */
struct memory_limits memory_limits(void);

#endif
