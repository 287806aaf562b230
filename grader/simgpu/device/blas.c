/* blas.c - see blas.h. */
#include "blas.h"

#include "../blas/arithmetic.h"
#include "library_work.h"

#include <math.h>
#include <stdio.h>

/* --- Requests --------------------------------------------------------------------------------- */

bool blas_accept(struct exchange *exchange, const void *payload, uint64_t payload_bytes)
{
    bool fits = payload_bytes == sizeof(struct blas_call) && blas_is_sound(payload);
    if (!fits)
        exchange_fail(exchange, CUDA_INVALID_VALUE, "this is not an operation of cuBLAS");
    return fits;
}

/* --- Operands --------------------------------------------------------------------------------- */

static uint64_t step_size(const struct blas_vector *vector)
{
    return vector->step < 0 ? -(uint64_t)vector->step : (uint64_t)vector->step;
}

/* What is needed to find an operand and to count what it moves. */
struct gathering {
    struct finder finder;
    const struct blas_call *call;
    double read_bytes, written_bytes;
};

static bool is_zero(struct blas_factor factor)
{
    return factor.real == 0 && factor.imaginary == 0;
}

static void *gather(struct gathering *gathering, const char *what, enum blas_use use,
                    struct blas_factor factor, uint64_t address, uint64_t span, uint64_t elements)
{
    double bytes = (double)elements * blas_type_bytes(gathering->call->type);
    if (use == BLAS_UNUSED || elements == 0 || (use == BLAS_READ_SCALED && is_zero(factor)))
        return NULL;
    gathering->read_bytes += bytes;
    gathering->written_bytes += use == BLAS_WRITTEN ? bytes : 0;
    return finder_need(&gathering->finder, what, address,
                       span * blas_type_bytes(gathering->call->type), use == BLAS_WRITTEN);
}

static void *gather_vector(struct gathering *gathering, const char *what, enum blas_use use,
                           struct blas_factor factor, const struct blas_vector *vector,
                           uint64_t count)
{
    return gather(gathering, what, use, factor, vector->address,
                  (count - 1) * step_size(vector) + 1, count);
}

static void *gather_matrix(struct gathering *gathering, const char *what, enum blas_use use,
                           struct blas_factor factor, const struct blas_matrix *matrix,
                           uint64_t rows, uint64_t columns)
{
    return gather(gathering, what, use, factor, matrix->address, (columns - 1) * matrix->ld + rows,
                  rows * columns);
}

static struct blas_factor scalar(struct gathering *gathering, const char *what,
                                 const struct blas_scalar *from)
{
    uint32_t type = (uint32_t)from->type;
    if (!from->address)
        return (struct blas_factor){from->value, from->imaginary};
    const void *place =
        finder_find(&gathering->finder, what, from->address, blas_type_bytes(type), false);
    if (!place)
        return (struct blas_factor){0};
    if (!blas_is_complex(type))
        return (struct blas_factor){blas_load(place, type, 0), 0};
    uint32_t part = type == BLAS_C64 ? BLAS_F64 : BLAS_F32;
    return (struct blas_factor){blas_load(place, part, 0), blas_load(place, part, 1)};
}

static struct blas_operands operands_of(struct gathering *gathering)
{
    const struct blas_call *call = gathering->call;
    uint32_t index = call->operation;
    struct blas_operands found = {.call = call};
    uint64_t rows, columns;
    found.alpha = scalar(gathering, "alpha", &call->alpha);
    found.beta = scalar(gathering, "beta", &call->beta);
    found.x = gather_vector(gathering, "x", BLAS_OPERANDS[index].x, found.alpha, &call->x,
                            blas_x_count(call));
    found.y = gather_vector(gathering, "y", BLAS_OPERANDS[index].y, found.alpha, &call->y,
                            blas_y_count(call));
    blas_a_shape(call, &rows, &columns);
    found.a =
        gather_matrix(gathering, "A", BLAS_OPERANDS[index].a, found.alpha, &call->a, rows, columns);
    blas_b_shape(call, &rows, &columns);
    found.b = gather_matrix(gathering, "B", BLAS_OPERANDS[index].b,
                            index == BLAS_GEAM ? found.beta : found.alpha, &call->b, rows, columns);
    found.c = gather_matrix(gathering, "C", BLAS_OPERANDS[index].c, found.alpha, &call->c, call->m,
                            call->n);
    uint32_t bytes = index == BLAS_AMAX || index == BLAS_AMIN
                         ? (call->flags & BLAS_WIDE_INDEX ? 8 : 4)
                         : blas_result_bytes(call);
    if (BLAS_OPERANDS[index].has_result)
        found.result = finder_find(&gathering->finder, "the result", call->result, bytes, true);
    return found;
}

/* --- Time ------------------------------------------------------------------------------------- */

