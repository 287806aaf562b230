/* blaslt.c - matrix products as requests and as work.
 *
 * The arithmetic is a library of its own (../blaslt/product.c on OpenBLAS), loaded when the first
 * product comes: most programs have none, and loading it takes longer than they do.
 */
#include "blaslt.h"

#include "../blaslt/product.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a query costs the host, measured on an H200 as 9 to 120 us: the modelled time line advances
 * by it. */
static const double HOST_QUERY_NS = 30000;

/* --- Requests --------------------------------------------------------------------------------- */

bool blaslt_accept(struct exchange *exchange, const void *payload, uint64_t payload_bytes)
{
    const struct matmul_call *call = payload;
    struct algo algo;
    uint64_t workspace_bytes;
    if (payload_bytes == sizeof *call && algo_open(call->algo, &algo) &&
        algo_check(&call->problem, &algo, &workspace_bytes) == ALGO_OK &&
        workspace_bytes <= call->at.workspace_bytes)
        return true;
    exchange_fail(exchange, CUDA_INVALID_VALUE, "a matrix product does not fit its algorithm");
    return false;
}

void request_matmul_search(struct exchange *exchange)
{
    struct client *client = exchange->client;
    const struct matmul_search *search = (const struct matmul_search *)exchange->payload;
    if (exchange->request.payload_bytes != sizeof *search ||
        algo_check_problem(&search->problem) != ALGO_OK) {
        exchange_fail(exchange, CUDA_INVALID_VALUE, "this is not a matrix product");
        return;
    }
    struct matmul_candidate *candidates = calloc(MATMUL_MOST_CANDIDATES, sizeof *candidates);
    if (!candidates) {
        exchange_fail(exchange, CUDA_MEMORY_ALLOCATION, "the simulating machine is out of memory");
        return;
    }
    size_t found = blaslt_search(sim_machine_profile(client->device->machine), search, candidates);
    if (!search->by_library) {
        client->host_ns += HOST_QUERY_NS;
        client_count(client, &client->device->calls.heuristic_queries);
    }
    exchange->answer = (unsigned char *)candidates;
    exchange->reply.payload_bytes = found * sizeof *candidates;
}

/* --- The arithmetic --------------------------------------------------------------------------- */

/* Next to us, like our other libraries: build/bin/simgpu and build/lib/libproduct.so. */
static product_function *load_product(void)
{
    char path[4096] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    char *slash = length > 0 ? strrchr(path, '/') : NULL;
    if (!slash)
        return NULL;
    strcpy(slash, "/../lib/libproduct.so");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    product_function *run = NULL;
    if (library)
        *(void **)&run = dlsym(library, "product_run");
    return run;
}

static product_function *product;
static pthread_once_t product_once = PTHREAD_ONCE_INIT;
/* One product at a time: OpenBLAS has one set of threads. */
static pthread_mutex_t product_lock = PTHREAD_MUTEX_INITIALIZER;

static void load_once(void)
{
    product = load_product();
}

/* --- Once is enough ------------------------------------------------------------------------------
 * A program that times candidates asks for one product repeatedly. The arithmetic does not depend
 * on the algorithm, except for how split sums are added and where the product is rounded: as long
 * as nothing else has written to device memory, the result is there already. */

/* The last product, without what makes no difference, and device->memory_changes after it. */
static struct {
    struct matmul_call call;
    uint64_t client, changes;
    bool known;
} latest;

static bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return a < b + b_bytes && b < a + a_bytes;
}

/* From the first byte to the last of the last matrix of the batch. */
static uint64_t span_bytes(uint64_t line, uint64_t lines, int64_t ld, int64_t stride,
                           uint32_t batches, uint32_t element_bytes)
{
    uint64_t elements = (lines - 1) * (uint64_t)ld + line + (batches - 1) * (uint64_t)stride;
    return elements * element_bytes;
}

