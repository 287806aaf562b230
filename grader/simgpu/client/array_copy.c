/* array_copy.c - copies to and from CUDA arrays by functions of their own. cudaMemcpy3D takes
 * arrays too: copy.c and box.c. */
#include "client.h"

/* One side of a copy: memory of a pitch, or an array. Offsets count bytes and rows. */
struct side {
    const struct cudaArray *array; /* or NULL */
    uint64_t address, pitch;
    uint64_t x, y;        /* in the array */
    uint64_t width, rows; /* of the array */
};

static struct side side_of_array(cudaArray_const_t handle, size_t x, size_t y)
{
    const struct cudaArray *array = array_of(handle);
    if (!array)
        return (struct side){0};
    uint64_t height = array->extent.height ? array->extent.height : 1;
    return (struct side){.array = array,
                         .address = array->address,
                         .pitch = array->pitch,
                         .x = x,
                         .y = y,
                         .width = array->extent.width * array->element_bytes,
                         .rows = height};
}

static struct side side_of_memory(const void *pointer, size_t pitch)
{
    return (struct side){.address = (uint64_t)pointer, .pitch = pitch};
}

/* Are width bytes of that many rows, from its position, within the side? */
static bool holds(const struct side *side, uint64_t width, uint64_t rows)
{
    return !side->array || (side->x <= side->width && width <= side->width - side->x &&
                            side->y <= side->rows && rows <= side->rows - side->y);
}

static uint64_t start_of(const struct side *side)
{
    return side->address + side->y * side->pitch + side->x;
}

static cudaError_t copy_rows(const struct side *to, const struct side *from, uint64_t width,
                             uint64_t rows, enum cudaMemcpyKind kind, struct CUstream_st *stream,
                             bool asynchronous)
{
    const struct box box = {.to = start_of(to),
                            .from = start_of(from),
                            .to_pitch = to->pitch,
                            .to_slice = to->pitch * rows,
                            .from_pitch = from->pitch,
                            .from_slice = from->pitch * rows,
                            .width = width,
                            .height = rows,
                            .depth = 1,
                            .kind = kind,
                            .asynchronous = asynchronous};
    if (!to->address || !from->address)
        return cudaErrorInvalidValue;
    if ((!to->array && width > to->pitch) || (!from->array && width > from->pitch))
        return cudaErrorInvalidPitchValue; /* before and since CUDA 13, unlike without arrays */
    if (!holds(to, width, rows) || !holds(from, width, rows))
        return cudaErrorInvalidValue;
    return copy_box(stream, &box);
}

/* --- By rows ---------------------------------------------------------------------------------- */

static cudaError_t copy_2d(struct side to, struct side from, size_t width, size_t rows,
                           enum cudaMemcpyKind kind, struct CUstream_st *stream, bool asynchronous)
{
    return copy_rows(&to, &from, width, rows, kind, stream, asynchronous);
}

BOTH(_ptds, cudaMemcpy2DToArray,
     (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
      size_t height, enum cudaMemcpyKind kind),
     copy_2d(side_of_array(to, x, y), side_of_memory(from, pitch), width, height, kind,
             stream_of(0, default_stream), false))