/* Steps of a triangular system follow each other, in panels of this many rows. */
enum { PANEL_ROWS = 64, BLOCK_ELEMENTS = 1024 };

static struct library_estimate estimate_of(const struct sim_profile *profile,
                                           const struct gathering *gathering)
{
    const struct blas_call *call = gathering->call;
    double bytes = gathering->read_bytes + gathering->written_bytes;
    const struct sim_model *model = profile->model;
    double moving_ns = bytes / (profile->dram_bytes_per_s * 1e-9);
    double waiting_ns = model->vector_start_ns;
    if (BLAS_OPERANDS[call->operation].has_result) /* the sums of the blocks are added up */
        waiting_ns += profile->launch_ns + model->product_gather_ns;
    if (call->operation == BLAS_TRSM || call->operation == BLAS_STORED_TRSV)
        waiting_ns += model->panel_ns *
                      ceil((double)(call->flags & BLAS_LEFT ? call->m : call->n) / PANEL_ROWS);
    double elements = bytes / blas_type_bytes(call->type);
    return (struct library_estimate){.time_ns = profile->launch_ns + waiting_ns + moving_ns,
                                     .blocks = (uint64_t)ceil(elements / BLOCK_ELEMENTS),
                                     .dram_read_bytes = gathering->read_bytes,
                                     .dram_write_bytes = gathering->written_bytes,
                                     .l2_bytes = bytes,
                                     .bound = moving_ns > waiting_ns ? "DRAM" : "latency"};
}

/* --- The work --------------------------------------------------------------------------------- */

/* The address of operand i of a batch; 0 when its array of pointers cannot be read. */
static uint64_t of_batch(struct gathering *gathering, const char *what, enum blas_use use,
                         uint64_t address, int64_t stride, uint32_t i)
{
    const struct blas_call *call = gathering->call;
    if (use == BLAS_UNUSED || !(call->flags & BLAS_POINTERS))
        return address + (uint64_t)stride * i * blas_type_bytes(call->type);
    const uint64_t *place =
        finder_need(&gathering->finder, what, address + i * sizeof *place, sizeof *place, false);
    return place ? *place : 0;
}

static struct blas_call one_of_batch(struct gathering *gathering, uint32_t i)
{
    const struct blas_call *call = gathering->call;
    uint32_t index = call->operation;
    struct blas_call one = *call;
    one.x.address = of_batch(gathering, "the pointers to x", BLAS_OPERANDS[index].x,
                             call->x.address, call->x.stride, i);
    one.y.address = of_batch(gathering, "the pointers to y", BLAS_OPERANDS[index].y,
                             call->y.address, call->y.stride, i);
    one.a.address = of_batch(gathering, "the pointers to A", BLAS_OPERANDS[index].a,
                             call->a.address, call->a.stride, i);
    one.c.address = of_batch(gathering, "the pointers to C", BLAS_OPERANDS[index].c,
                             call->c.address, call->c.stride, i);
    return one;
}

/* False when memory is exhausted, or an operand is not there, which the finder knows. */
static bool compute_all(struct gathering *gathering)
{
    const struct blas_call *call = gathering->call;
    bool done = true;
    for (uint32_t i = 0; done && (i == 0 || i < call->batches); i++) {
        struct blas_call one = one_of_batch(gathering, i);
        gathering->call = &one;
        struct blas_operands operands = operands_of(gathering);
        done = !gathering->finder.what &&
               (blas_is_complex(call->type) ? blas_compute_complex : blas_compute)(&operands);
        gathering->call = call;
    }
    return done;
}

double blas_execute(struct client *client, struct work *work)
{
    const struct blas_call *call = (const struct blas_call *)work->payload;
    struct gathering gathering = {.finder = {.context = client->context}, .call = call};
    bool done = compute_all(&gathering);
    struct library_estimate estimate =
        estimate_of(sim_machine_profile(client->device->machine), &gathering);
    const char *type = call->type == BLAS_F64    ? "f64"
                       : call->type == BLAS_C32  ? "c32"
                       : call->type == BLAS_C64  ? "c64"
                       : call->type == BLAS_F16  ? "f16"
                       : call->type == BLAS_BF16 ? "bf16"
                                                 : "f32";
    char name[64], message[320];
    snprintf(name, sizeof name, "cublas_%s_%s", BLAS_OPERANDS[call->operation].name, type);
    if (gathering.finder.what) {
        snprintf(message, sizeof message, "cuBLAS, %s: %s: %s", BLAS_OPERANDS[call->operation].name,
                 gathering.finder.what, gathering.finder.error.message);
        library_fail(client, name, &estimate, CUDA_ILLEGAL_ADDRESS, message);
        return 0;
    }
    if (!done) {
        library_fail(client, name, &estimate, CUDA_MEMORY_ALLOCATION,
                     "the simulating machine is out of memory");
        return 0;
    }
    library_remember(client, name, &estimate);
    return estimate.time_ns;
}
