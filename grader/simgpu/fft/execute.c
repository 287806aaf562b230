/* execute.c - the functions that transform. */
#include "../client/on_host.h"
#include "fft.h"

#include <complex.h>

/* One side of a transform: real or complex, single or double, half of it or all. */
struct side {
    bool real, wide, half;
    size_t bytes; /* of an element */
    int64_t last, count;
    struct layout layout;
};

static struct side side_of(const struct plan *plan, bool output, bool in_place)
{
    cufftType type = plan->type;
    bool to_real = type == CUFFT_C2R || type == CUFFT_Z2D;
    bool from_real = type == CUFFT_R2C || type == CUFFT_D2Z;
    struct side side = {.real = output ? to_real : from_real,
                        .wide = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D};
    side.half = (to_real || from_real) && !side.real;
    side.bytes = (side.wide ? 8 : 4) * (side.real ? 1 : 2);
    side.last = fft_last(plan, side.half);
    side.count = side.last;
    for (int i = 0; i < plan->axes - 1; i++)
        side.count *= plan->size[i];
    side.layout = fft_layout(plan, output, side.half, side.real && in_place);
    return side;
}

static number get(const struct side *side, const void *from, int64_t i)
{
    if (side->real)
        return side->wide ? ((const double *)from)[i] : ((const float *)from)[i];
    return side->wide ? ((const double _Complex *)from)[i] : ((const float _Complex *)from)[i];
}

static void set(const struct side *side, void *to, int64_t i, number value)
{
    if (side->real && side->wide)
        ((double *)to)[i] = creal(value);
    else if (side->real)
        ((float *)to)[i] = (float)creal(value);
    else if (side->wide)
        ((double _Complex *)to)[i] = value;
    else
        ((float _Complex *)to)[i] = (float _Complex)value;
}

/* --- From half of a spectrum to all of it and back -------------------------------------------- */

/* The element whose conjugate this one is, if the result is real: every index counted backwards. */
static int64_t mirror(const struct plan *plan, int64_t i, int64_t last_of_half)
{
    int64_t index[FFT_MOST_AXES], place = 0;
    for (int axis = plan->axes - 1; axis >= 0; axis--) {
        index[axis] = (plan->size[axis] - i % plan->size[axis]) % plan->size[axis];
        i /= plan->size[axis];
    }
    for (int axis = 0; axis < plan->axes; axis++)
        place = place * (axis == plan->axes - 1 ? last_of_half : plan->size[axis]) + index[axis];
    return place;
}

static void read_batch(const struct plan *plan, const struct side *side, const void *from,
                       int batch, number *values, int64_t count)
{
    int64_t width = plan->size[plan->axes - 1];
    for (int64_t i = 0; i < count; i++) {
        bool mirrored = i % width >= side->last;
        int64_t element =
            mirrored ? mirror(plan, i, side->last) : i / width * side->last + i % width;
        number value = get(side, from, fft_place(plan, &side->layout, side->last, batch, element));
        values[i] = mirrored ? conj(value) : value;
    }
}

static void write_batch(const struct plan *plan, const struct side *side, void *to, int batch,
                        const number *values)
{
    int64_t width = plan->size[plan->axes - 1];
    for (int64_t i = 0; i < side->count; i++)
        set(side, to, fft_place(plan, &side->layout, side->last, batch, i),
            values[i / side->last * width + i % side->last]);
}

/* --- All batches ------------------------------------------------------------------------------ */

static bool transform_all(const struct plan *plan, const struct side *in, const void *from,
                          const struct side *out, void *to, int sign)
{
    int64_t count = 1;
    for (int i = 0; i < plan->axes; i++)
        count *= plan->size[i];
    number *values = malloc((size_t)count * sizeof *values);
    bool done = values;
    for (int batch = 0; done && batch < plan->batches; batch++) {
        read_batch(plan, in, from, batch, values, count);
        done = fft_transform(values, plan->axes, plan->size, sign);
        if (done)
            write_batch(plan, out, to, batch, values);
    }
    free(values);
    return done;
}

/* What lies between the elements of the output is stored as it was. */
static cufftResult execute(cufftHandle handle, cufftType type, void *input, void *output, int sign)
{
    struct plan *plan = fft_plan(handle);
    if (!plan || !plan->made)
        return CUFFT_INVALID_PLAN;
    if (plan->type != type || !input || !output)
        return CUFFT_INVALID_VALUE;
    struct side in = side_of(plan, false, input == output);
    struct side out = side_of(plan, true, input == output);
    size_t in_bytes = (size_t)fft_span(plan, &in.layout, in.last) * in.bytes;
    size_t out_bytes = (size_t)fft_span(plan, &out.layout, out.last) * out.bytes;
    void *from = on_host_fetch(plan->stream, input, in_bytes, "cuFFT");
    void *to = from ? on_host_fetch(plan->stream, output, out_bytes, "cuFFT") : NULL;
    bool done = to && transform_all(plan, &in, from, &out, to, sign) &&
                on_host_store(plan->stream, output, to, out_bytes, "cuFFT");
    free(from);
    free(to);
    return done ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

static bool is_direction(int direction)
{
    return direction == CUFFT_FORWARD || direction == CUFFT_INVERSE;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction)
{
    return is_direction(direction) ? execute(plan, CUFFT_C2C, in, out, direction)
                                   : CUFFT_INVALID_VALUE;
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction)
{
    return is_direction(direction) ? execute(plan, CUFFT_Z2Z, in, out, direction)
                                   : CUFFT_INVALID_VALUE;
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out)
{
    return execute(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return execute(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out)
{
    return execute(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}

cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return execute(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
