/* program.c - the parts of a program: the images that nvcc put into it, and which host names stand
 * for which kernels and variables.
 *
 * Before main, the code nvcc generates registers each image (a fatbin) with its kernels and
 * variables (crt/host_runtime.h). An image is sent to the device when a part of it is first used.
 * library.c makes images the same way, at any time.
 */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct variable {
    const void *symbol; /* the host's shadow of it, or of a managed one its pointer */
    const char *name;
    uint64_t address, size_bytes;
    bool managed;
    struct variable *next;
};

struct image {
    const void *bytes;
    size_t size_bytes;
    uint64_t module;   /* of the device; 0 until first used */
    cudaError_t error; /* why it cannot be loaded */
    struct kernel *kernels;
    struct variable *variables;
    struct image *next;
};

/* The layout of what __cudaRegisterFatBinary is given: fatbinary_section.h of the toolkit. */
struct wrapper {
    int magic, version;
    const void *data;
    void *const *pieces; /* of version 2, from nvcc -rdc=true: what data was linked from, to NULL */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct image *images;

/* Names the generated code calls; the headers do not declare them for C. */
void **__cudaRegisterFatBinary(void *handed);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *stub, char *stub_name, const char *name,
                            int limit, void *tid, void *bid, void *bdim, void *gdim, int *wsize);
void __cudaRegisterVar(void **handle, char *symbol, char *unused, const char *name, int external,
                       size_t size_bytes, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **symbol, char *unused, const char *name,
                              int external, size_t size_bytes, int constant, int global);
char __cudaInitModule(void **handle);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub);

/* --- Registering ------------------------------------------------------------------------------ */

/* A fatbin's header says how long it is: u32 magic, u16 version, u16 header bytes, u64 the rest. */
static size_t fatbin_bytes(const void *data)
{
    uint16_t header;
    uint64_t rest;
    memcpy(&header, (const char *)data + 6, sizeof header);
    memcpy(&rest, (const char *)data + 8, sizeof rest);
    return header + rest;
}

static struct image *add_image(const void *bytes, size_t size_bytes)
{
    struct image *image = calloc(1, sizeof *image);
    if (!image)
        return NULL;
    image->bytes = bytes;
    image->size_bytes = size_bytes;
    pthread_mutex_lock(&lock);
    image->next = images;
    images = image;
    pthread_mutex_unlock(&lock);
    return image;
}

/* The linked fatbin, which has machine code only, followed by those of the pieces with their PTX:
 * one image, which lives as long as the program. */
static struct image *add_linked_image(const struct wrapper *wrapper)
{
    size_t size_bytes = fatbin_bytes(wrapper->data), used = size_bytes;
    for (void *const *piece = wrapper->pieces; *piece; piece++)
        size_bytes += fatbin_bytes(*piece);
    char *bytes = malloc(size_bytes);
    if (!bytes)
        return NULL;
    memcpy(bytes, wrapper->data, used);
    for (void *const *piece = wrapper->pieces; *piece; used += fatbin_bytes(*piece), piece++)
        memcpy(bytes + used, *piece, fatbin_bytes(*piece));
    return add_image(bytes, size_bytes);
}

