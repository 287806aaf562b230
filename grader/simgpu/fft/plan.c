/* plan.c - plans, and how they are set. */
#include "fft.h"

#include <cufftXt.h>
#include <pthread.h>

enum { MOST_PLANS = 1024, WORK_BYTES = 256 };

static struct plan plans[MOST_PLANS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct plan *fft_plan(cufftHandle handle)
{
    return handle > 0 && handle < MOST_PLANS && plans[handle].used ? &plans[handle] : NULL;
}

cufftResult cufftCreate(cufftHandle *handle)
{
    if (!handle)
        return CUFFT_INVALID_VALUE;
    if (cudaFree(NULL) != cudaSuccess)
        return CUFFT_SETUP_FAILED;
    pthread_mutex_lock(&lock);
    int free_place = 1;
    while (free_place < MOST_PLANS && plans[free_place].used)
        free_place++;
    if (free_place < MOST_PLANS)
        plans[free_place] = (struct plan){.used = true};
    pthread_mutex_unlock(&lock);
    *handle = free_place;
    return free_place < MOST_PLANS ? CUFFT_SUCCESS : CUFFT_ALLOC_FAILED;
}

cufftResult cufftDestroy(cufftHandle handle)
{
    struct plan *plan = fft_plan(handle);
    if (!plan)
        return CUFFT_INVALID_PLAN;
    plan->used = false;
    return CUFFT_SUCCESS;
}

/* --- Sizes ------------------------------------------------------------------------------------ */

static struct layout layout_of(int axes, const long long *embed, long long stride,
                               long long distance)
{
    struct layout layout = {.stride = stride, .distance = distance};
    for (int i = 0; embed && i < axes; i++)
        layout.embed[i] = embed[i];
    return layout;
}

static bool type_is_known(cufftType type)
{
    return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
           type == CUFFT_D2Z || type == CUFFT_Z2D;
}

cufftResult cufftMakePlanMany64(cufftHandle handle, int axes, long long *size, long long *in_embed,
                                long long in_stride, long long in_distance, long long *out_embed,
                                long long out_stride, long long out_distance, cufftType type,
                                long long batches, size_t *work)
{
    struct plan *plan = fft_plan(handle);
    if (!plan || plan->made)
        return CUFFT_INVALID_PLAN;
    if (!size || axes < 1 || axes > FFT_MOST_AXES)
        return CUFFT_INVALID_VALUE;
    if (!type_is_known(type))
        return CUFFT_INVALID_TYPE;
    if (batches < 1)
        return CUFFT_INVALID_SIZE;
    for (int i = 0; i < axes; i++) {
        if (size[i] < 1)
            return CUFFT_INVALID_SIZE;
        plan->size[i] = size[i];
    }
    plan->type = type;
    plan->axes = axes;
    plan->batches = (int)batches;
    plan->packed = !in_embed || !out_embed;
    plan->in = layout_of(axes, in_embed, in_stride, in_distance);
    plan->out = layout_of(axes, out_embed, out_stride, out_distance);
    plan->made = true;
    if (work)
        *work = WORK_BYTES;
    return CUFFT_SUCCESS;
}

static long long *widen(const int *from, int count, long long *to)
{
    for (int i = 0; from && i < count && i < FFT_MOST_AXES; i++)
        to[i] = from[i];
    return from ? to : NULL;
}

cufftResult cufftMakePlanMany(cufftHandle handle, int axes, int *size, int *in_embed, int in_stride,
                              int in_distance, int *out_embed, int out_stride, int out_distance,
                              cufftType type, int batches, size_t *work)
{
    long long sizes[FFT_MOST_AXES], in[FFT_MOST_AXES], out[FFT_MOST_AXES];
    return cufftMakePlanMany64(handle, axes, widen(size, axes, sizes), widen(in_embed, axes, in),
                               in_stride, in_distance, widen(out_embed, axes, out), out_stride,
                               out_distance, type, batches, work);
}

/* Types by name instead of a kind: those that a kind has. */
cufftResult cufftXtMakePlanMany(cufftHandle handle, int axes, long long *size, long long *in_embed,
                                long long in_stride, long long in_distance, cudaDataType in,
                                long long *out_embed, long long out_stride, long long out_distance,
                                cudaDataType out, long long batches, size_t *work,
                                cudaDataType computed_in)
{
    static const struct {
        cudaDataType in, out;
        cufftType type;
    } kinds[] = {{CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
                 {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
                 {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
    (void)computed_in;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].in == in && kinds[i].out == out)
            return cufftMakePlanMany64(handle, axes, size, in_embed, in_stride, in_distance,
                                       out_embed, out_stride, out_distance, kinds[i].type, batches,
                                       work);
    simgpu_extension()->explain("cuFFT with types %d and %d is not supported by the simulated "
                                "device",
                                (int)in, (int)out);
    return CUFFT_NOT_SUPPORTED;
}

static cufftResult make(cufftHandle handle, int axes, const int *size, cufftType type, int batches,
                        size_t *work)
{
    long long sizes[FFT_MOST_AXES];
    return cufftMakePlanMany64(handle, axes, widen(size, axes, sizes), NULL, 1, 0, NULL, 1, 0, type,
                               batches, work);
}

cufftResult cufftMakePlan1d(cufftHandle handle, int x, cufftType type, int batches, size_t *work)
{
    return make(handle, 1, &x, type, batches, work);
}

cufftResult cufftMakePlan2d(cufftHandle handle, int x, int y, cufftType type, size_t *work)
{
    return make(handle, 2, (int[]){x, y}, type, 1, work);
}

cufftResult cufftMakePlan3d(cufftHandle handle, int x, int y, int z, cufftType type, size_t *work)
{
    return make(handle, 3, (int[]){x, y, z}, type, 1, work);
}

/* --- Plans in one call ------------------------------------------------------------------------ */

static cufftResult keep(cufftHandle handle, cufftResult made)
{
    if (made != CUFFT_SUCCESS)
        cufftDestroy(handle);
    return made;
}

#define PLAN(name, PARAMETERS, call)               \
    cufftResult name PARAMETERS                    \
    {                                              \
        cufftResult created = cufftCreate(handle); \
        if (created != CUFFT_SUCCESS)              \
            return created;                        \
        return keep(*handle, call);                \
    }

PLAN(cufftPlan1d, (cufftHandle * handle, int x, cufftType type, int batches),
     cufftMakePlan1d(*handle, x, type, batches, NULL))
PLAN(cufftPlan2d, (cufftHandle * handle, int x, int y, cufftType type),
     cufftMakePlan2d(*handle, x, y, type, NULL))
PLAN(cufftPlan3d, (cufftHandle * handle, int x, int y, int z, cufftType type),
     cufftMakePlan3d(*handle, x, y, z, type, NULL))
PLAN(cufftPlanMany,
     (cufftHandle * handle, int axes, int *size, int *in_embed, int in_stride, int in_distance,
      int *out_embed, int out_stride, int out_distance, cufftType type, int batches),
     cufftMakePlanMany(*handle, axes, size, in_embed, in_stride, in_distance, out_embed, out_stride,
                       out_distance, type, batches, NULL))

/* --- Settings --------------------------------------------------------------------------------- */

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    struct plan *plan = fft_plan(handle);
    if (!plan)
        return CUFFT_INVALID_PLAN;
    plan->stream = stream;
    return CUFFT_SUCCESS;
}

/* Nothing is kept in a work area, so any will do. */
cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic)
{
    (void)automatic;
    return fft_plan(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    (void)area;
    return fft_plan(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftGetSize(cufftHandle handle, size_t *work)
{
    if (!fft_plan(handle))
        return CUFFT_INVALID_PLAN;
    if (!work)
        return CUFFT_INVALID_VALUE;
    *work = WORK_BYTES;
    return CUFFT_SUCCESS;
}

#define ESTIMATE(name, ...)             \
    cufftResult name(__VA_ARGS__)       \
    {                                   \
        if (!work)                      \
            return CUFFT_INVALID_VALUE; \
        *work = WORK_BYTES;             \
        return CUFFT_SUCCESS;           \
    }

ESTIMATE(cufftEstimate1d, int x, cufftType type, int batches, size_t *work)
ESTIMATE(cufftEstimate2d, int x, int y, cufftType type, size_t *work)
ESTIMATE(cufftEstimate3d, int x, int y, int z, cufftType type, size_t *work)
ESTIMATE(cufftGetSize1d, cufftHandle handle, int x, cufftType type, int batches, size_t *work)
ESTIMATE(cufftGetSize2d, cufftHandle handle, int x, int y, cufftType type, size_t *work)
ESTIMATE(cufftGetSize3d, cufftHandle handle, int x, int y, int z, cufftType type, size_t *work)

/* --- The library ------------------------------------------------------------------------------ */

cufftResult cufftGetVersion(int *version)
{
    if (!version)
        return CUFFT_INVALID_VALUE;
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    if (!value || type > PATCH_LEVEL)
        return CUFFT_INVALID_VALUE;
    const int values[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
    *value = values[type];
    return CUFFT_SUCCESS;
}

int fft_missing(const char *function);

int fft_missing(const char *function)
{
    simgpu_extension()->explain("%s is not supported by the simulated device", function);
    return CUFFT_NOT_SUPPORTED;
}
