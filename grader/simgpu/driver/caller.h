/* caller.h - who called the driver: the library or program, and which of its functions. */
#ifndef DRIVER_CALLER_H
#define DRIVER_CALLER_H

#include <limits.h>
#include <stdbool.h>

struct caller {
    char path[PATH_MAX];       /* of the file that called; "" when the stack does not tell */
    const char *name;          /* its last part, in path */
    char function[128];        /* of that file, which another file called, or "" */
    bool is_program;           /* the program itself, not a library */
};

/* For use in a function that the driver's caller calls. */
void caller_find(struct caller *caller);
/* Does the file contain NVIDIA's CUDA runtime? */
bool caller_holds_runtime(const struct caller *caller);

#endif