void **__cudaRegisterFatBinary(void *handed)
{
    const struct wrapper *wrapper = handed;
    return (void **)(wrapper->version == 2 && wrapper->pieces
                         ? add_linked_image(wrapper)
                         : add_image(wrapper->data, fatbin_bytes(wrapper->data)));
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

/* The device forgets a module with its program; an image unloaded earlier (dlclose) only loses its
 * names. */
void __cudaUnregisterFatBinary(void **handle)
{
    struct image *gone = (struct image *)handle;
    pthread_mutex_lock(&lock);
    for (struct image **link = &images; *link; link = &(*link)->next)
        if (*link == gone) {
            *link = gone->next;
            break;
        }
    pthread_mutex_unlock(&lock);
}

static struct kernel *add_kernel(struct image *image, const void *stub, const char *name)
{
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    kernel->image = image;
    kernel->stub = stub;
    kernel->name = name;
    kernel->carveout = -1;
    if (!handle_add(kernel, HANDLE_KERNEL)) {
        free(kernel);
        return NULL;
    }
    kernel->next = image->kernels;
    image->kernels = kernel;
    return kernel;
}

void __cudaRegisterFunction(void **handle, const char *stub, char *stub_name, const char *name,
                            int limit, void *tid, void *bid, void *bdim, void *gdim, int *wsize)
{
    (void)stub_name, (void)limit, (void)tid, (void)bid, (void)bdim, (void)gdim, (void)wsize;
    pthread_mutex_lock(&lock);
    add_kernel((struct image *)handle, stub, name);
    pthread_mutex_unlock(&lock);
}

static void add_variable(struct image *image, const void *symbol, const char *name,
                         size_t size_bytes, bool managed)
{
    struct variable *variable = calloc(1, sizeof *variable);
    if (!variable)
        return;
    *variable = (struct variable){symbol, name, 0, size_bytes, managed, image->variables};
    pthread_mutex_lock(&lock);
    image->variables = variable;
    pthread_mutex_unlock(&lock);
}

void __cudaRegisterVar(void **handle, char *symbol, char *unused, const char *name, int external,
                       size_t size_bytes, int constant, int global)
{
    (void)unused, (void)external, (void)constant, (void)global;
    add_variable((struct image *)handle, symbol, name, size_bytes, false);
}

void __cudaRegisterManagedVar(void **handle, void **symbol, char *unused, const char *name,
                              int external, size_t size_bytes, int constant, int global)
{
    (void)unused, (void)external, (void)constant, (void)global;
    add_variable((struct image *)handle, symbol, name, size_bytes, true);
}

/* --- Loading ---------------------------------------------------------------------------------- */

/* A managed variable is at the same address for host and device: fill in the host's pointer. */
static cudaError_t connect_managed(struct image *image)
{
    for (struct variable *variable = image->variables; variable; variable = variable->next) {
        struct call call = new_call(REQUEST_SYMBOL);
        if (!variable->managed)
            continue;
        call.request.name.module = image->module;
        call.payload = variable->name;
        call.payload_bytes = strlen(variable->name) + 1;
        cudaError_t error = perform(&call);
        if (error == cudaSuccess)
            error = memory_share(call.reply.value[0]);
        if (error != cudaSuccess)
            return error;
        *(void **)variable->symbol = (void *)call.reply.value[0];
    }
    return cudaSuccess;
}

static cudaError_t load(struct image *image)
{
    if (image->module || image->error != cudaSuccess)
        return image->error;
    struct call call = new_call(REQUEST_MODULE);
    call.payload = image->bytes;
    call.payload_bytes = image->size_bytes;
    image->error = perform(&call);
    if (image->error != cudaSuccess) {
        explain("%.250s", call.reply.message);
        return image->error;
    }
    image->module = call.reply.value[0];
    return connect_managed(image);
}

char __cudaInitModule(void **handle)
{
    pthread_mutex_lock(&lock);
    cudaError_t error = load((struct image *)handle);
    pthread_mutex_unlock(&lock);
    return error == cudaSuccess;
}

void program_forget(void)
{
    pthread_mutex_lock(&lock);
    for (struct image *image = images; image; image = image->next) {
        image->module = 0;
        image->error = cudaSuccess;
        for (struct kernel *kernel = image->kernels; kernel; kernel = kernel->next) {
            free(kernel->parameters);
            kernel->parameters = NULL;
            kernel->handle = 0;
            kernel->dynamic_shared_most = 0;
            kernel->allows_wide_clusters = kernel->must_cluster = false;
            kernel->policy = cudaClusterSchedulingPolicyDefault;
            memset(kernel->cluster, 0, sizeof kernel->cluster);
        }
        for (struct variable *variable = image->variables; variable; variable = variable->next)
            variable->address = 0;
    }
    pthread_mutex_unlock(&lock);
}

/* --- Kernels ---------------------------------------------------------------------------------- */

static cudaError_t resolve(struct kernel *kernel)
{
    if (kernel->handle)
        return cudaSuccess;
    cudaError_t error = load(kernel->image);
    if (error != cudaSuccess)
        return error;
    struct call call = new_call(REQUEST_KERNEL);
    call.request.name.module = kernel->image->module;
    call.payload = kernel->name;
    call.payload_bytes = strlen(kernel->name) + 1;
    error = perform(&call);
    if (error != cudaSuccess) {
        free(call.answer);
        return error == cudaErrorSymbolNotFound ? cudaErrorInvalidDeviceFunction : error;
    }
    kernel->info = call.reply.kernel;
    kernel->parameters = call.answer;
    kernel->handle = call.reply.kernel.kernel;
    if (kernel->dynamic_shared_most == 0) /* until cudaFuncSetAttribute says otherwise */
        kernel->dynamic_shared_most = 48 * 1024 - (int)kernel->info.static_shared_bytes;
    return cudaSuccess;
}

/* By host stub, or the structure itself, which is what a cudaKernel_t is here. */
static struct kernel *find_kernel(const void *function)
{
    if (handle_is(function, HANDLE_KERNEL))
        return (struct kernel *)function;
    for (struct image *image = images; image; image = image->next)
        for (struct kernel *kernel = image->kernels; kernel; kernel = kernel->next)
            if (kernel->stub == function)
                return kernel;
    return NULL;
}

cudaError_t program_kernel(const void *function, struct kernel **found)
{
    cudaError_t error = cudaErrorInvalidDeviceFunction;
    pthread_mutex_lock(&lock);
    *found = function ? find_kernel(function) : NULL;
    if (*found)
        error = resolve(*found);
    pthread_mutex_unlock(&lock);
    return error;
}

/* Called by every stub once; the kernel itself is looked for when it is launched. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub)
{
    pthread_mutex_lock(&lock);
    struct kernel *found = find_kernel(stub);
    pthread_mutex_unlock(&lock);
    *kernel = (cudaKernel_t)found;
    return api(found ? cudaSuccess : cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *stub)
{
    return kernel && stub ? __cudaGetKernel(kernel, stub) : api(cudaErrorInvalidValue);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *stub)
{
    return function && stub ? __cudaGetKernel((cudaKernel_t *)function, stub)
                            : api(cudaErrorInvalidValue);
}

/* --- Variables -------------------------------------------------------------------------------- */

static struct variable *find_variable(const void *symbol, struct image **image)
{
    for (*image = images; *image; *image = (*image)->next)
        for (struct variable *variable = (*image)->variables; variable; variable = variable->next)
            if (variable->symbol == symbol)
                return variable;
    return NULL;
}

static cudaError_t address_of(struct image *image, const char *name, uint64_t *address,
                              uint64_t *size_bytes)
{
    struct call call = new_call(REQUEST_SYMBOL);
    cudaError_t error = load(image);
    if (error != cudaSuccess)
        return error;
    call.request.name.module = image->module;
    call.payload = name;
    call.payload_bytes = strlen(name) + 1;
    error = perform(&call);
    *address = call.reply.value[0];
    *size_bytes = call.reply.value[1];
    return error == cudaErrorSymbolNotFound ? cudaErrorInvalidSymbol : error;
}

/* The device's address and size of the variable a host symbol stands for. */
static cudaError_t look_up(const void *symbol, uint64_t *address, uint64_t *size_bytes)
{
    struct image *image;
    cudaError_t error = cudaErrorInvalidSymbol;
    pthread_mutex_lock(&lock);
    struct variable *variable = find_variable(symbol, &image);
    if (variable && !variable->address)
        error = address_of(image, variable->name, &variable->address, &variable->size_bytes);
    else if (variable)
        error = cudaSuccess;
    if (error == cudaSuccess) {
        *address = variable->address;
        *size_bytes = variable->size_bytes;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t program_symbol_part(const void *symbol, size_t offset, size_t count, void **address)
{
    uint64_t first, size_bytes;
    cudaError_t error = look_up(symbol, &first, &size_bytes);
    if (error != cudaSuccess)
        return error;
    *address = (void *)(first + offset);
    return offset <= size_bytes && count <= size_bytes - offset ? cudaSuccess
                                                                : cudaErrorInvalidValue;
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    uint64_t found = 0, size_bytes;
    if (!address)
        return api(cudaErrorInvalidValue);
    cudaError_t error = look_up(symbol, &found, &size_bytes);
    *address = (void *)found;
    return api(error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    uint64_t found, size_bytes = 0;
    if (!size)
        return api(cudaErrorInvalidValue);
    cudaError_t error = look_up(symbol, &found, &size_bytes);
    *size = size_bytes;
    return api(error);
}

/* --- For library.c ---------------------------------------------------------------------------- */

size_t program_image_bytes(const void *code)
{
    static const unsigned char MAGIC[] = {0x50, 0xED, 0x55, 0xBA};
    return memcmp(code, MAGIC, sizeof MAGIC) == 0 ? fatbin_bytes(code) : strlen(code) + 1;
}

struct image *program_add_library(void *bytes, size_t size_bytes, cudaError_t *error)
{
    struct image *image = add_image(bytes, size_bytes);
    *error = cudaErrorMemoryAllocation;
    if (!image)
        return NULL;
    pthread_mutex_lock(&lock);
    *error = load(image);
    pthread_mutex_unlock(&lock);
    return image;
}

/* A kernel that was not used before has no stub; its name is kept as long as the program runs. */
cudaError_t program_kernel_named(struct image *image, const char *name, struct kernel **kernel)
{
    pthread_mutex_lock(&lock);
    struct kernel *found = image->kernels;
    while (found && strcmp(found->name, name) != 0)
        found = found->next;
    if (!found) {
        char *copy = strdup(name);
        found = copy ? add_kernel(image, NULL, copy) : NULL;
    }
    cudaError_t error = found ? resolve(found) : cudaErrorMemoryAllocation;
    pthread_mutex_unlock(&lock);
    *kernel = found;
    return error == cudaErrorInvalidDeviceFunction ? cudaErrorSymbolNotFound : error;
}

cudaError_t program_variable_named(struct image *image, const char *name, uint64_t *address,
                                   uint64_t *size_bytes)
{
    pthread_mutex_lock(&lock);
    cudaError_t error = address_of(image, name, address, size_bytes);
    pthread_mutex_unlock(&lock);
    return error == cudaErrorInvalidSymbol ? cudaErrorSymbolNotFound : error;
}