BOTH(_ptsz, cudaMemcpy2DToArrayAsync,
     (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
      size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
     copy_2d(side_of_array(to, x, y), side_of_memory(from, pitch), width, height, kind,
             stream_of(stream, default_stream), true))
BOTH(_ptds, cudaMemcpy2DFromArray,
     (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
      size_t height, enum cudaMemcpyKind kind),
     copy_2d(side_of_memory(to, pitch), side_of_array(from, x, y), width, height, kind,
             stream_of(0, default_stream), false))
BOTH(_ptsz, cudaMemcpy2DFromArrayAsync,
     (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
      size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
     copy_2d(side_of_memory(to, pitch), side_of_array(from, x, y), width, height, kind,
             stream_of(stream, default_stream), true))
BOTH(_ptds, cudaMemcpy2DArrayToArray,
     (cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
      size_t from_y, size_t width, size_t height, enum cudaMemcpyKind kind),
     copy_2d(side_of_array(to, to_x, to_y), side_of_array(from, from_x, from_y), width, height,
             kind, stream_of(0, default_stream), false))

/* --- By bytes, from row to row ---------------------------------------------------------------- */

/* The most bytes in one piece of the copy: the rest of the side's row. */
static uint64_t rest_of_row(const struct side *side, uint64_t count)
{
    uint64_t rest = side->array ? side->width - side->x : count;
    return rest < count ? rest : count;
}

static void go_on(struct side *side, uint64_t bytes)
{
    if (!side->array) {
        side->address += bytes;
        return;
    }
    side->x += bytes;
    side->y += side->x / side->width;
    side->x %= side->width;
}

/* Whole rows that both sides can move at once; 0 in the middle of a row. */
static uint64_t whole_rows(const struct side *to, const struct side *from, uint64_t count)
{
    uint64_t width = to->array ? to->width : from->width;
    bool to_begins = !to->array || to->x == 0;
    bool from_begins = !from->array || (from->x == 0 && from->width == width);
    return to_begins && from_begins ? count / width : 0;
}

static cudaError_t copy_bytes(struct side to, struct side from, size_t count,
                              enum cudaMemcpyKind kind, struct CUstream_st *stream,
                              bool asynchronous)
{
    if ((to.array && to.x >= to.width) || (from.array && from.x >= from.width) || !to.address ||
        !from.address)
        return cudaErrorInvalidValue;
    while (count) {
        uint64_t rows = whole_rows(&to, &from, count);
        uint64_t to_rest = rest_of_row(&to, count), from_rest = rest_of_row(&from, count);
        uint64_t width = to_rest < from_rest ? to_rest : from_rest;
        rows = rows ? rows : 1;
        if (!to.array)
            to.pitch = width;
        if (!from.array)
            from.pitch = width;
        cudaError_t error = copy_rows(&to, &from, width, rows, kind, stream, asynchronous);
        if (error != cudaSuccess)
            return error;
        go_on(&to, width * rows);
        go_on(&from, width * rows);
        count -= width * rows;
    }
    return cudaSuccess;
}

BOTH(_ptds, cudaMemcpyToArray,
     (cudaArray_t to, size_t x, size_t y, const void *from, size_t count, enum cudaMemcpyKind kind),
     copy_bytes(side_of_array(to, x, y), side_of_memory(from, 0), count, kind,
                stream_of(0, default_stream), false))
BOTH(_ptsz, cudaMemcpyToArrayAsync,
     (cudaArray_t to, size_t x, size_t y, const void *from, size_t count, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     copy_bytes(side_of_array(to, x, y), side_of_memory(from, 0), count, kind,
                stream_of(stream, default_stream), true))
BOTH(_ptds, cudaMemcpyFromArray,
     (void *to, cudaArray_const_t from, size_t x, size_t y, size_t count, enum cudaMemcpyKind kind),
     copy_bytes(side_of_memory(to, 0), side_of_array(from, x, y), count, kind,
                stream_of(0, default_stream), false))
BOTH(_ptsz, cudaMemcpyFromArrayAsync,
     (void *to, cudaArray_const_t from, size_t x, size_t y, size_t count, enum cudaMemcpyKind kind,
      cudaStream_t stream),
     copy_bytes(side_of_memory(to, 0), side_of_array(from, x, y), count, kind,
                stream_of(stream, default_stream), true))
BOTH(_ptds, cudaMemcpyArrayToArray,
     (cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
      size_t from_y, size_t count, enum cudaMemcpyKind kind),
     copy_bytes(side_of_array(to, to_x, to_y), side_of_array(from, from_x, from_y), count, kind,
                stream_of(0, default_stream), false))