static uint64_t matrix_span(const struct matmul_problem *problem,
                            const struct matmul_matrix *matrix)
{
    return span_bytes(matmul_line(matrix), matmul_lines(matrix), matrix->ld, matrix->batch_stride,
                      problem->batch_count, matmul_type_bytes(matrix->type));
}

/* Memory that the host cannot write without our knowledge. */
static bool is_on_device(struct sim_context *context, uint64_t address)
{
    struct sim_range range;
    return sim_find(context, address, &range) && range.kind == SIM_MEMORY_DEVICE;
}

/* Would the same call, made again, leave the same in memory with any algorithm? */
static bool is_repeatable(struct client *client, const struct matmul_call *call,
                          const struct algo *algo)
{
    const struct matmul_problem *problem = &call->problem;
    const struct matmul_places *at = &call->at;
    uint64_t d_bytes = matrix_span(problem, &problem->d);
    bool plain = problem->epilogue == MATMUL_EPILOGUE_DEFAULT ||
                 !(problem->epilogue &
                   ~(uint32_t)(MATMUL_EPILOGUE_RELU | MATMUL_EPILOGUE_GELU | MATMUL_EPILOGUE_BIAS));
    bool in_fp32 = algo->reduction == MATMUL_REDUCTION_NONE ||
                   algo->reduction == MATMUL_REDUCTION_COMPUTE_TYPE;
    return plain && in_fp32 && call->scale_place == MATMUL_SCALE_HOST && call->beta == 0 &&
           call->beta_imaginary == 0 &&
           !overlap(at->d, d_bytes, at->a, matrix_span(problem, &problem->a)) &&
           !overlap(at->d, d_bytes, at->b, matrix_span(problem, &problem->b)) &&
           (!at->bias || !overlap(at->d, d_bytes, at->bias,
                                  matmul_m(problem) * matmul_type_bytes(problem->bias_type))) &&
           is_on_device(client->context, at->a) && is_on_device(client->context, at->b) &&
           is_on_device(client->context, at->d) &&
           (!at->bias || is_on_device(client->context, at->bias));
}

/* Compute it, unless it is there. False when memory is exhausted; product_lock is held. */
static bool compute(struct client *client, const struct matmul_call *call, const struct algo *algo,
                    const struct product *asked)
{
    atomic_uint_fast64_t *changes = &client->device->memory_changes;
    struct matmul_call same = *call;
    bool repeatable = is_repeatable(client, call, algo);
    memset(same.algo, 0, sizeof same.algo);
    same.algo[0] = asked->finished_apart;
    same.at.workspace = same.at.workspace_bytes = 0;
    if (repeatable && latest.known && latest.client == client->number &&
        latest.changes == atomic_load(changes) && memcmp(&latest.call, &same, sizeof same) == 0)
        return true;
    latest.known = false;
    atomic_fetch_add(changes, 1);
    if (!product(asked))
        return false;
    latest.call = same;
    latest.client = client->number;
    latest.changes = atomic_fetch_add(changes, 1) + 1;
    latest.known = repeatable;
    return true;
}

/* --- Operands --------------------------------------------------------------------------------- */

static void *find_matrix(struct finder *finder, const char *what, uint64_t address,
                         const struct matmul_matrix *matrix, const struct matmul_problem *problem,
                         bool written)
{
    return finder_need(finder, what, address, matrix_span(problem, matrix), written);
}

/* The vector of the epilogue: a value for each row of D, or each column for BGRADB. */
static void *find_bias(struct finder *finder, const struct matmul_call *call)
{
    const struct matmul_problem *problem = &call->problem;
    const uint32_t gradient =
        MATMUL_EPILOGUE_BGRAD | MATMUL_EPILOGUE_BGRADA | MATMUL_EPILOGUE_BGRADB;
    if (!(problem->epilogue & (gradient | MATMUL_EPILOGUE_BIAS)))
        return NULL;
    uint64_t count =
        problem->epilogue & MATMUL_EPILOGUE_BGRADB ? matmul_n(problem) : matmul_m(problem);
    return finder_need(finder, "the bias", call->at.bias,
                       span_bytes(count, 1, 0, problem->bias_batch_stride, problem->batch_count,
                                  matmul_type_bytes(problem->bias_type)),
                       problem->epilogue & gradient);
}

