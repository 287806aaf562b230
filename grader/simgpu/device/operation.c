/* operation.c - see operation.h. */
#include "operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many of the latest operations are kept, with so many ranges of bytes in all. */
enum { MOST_OPERATIONS = 1024, MOST_RANGES = 1 << 21 };

/* Some rows of a copy may be cut off, like ranges of a kernel. */
enum { MOST_ROWS = 1 << 16 };

static uint64_t ranges_of(const struct operation *operation)
{
    uint64_t ranges = 0;
    for (int touch = 0; touch < SIM_TOUCHES; touch++)
        ranges += operation->extent.count[touch];
    return ranges;
}

void operation_free(struct operation *operation)
{
    if (operation)
        sim_extent_free(&operation->extent);
    free(operation);
}

static void drop_first(struct operations *operations)
{
    struct operation *first = operations->first;
    operations->first = first->next;
    if (!operations->first)
        operations->end = NULL;
    operations->count--;
    operations->ranges -= ranges_of(first);
    operation_free(first);
}

void operations_free(struct operations *operations)
{
    while (operations->first)
        drop_first(operations);
}

void operations_append(struct operations *operations, struct operation *operation)
{
    struct operation **end = operations->end ? operations->end : &operations->first;
    *end = operation;
    operations->end = &operation->next;
    operations->count++;
    operations->ranges += ranges_of(operation);
    while (operations->count > MOST_OPERATIONS || operations->ranges > MOST_RANGES)
        drop_first(operations);
}

/* --- What an operation touches ---------------------------------------------------------------- */

struct box {
    uint64_t address, width, height, depth, pitch, slice;
};

static bool add_box(struct sim_extent *extent, enum sim_touch touch, const struct box *box)
{
    for (uint64_t z = 0, rows = 0; z < box->depth; z++)
        for (uint64_t y = 0; y < box->height && rows < MOST_ROWS; y++, rows++) {
            uint64_t low = box->address + z * box->slice + y * box->pitch;
            if (!sim_extent_add(extent, touch, (struct sim_bytes){low, low + box->width}))
                return false;
        }
    return true;
}

static bool add_read(struct sim_extent *extent, const struct copy_request *copy)
{
    const struct box box = {copy->from,  copy->width,      copy->height,
                            copy->depth, copy->from_pitch, copy->from_slice};
    return add_box(extent, SIM_TOUCH_READ, &box);
}

static bool add_copy(struct sim_extent *extent, const struct copy_request *copy)
{
    const struct box box = {copy->to,    copy->width,    copy->height,
                            copy->depth, copy->to_pitch, copy->to_slice};
    return add_box(extent, SIM_TOUCH_WRITE, &box) &&
           (copy->kind == COPY_FROM_HOST || add_read(extent, copy));
}

static bool add_set(struct sim_extent *extent, const struct set_request *set)
{
    const struct box box = {set->to, set->width * set->element_bytes, set->height, 1, set->pitch,
                            0};
    return add_box(extent, SIM_TOUCH_WRITE, &box);
}

static bool add_free(struct sim_extent *extent, struct sim_context *context, uint64_t address)
{
    struct sim_range range;
    return sim_find(context, address, &range) &&
           sim_extent_add(extent, SIM_TOUCH_WRITE,
                          (struct sim_bytes){range.address, range.address + range.size_bytes});
}

bool operation_touches(struct operation *operation, struct sim_context *context,
                       const struct work *work, const struct launch *launch)
{
    switch (work->kind) {
    case WORK_LAUNCH: return launch && sim_launch_extent(launch, &operation->extent);
    case WORK_COPY: return add_copy(&operation->extent, &work->request.copy);
    case WORK_SET: return add_set(&operation->extent, &work->request.set);
    case WORK_FREE:
        return add_free(&operation->extent, context, work->request.free_in_order.address);
    default: return false;
    }
}

bool operation_reads(struct operation *operation, const struct copy_request *copy)
{
    return add_read(&operation->extent, copy);
}

/* --- What it is called ------------------------------------------------------------------------ */

static const char *base_name(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file;
}

struct sim_line operation_line_at(const struct operation *operation, struct sim_bytes bytes,
                                  bool written)
{
    const struct sim_extent *extent = &operation->extent;
    const struct sim_line *found = NULL;
    for (size_t i = 0; i < extent->toucher_count; i++) {
        const struct sim_toucher *toucher = &extent->touchers[i];
        if (toucher->writes != written || toucher->within.low >= bytes.high ||
            toucher->within.high <= bytes.low || toucher->line.line == 0)
            continue;
        if (found && (found->line != toucher->line.line || found->file != toucher->line.file))
            return operation->line;
        found = &toucher->line;
    }
    return found ? *found : operation->line;
}

void operation_name(const struct operation *operation, const struct sim_line *line, char *text,
                    size_t size)
{
    char plain[80] = "";
    const char *what = operation->kind == WORK_SET    ? "a memset"
                       : operation->kind == WORK_FREE ? "cudaFreeAsync()"
                                                      : "a copy";
    if (operation->kernel)
        sim_plain_name(operation->kernel, plain, sizeof plain);
    int used = snprintf(text, size, "%s%s", *plain ? "kernel " : what, plain);
    if (line && line->line)
        snprintf(text + used, size - (size_t)used, " (%.60s:%u)", base_name(line->file),
                 line->line);
}
