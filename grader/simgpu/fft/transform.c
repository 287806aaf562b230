/* transform.c - discrete Fourier transforms of any size, without a factor in front.
 *
 * One axis is split by the smallest prime factor of its size: p transforms of every p-th element,
 * combined with roots of unity. A size that is a large prime costs its square.
 */
#include "fft.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

struct axis {
    int64_t size;
    number *roots;   /* the size-th roots of unity, in the transform's direction */
    number *scratch; /* as many as the largest factor */
};

static int64_t smallest_factor(int64_t size)
{
    for (int64_t factor = 2; factor * factor <= size; factor++)
        if (size % factor == 0)
            return factor;
    return size;
}

/* out[q * m + k] = sum over r of root^(r * (q * m + k)) times part r's element k. */
static void combine(const struct axis *axis, number *out, int64_t size, int64_t factor)
{
    int64_t m = size / factor, step = axis->size / size;
    for (int64_t k = 0; k < m; k++) {
        for (int64_t r = 0; r < factor; r++)
            axis->scratch[r] = out[r * m + k] * axis->roots[r * k * step];
        for (int64_t q = 0; q < factor; q++) {
            number sum = 0;
            for (int64_t r = 0; r < factor; r++)
                sum += axis->scratch[r] * axis->roots[r * q % factor * m * step];
            out[q * m + k] = sum;
        }
    }
}

static void transform_part(const struct axis *axis, const number *in, int64_t stride, number *out,
                           int64_t size)
{
    if (size == 1) {
        *out = *in;
        return;
    }
    int64_t factor = smallest_factor(size);
    for (int64_t r = 0; r < factor; r++)
        transform_part(axis, in + r * stride, stride * factor, out + r * (size / factor),
                       size / factor);
    combine(axis, out, size, factor);
}

static bool make_axis(struct axis *axis, int64_t size, int sign)
{
    const double pi = 3.14159265358979323846;
    axis->size = size;
    axis->roots = malloc((size_t)size * sizeof *axis->roots);
    axis->scratch = malloc((size_t)size * sizeof *axis->scratch);
    if (!axis->roots || !axis->scratch)
        return false;
    for (int64_t i = 0; i < size; i++) {
        double angle = 2 * pi * (double)i / (double)size;
        axis->roots[i] = cos(angle) + sign * sin(angle) * I;
    }
    return true;
}

/* Lines of `size` elements, `stride` apart, through all of count elements. */
static bool transform_axis(number *values, int64_t count, int64_t size, int64_t stride, int sign)
{
    struct axis axis = {0};
    number *line = malloc((size_t)size * sizeof *line);
    bool ready = line && make_axis(&axis, size, sign);
    for (int64_t first = 0; ready && first < count; first += size * stride)
        for (int64_t offset = 0; offset < stride; offset++) {
            number *start = values + first + offset;
            transform_part(&axis, start, stride, line, size);
            for (int64_t i = 0; i < size; i++)
                start[i * stride] = line[i];
        }
    free(line);
    free(axis.roots);
    free(axis.scratch);
    return ready;
}

bool fft_transform(number *values, int axes, const int64_t *size, int sign)
{
    int64_t count = 1, stride = 1;
    for (int i = 0; i < axes; i++)
        count *= size[i];
    for (int i = axes - 1; i >= 0; i--) {
        if (!transform_axis(values, count, size[i], stride, sign))
            return false;
        stride *= size[i];
    }
    return true;
}
