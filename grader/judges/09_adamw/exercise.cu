// Lesson 9, AdamW over a list of tensors. First `make notes`, and read build/notes/09_adamw.html.
// What the launcher must do: common/contracts/09_adamw.h
// Judge it with: make check-lesson9        Stuck? make hint-lesson9
#include "contracts/09_adamw.h"

#include <cuda_fp16.h>
#include <float.h>
#include <math.h>

// What is the same for all elements of a step. Powers are taken in double: rounded to a float,
// 0.999^2 is off by so much that 1 - 0.999^2 may be off by 250 times 2^-24 of itself.
struct rates {
    float lr;           // decayed
    float first_scale;  // 1 / (1 - beta1^t)
    float second_scale; // 1 / sqrt(1 - beta2^t)
};

// One element, all of it in registers. Weight decay goes around m and v: it is subtracted from p
// next to the update, and takes the p before it.
static __device__ void update(const struct quest_adamw &hyper, const struct rates &rates, float g,
                              float &p, float &m, float &v)
{
    m = hyper.beta1 * m + (1.0f - hyper.beta1) * g;
    v = hyper.beta2 * v + (1.0f - hyper.beta2) * g * g;
    float step = m * rates.first_scale / (sqrtf(v) * rates.second_scale + hyper.eps);
    p -= rates.lr * (hyper.weight_decay * p + step);
}

// quest: begin
// TODO: make two launches at most of all these, whatever is in the list. Roughly 80 lines: cut the
// tensors into chunks of one size, hand the list to the kernel as a parameter (a struct of up to
// 32,764 bytes), and let each block find its chunk's tensor there.
//
// As it is: one thread works out the schedule and leaves it in the workspace, and then each tensor
// has a launch of its own. A list of 148 tensors is 149 launches, and most are over before the next
// one has begun.
enum { THREADS = 256 };

static __global__ void schedule(struct quest_adamw hyper, const uint64_t *step, struct rates *rates)
{
    double t = (double)*step + 1.0;
    rates->lr = (float)(hyper.lr * pow((double)hyper.decay_rate,
                                       (double)*step / (double)hyper.decay_steps));
    rates->first_scale = (float)(1.0 / (1.0 - pow((double)hyper.beta1, t)));
    rates->second_scale = (float)(1.0 / sqrt(1.0 - pow((double)hyper.beta2, t)));
}

static __global__ void adamw(struct quest_adamw_tensor tensor, struct quest_adamw hyper,
                             const struct rates *rates)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= tensor.n)
        return;
    float g = tensor.half_gradient ? (float)((const __half *)tensor.g)[i]
                                   : ((const float *)tensor.g)[i];
    update(hyper, *rates, g, tensor.p[i], tensor.m[i], tensor.v[i]);
}

static void launch(const struct quest_adamw_tensor *tensors, int count,
                   const struct quest_adamw &hyper, const uint64_t *step, void *workspace,
                   cudaStream_t stream)
{
    struct rates *rates = (struct rates *)workspace;
    schedule<<<1, 1, 0, stream>>>(hyper, step, rates);
    for (int i = 0; i < count; i++) {
        int64_t blocks = (tensors[i].n + THREADS - 1) / THREADS;
        if (blocks > 0)
            adamw<<<(unsigned)blocks, THREADS, 0, stream>>>(tensors[i], hyper, rates);
    }
}
// quest: end

static bool is_in_range(const struct quest_adamw &hyper)
{
    return hyper.lr >= 0 && hyper.lr <= FLT_MAX && hyper.beta1 >= 0 && hyper.beta1 < 1 &&
           hyper.beta2 >= 0 && hyper.beta2 < 1 && hyper.eps > 0 && hyper.eps <= FLT_MAX &&
           hyper.weight_decay >= 0 && hyper.weight_decay <= FLT_MAX && hyper.decay_rate > 0 &&
           hyper.decay_rate <= 1 && hyper.decay_steps >= 1;
}

// All elements of the list, or -1 if the contract refuses it.
static int64_t elements_of(const struct quest_adamw_tensor *tensors, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        const struct quest_adamw_tensor &t = tensors[i];
        if (t.n < 0 || t.n > LESSON9_MOST_ELEMENTS - sum)
            return -1;
        if (t.n > 0 && (!t.p || !t.g || !t.m || !t.v))
            return -1;
        sum += t.n;
    }
    return sum;
}

cudaError_t lesson9_adamw(const struct quest_adamw_tensor *tensors, int count,
                          const struct quest_adamw *hyper, const uint64_t *step, void *workspace,
                          cudaStream_t stream)
{
    if (count < 0 || count > LESSON9_MOST_TENSORS || !is_in_range(*hyper))
        return cudaErrorInvalidValue;
    int64_t elements = elements_of(tensors, count);
    if (elements <= 0)
        return elements < 0 ? cudaErrorInvalidValue : cudaSuccess;
    launch(tensors, count, *hyper, step, workspace, stream);
    return cudaGetLastError();
}