static void *find_aux(struct finder *finder, const struct matmul_call *call)
{
    const struct matmul_problem *problem = &call->problem;
    if (!(problem->epilogue & MATMUL_EPILOGUE_AUX))
        return NULL;
    bool is_mask = problem->epilogue & (MATMUL_EPILOGUE_RELU | MATMUL_EPILOGUE_DRELU);
    bool backward = problem->epilogue & (MATMUL_EPILOGUE_DRELU | MATMUL_EPILOGUE_DGELU);
    uint64_t elements = span_bytes(matmul_m(problem), matmul_n(problem), problem->aux_ld,
                                   problem->aux_batch_stride, problem->batch_count, 1);
    uint64_t bytes = is_mask ? (elements + 7) / 8 : elements * matmul_type_bytes(problem->aux_type);
    return finder_need(finder, "the auxiliary matrix", call->at.aux, bytes, !backward);
}

static void find_scale(struct finder *finder, const char *what, uint64_t address, uint32_t type,
                       double *real, double *imaginary)
{
    const void *place = finder_find(finder, what, address, matmul_type_bytes(type), false);
    bool wide = type == MATMUL_F64 || type == MATMUL_C64;
    *real = *imaginary = 0;
    if (!place)
        return;
    *real = wide                 ? *(const double *)place
            : type == MATMUL_F16 ? (double)*(const _Float16 *)place
            : type == MATMUL_I32 ? (double)*(const int32_t *)place
                                 : (double)*(const float *)place;
    if (matmul_is_complex(type))
        *imaginary = wide ? ((const double *)place)[1] : (double)((const float *)place)[1];
}

static struct product product_of(struct finder *finder, const struct matmul_call *call,
                                 const struct algo *algo)
{
    const struct matmul_problem *problem = &call->problem;
    const struct matmul_places *at = &call->at;
    bool on_device = call->scale_place == MATMUL_SCALE_DEVICE;
    struct product product = {.problem = problem,
                              .alpha = call->alpha,
                              .beta = call->beta,
                              .alpha_imaginary = call->alpha_imaginary,
                              .beta_imaginary = call->beta_imaginary,
                              .splits = algo->splits,
                              .reduction = algo->reduction,
                              .finished_apart =
                                  algo_finishes_apart(algo_family(algo->family), problem)};
    if (on_device) {
        find_scale(finder, "alpha", call->alpha_address, problem->scale_type, &product.alpha,
                   &product.alpha_imaginary);
        find_scale(finder, "beta", call->beta_address, problem->scale_type, &product.beta,
                   &product.beta_imaginary);
    }
    if (at->a) {
        product.a = find_matrix(finder, "A", at->a, &problem->a, problem, false);
        product.b = find_matrix(finder, "B", at->b, &problem->b, problem, false);
    }
    if (product.beta != 0 || product.beta_imaginary != 0)
        product.c = find_matrix(finder, "C", at->c, &problem->c, problem, false);
    product.d = find_matrix(finder, "D", at->d, &problem->d, problem, true);
    product.bias = find_bias(finder, call);
    product.aux = find_aux(finder, call);
    uint64_t workspace_bytes;
    algo_check(problem, algo, &workspace_bytes);
    finder_find(finder, "the workspace", at->workspace, workspace_bytes, true);
    return product;
}

/* --- What is remembered ----------------------------------------------------------------------- */

