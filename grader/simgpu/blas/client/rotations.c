/* rotations.c - Givens rotations. What sets one up works on a few numbers, here on the host: with
 * numbers on the device the call waits for them, so no graph can hold it. */
#include "handle.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Numbers that a call reads and writes, on their way to or from where the pointer mode has them. */
static cublasStatus_t move(cublasHandle_t handle, void *to, const void *from, size_t bytes)
{
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
        memcpy(to, from, bytes);
        return CUBLAS_STATUS_SUCCESS;
    }
    cudaError_t error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, handle->stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(handle->stream);
    return status_of_error(error);
}

/* With numbers on the host no call has to wait. */
static cublasStatus_t check(cublasHandle_t handle, const char *function)
{
    if (!blas_handle_is_sound(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST
               ? CUBLAS_STATUS_SUCCESS
               : blas_check_no_capture(handle, function);
}

/* --- Setting one up --------------------------------------------------------------------------- */

/* (c s; -s c) turns (a, b) into (r, 0). a becomes r, and b what c and s can be told from. */
static void set_up(double *a, double *b, double *c, double *s)
{
    double sign = fabs(*a) > fabs(*b) ? *a : *b, r = copysign(hypot(*a, *b), sign), told = 1;
    *c = r != 0 ? *a / r : 1;
    *s = r != 0 ? *b / r : 0;
    if (fabs(*a) > fabs(*b))
        told = *s;
    else if (*c != 0)
        told = 1 / *c;
    *a = r;
    *b = r != 0 ? told : 0;
}

/* (c s; -conj(s) c), with a real c. */
static void set_up_complex(double complex *a, double complex b, double *c, double complex *s)
{
    double norm = hypot(cabs(*a), cabs(b)), size = cabs(*a);
    if (size == 0) {
        *c = 0;
        *s = 1;
        *a = b;
        return;
    }
    double complex direction = *a / size;
    *c = size / norm;
    *s = direction * conj(b) / norm;
    *a = direction * norm;
}

/* a and b, of so many bytes each, for a function that may be called. */
static cublasStatus_t begin(cublasHandle_t handle, const char *function, char *values,
                            const void *a, const void *b, size_t bytes)
{
    cublasStatus_t status = check(handle, function);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = move(handle, values, a, bytes);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = move(handle, values + bytes, b, bytes);
    return status;
}

#define ROTG(name, T)                                                                     \
    cublasStatus_t name(cublasHandle_t handle, T *a, T *b, T *c, T *s)                    \
    {                                                                                     \
        T values[2];                                                                      \
        double r, told, cosine, sine;                                                     \
        cublasStatus_t status = begin(handle, __func__, (char *)values, a, b, sizeof(T)); \
        if (status != CUBLAS_STATUS_SUCCESS)                                              \
            return status;                                                                \
        r = values[0], told = values[1];                                                  \
        set_up(&r, &told, &cosine, &sine);                                                \
        move(handle, a, &(T){(T)r}, sizeof(T));                                           \
        move(handle, b, &(T){(T)told}, sizeof(T));                                        \
        move(handle, c, &(T){(T)cosine}, sizeof(T));                                      \
        return move(handle, s, &(T){(T)sine}, sizeof(T));                                 \
    }
ROTG(cublasSrotg_v2, float)
ROTG(cublasDrotg_v2, double)

#define COMPLEX_ROTG(name, T, number, real)                                               \
    cublasStatus_t name(cublasHandle_t handle, T *a, T *b, real *c, T *s)                 \
    {                                                                                     \
        number values[2];                                                                 \
        double cosine;                                                                    \
        double complex r, sine;                                                           \
        cublasStatus_t status = begin(handle, __func__, (char *)values, a, b, sizeof(T)); \
        if (status != CUBLAS_STATUS_SUCCESS)                                              \
            return status;                                                                \
        r = values[0];                                                                    \
        set_up_complex(&r, values[1], &cosine, &sine);                                    \
        move(handle, a, &(number){(number)r}, sizeof(T));                                 \
        move(handle, c, &(real){(real)cosine}, sizeof(real));                             \
        return move(handle, s, &(number){(number)sine}, sizeof(T));                       \
    }
COMPLEX_ROTG(cublasCrotg_v2, cuComplex, float complex, float)
COMPLEX_ROTG(cublasZrotg_v2, cuDoubleComplex, double complex, double)

/* --- A modified rotation ---------------------------------------------------------------------- */

/* The matrix by rows that parameters stand for: a flag, then the elements by columns, of which the
 * flag may imply some. */
static bool matrix_of(const double parameters[5], double rotation[4])
{
    double h11 = parameters[1], h21 = parameters[2], h12 = parameters[3], h22 = parameters[4];
    switch ((int)parameters[0]) {
    case -1: break;
    case 0: h11 = h22 = 1; break;
    case 1: h12 = 1, h21 = -1; break;
    default: return false; /* -2: nothing changes */
    }
    rotation[0] = h11, rotation[1] = h12, rotation[2] = h21, rotation[3] = h22;
    return true;
}

cublasStatus_t blas_rotm(cublasHandle_t handle, cudaDataType type, int64_t n, void *x,
                         int64_t x_step, void *y, int64_t y_step, const void *parameters)
{
    size_t bytes = blas_type_bytes((uint32_t)type);
    char raw[5 * sizeof(double)];
    double values[5];
    cublasStatus_t status = check(handle, "cublasRotm");
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (!parameters)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (n <= 0)
        return CUBLAS_STATUS_SUCCESS;
    status = move(handle, raw, parameters, 5 * bytes);
    for (int i = 0; i < 5 && status == CUBLAS_STATUS_SUCCESS; i++)
        values[i] = blas_value(raw + (size_t)i * bytes, type);
    struct blas_call call = {.operation = BLAS_ROTM,
                             .type = (uint32_t)type,
                             .n = (uint64_t)n,
                             .x = {blas_address(x), x_step, 0},
                             .y = {blas_address(y), y_step, 0}};
    if (status != CUBLAS_STATUS_SUCCESS || !matrix_of(values, call.rotation))
        return status;
    return blas_submit(handle, &call);
}
