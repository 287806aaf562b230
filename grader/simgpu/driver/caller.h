/* caller.h - the caller of the driver: the library or program, and which of its functions. */
#ifndef DRIVER_CALLER_H
#define DRIVER_CALLER_H

#include <limits.h>
#include <stdbool.h>

struct caller {
    char path[PATH_MAX]; /* of the file that called; "" when the stack does not tell */
    const char *name;    /* its last part, in path */
    char function[128];  /* of that file, which another file called, or "" */
    bool is_program;     /* the program itself, not a library */
};

/* For use in a function that the driver's caller calls. */
void caller_find(struct caller *caller);
/* The same for the file that holds the code at that address, without its function; false when none
 * does. */
bool caller_at(const void *address, struct caller *caller);
/* Does the file contain NVIDIA's CUDA runtime? */
bool caller_holds_runtime(const struct caller *caller);

/* refuse.c: is the file of that name, without its folder, a library of NVIDIA's that has a runtime
 * of its own, or a runtime? */
bool driver_is_nvidias(const char *file);

#endif
