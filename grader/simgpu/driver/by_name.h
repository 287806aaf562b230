/* by_name.h - the versions of the driver's functions: what versions.awk writes for by_name.c. */
#ifndef DRIVER_BY_NAME_H
#define DRIVER_BY_NAME_H

struct driver_version {
    const char *name;   /* as programs ask for it */
    int since;          /* version of CUDA: 12020 is 12.2 */
    const char *symbol; /* the function of that version */
};

extern const struct driver_version DRIVER_VERSIONS[]; /* a name of NULL ends it */

#endif
