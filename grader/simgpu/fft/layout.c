/* layout.c - where the elements of a transform lie. */
#include "fft.h"

int64_t fft_last(const struct plan *plan, bool half)
{
    int64_t last = plan->size[plan->axes - 1];
    return half ? last / 2 + 1 : last;
}

struct layout fft_layout(const struct plan *plan, bool output, bool half, bool padded)
{
    if (!plan->packed)
        return output ? plan->out : plan->in;
    struct layout layout = {.stride = 1, .distance = 1};
    for (int i = 0; i < plan->axes; i++)
        layout.embed[i] = plan->size[i];
    layout.embed[plan->axes - 1] = padded ? 2 * fft_last(plan, true) : fft_last(plan, half);
    for (int i = 0; i < plan->axes; i++)
        layout.distance *= layout.embed[i];
    return layout;
}

int64_t fft_place(const struct plan *plan, const struct layout *layout, int64_t last, int batch,
                  int64_t i)
{
    int64_t place = 0, index[FFT_MOST_AXES];
    for (int axis = plan->axes - 1; axis >= 0; axis--) {
        int64_t size = axis == plan->axes - 1 ? last : plan->size[axis];
        index[axis] = i % size;
        i /= size;
    }
    for (int axis = 0; axis < plan->axes; axis++)
        place = place * (axis ? layout->embed[axis] : 1) + index[axis];
    return batch * layout->distance + place * layout->stride;
}

int64_t fft_span(const struct plan *plan, const struct layout *layout, int64_t last)
{
    int64_t count = last;
    for (int axis = 0; axis < plan->axes - 1; axis++)
        count *= plan->size[axis];
    return fft_place(plan, layout, last, plan->batches - 1, count - 1) + 1;
}