static void name_kernel(const struct matmul_call *call, const struct algo *algo, char *name,
                        size_t bytes)
{
    const struct matmul_problem *problem = &call->problem;
    const struct algo_tile *tile = algo_tile(algo->tile);
    const char *type = problem->a.type == MATMUL_F16                      ? "f16"
                       : problem->a.type == MATMUL_BF16                   ? "bf16"
                       : problem->a.type == MATMUL_I8                     ? "i8"
                       : problem->a.type == MATMUL_F64                    ? "f64"
                       : problem->a.type == MATMUL_C32                    ? "c32"
                       : problem->a.type == MATMUL_C64                    ? "c64"
                       : problem->compute == MATMUL_COMPUTE_32F_FAST_TF32 ? "tf32"
                                                                          : "f32";
    int used =
        snprintf(name, bytes, "%s_%s_%s_%ux%u_%c%c", call->by_cublas ? "cublas_gemm" : "cublasLt",
                 type, algo_family(algo->family)->name, tile->rows, tile->columns,
                 problem->transpose_a ? 't' : 'n', problem->transpose_b ? 't' : 'n');
    if (algo->splits > 1)
        snprintf(name + used, bytes - (size_t)used, "_split%u", algo->splits);
}

/* --- The work --------------------------------------------------------------------------------- */

/* False when something was not found, or memory is exhausted; product_lock is held. */
static bool run_one(struct client *client, const struct matmul_call *call, const struct algo *algo,
                    struct finder *finder)
{
    struct product work = product_of(finder, call, algo);
    work.threads = pool_workers(client->device->pool);
    return !finder->what && compute(client, call, algo, &work);
}

/* An entry of an array of pointers, if there is one; it is not NULL. */
static uint64_t entry(struct finder *finder, const char *what, uint64_t array, uint32_t index)
{
    const uint64_t *place =
        array ? finder_find(finder, what, array + index * sizeof *place, sizeof *place, false)
              : NULL;
    if (place)
        finder_need(finder, what, *place, 1, false);
    return place ? *place : 0;
}

/* A product for each entry of the arrays of pointers. */
static bool run_arrays(struct client *client, const struct matmul_call *call,
                       const struct algo *algo, struct finder *finder)
{
    struct matmul_call one = *call;
    bool done = true;
    one.problem.batch_count = 1;
    for (uint32_t i = 0; done && i < call->problem.batch_count; i++) {
        one.at.a = entry(finder, "the pointers to A", call->at.a, i);
        one.at.b = entry(finder, "the pointers to B", call->at.b, i);
        one.at.c = entry(finder, "the pointers to C", call->at.c, i);
        one.at.d = entry(finder, "the pointers to C", call->at.d, i);
        done = !finder->what && run_one(client, &one, algo, finder);
    }
    return done;
}

double blaslt_execute(struct client *client, struct work *work)
{
    const struct matmul_call *call = (const struct matmul_call *)work->payload;
    const struct sim_profile *profile = sim_machine_profile(client->device->machine);
    struct finder finder = {.context = client->context};
    struct algo algo;
    char name[160], message[320];
    algo_open(call->algo, &algo);
    name_kernel(call, &algo, name, sizeof name);
    struct library_estimate estimate = blaslt_estimate(profile, &call->problem, &algo);
    pthread_once(&product_once, load_once);
    pthread_mutex_lock(&product_lock);
    bool done = product && (call->pointer_arrays ? run_arrays(client, call, &algo, &finder)
                                                 : run_one(client, call, &algo, &finder));
    pthread_mutex_unlock(&product_lock);
    if (done) {
        library_remember(client, name, &estimate);
        return estimate.time_ns;
    }
    if (finder.what) {
        snprintf(message, sizeof message, "%s: %s: %s",
                 call->by_cublas ? "cuBLAS, gemm" : "cublasLtMatmul", finder.what,
                 finder.error.message);
        library_fail(client, name, &estimate, CUDA_ILLEGAL_ADDRESS, message);
    } else {
        library_fail(client, name, &estimate, CUDA_MEMORY_ALLOCATION,
                     product ? "the simulating machine is out of memory"
                             : "a matrix product needs OpenBLAS on this machine: make setup");
    }
    return 0;
}
