/* operation.h - a kernel, copy, set or free that was done: what it touched, and what it is called.
 */
#ifndef DEVICE_OPERATION_H
#define DEVICE_OPERATION_H

#include "order.h"

struct operation {
    struct operation *next;
    struct order_place place;
    enum work_kind kind;
    const char *kernel;   /* its mangled name; NULL for what is no launch */
    struct sim_line line; /* of the kernel, or of the call; line 0 if unknown */
    struct sim_extent extent;
};

/* Note what work touched; launch is the kernel's, or NULL. A free, which is yet to be done, counts
 * as a write of all that is freed. False if that is not known. */
bool operation_touches(struct operation *operation, struct sim_context *context,
                       const struct work *work, const struct launch *launch);
/* Note only what a copy reads. False when memory is exhausted. */
bool operation_reads(struct operation *operation, const struct copy_request *copy);
void operation_free(struct operation *operation);

/* Keep one; old ones are dropped when there are too many. */
void operations_append(struct operations *operations, struct operation *operation);

/* The line of the only instructions that can have touched the bytes in that way; where several can,
 * the operation's own. */
struct sim_line operation_line_at(const struct operation *operation, struct sim_bytes bytes,
                                  bool written);
/* "kernel sum", "a copy"; and where, if line is not NULL and known. */
void operation_name(const struct operation *operation, const struct sim_line *line, char *text,
                    size_t size);

#endif
