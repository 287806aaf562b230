/* fft.h - the drop-in libcufft: Fourier transforms, computed on the host.
 *
 * A transform waits for its plan's stream, copies the input to the host, computes in double
 * precision, and copies the result back in the order of that stream. The kernels with which a GPU
 * would do it are not modelled: a profile shows copies. A stream that is being captured is refused.
 *
 * Reading order: plan.c (what a program asks for), transform.c (the mathematics), layout.c (where
 * elements lie), execute.c. Every other function of the toolkit's library becomes a stub that says
 * its name: ../client/stubs.awk.
 */
#ifndef FFT_FFT_H
#define FFT_FFT_H

#include "../client/extension.h"

#include <cufft.h>

typedef double _Complex number;

enum { FFT_MOST_AXES = 3 };

/* Where the elements of one side lie: embed, stride and distance in elements of that side. */
struct layout {
    int64_t embed[FFT_MOST_AXES], stride, distance;
};

struct plan {
    bool used, made;
    cufftType type;
    int axes, batches;
    int64_t size[FFT_MOST_AXES]; /* the last varies fastest */
    bool packed;                 /* no layout was given: real rows are padded when in place */
    struct layout in, out;
    cudaStream_t stream;
};

/* NULL: no such plan. A plan stays where it is. */
struct plan *fft_plan(cufftHandle handle);

/* In place, over the axis-th of the plan's axes and all others; sign as cuFFT's directions. */
bool fft_transform(number *values, int axes, const int64_t *size, int sign);

/* Elements of a side that a transform has: half of the last axis for complex ones of a real
 * transform. */
int64_t fft_last(const struct plan *plan, bool half);
/* Where element `i` (in row order, the last axis with `last` elements) of a batch lies. */
int64_t fft_place(const struct plan *plan, const struct layout *layout, int64_t last, int batch,
                  int64_t i);
/* The layout of a side: `padded` for real elements in place. */
struct layout fft_layout(const struct plan *plan, bool output, bool half, bool padded);
/* One more than the largest place. */
int64_t fft_span(const struct plan *plan, const struct layout *layout, int64_t last);

#endif
