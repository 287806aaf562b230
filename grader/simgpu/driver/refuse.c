/* refuse.c - a call of the driver API that is not served: says why, once, and fails.
 *
 * The simulated device is reached through the drop-in libcudart and the libraries built on it. A
 * program may bring others: the static CUDA runtime (nvcc's default), the runtime of another
 * toolkit, or a library of NVIDIA's that holds a runtime of its own, as cuSOLVER, cuDNN and
 * NCCL do. All of them load libcuda.so.1 at the first call that needs a GPU, and under
 * `simgpu run` they find this one. So these libraries are refused when they call the driver, not
 * when they are linked, and no list of their functions is needed. To them it looks as if there were
 * no GPU: they answer with the error that they have for that.
 */
#include "../protocol.h"
#include "../socket.h"
#include "caller.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { CUDA_ERROR_NO_DEVICE = 100, SENTENCE_BYTES = 1200, MOST_SENTENCES = 16 };

#define OURS "link the toolkit's that the simulated device was built with, without an rpath"

/* Libraries that hold a runtime of their own, by how the names of their files begin. */
static const struct {
    const char *file, *title, *cure;
} LIBRARIES[] = {
    {"libcusolver", "cuSOLVER", "solve on the host"},
    {"libcudnn", "cuDNN", "write the layer as a kernel"},
    {"libnccl", "NCCL", "copy with cudaMemcpy: there is one device"},
    {"libnpp", "NPP", "write the filter as a kernel"},
    {"libnvjpeg", "nvJPEG", "decode on the host"},
    {"libcublas", "NVIDIA's own cuBLAS", OURS},
    {"libcurand.", "NVIDIA's own cuRAND", OURS},
    {"libcufft.", "NVIDIA's own cuFFT", OURS},
    {"libcusparse.", "NVIDIA's own cuSPARSE", OURS},
};
enum { LIBRARY_COUNT = sizeof LIBRARIES / sizeof *LIBRARIES };

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* --- Sentences -------------------------------------------------------------------------------- */

static void say_library(const struct caller *caller, int i, char *sentence)
{
    snprintf(sentence, SENTENCE_BYTES,
             "%s%s%s is not simulated (%s looks for a GPU): %s, or run "
             "the program on a GPU",
             caller->function, caller->function[0] ? ": " : "", LIBRARIES[i].title, caller->name,
             LIBRARIES[i].cure);
}

static void say_other_runtime(const struct caller *caller, char *sentence)
{
    snprintf(sentence, SENTENCE_BYTES,
             "the program loaded NVIDIA's own runtime, %.500s, in place "
             "of the simulated " SERVED_RUNTIME ": build it with the toolkit that the simulated "
             "device was built with, -cudart shared and no rpath",
             caller->path);
}

static void say_static(const struct caller *caller, char *sentence)
{
    snprintf(sentence, SENTENCE_BYTES,
             "%.500s holds the CUDA runtime as a static library (nvcc's "
             "default), which cannot reach the simulated device: link it with nvcc -cudart shared "
             "(CMake: set(CMAKE_CUDA_RUNTIME_LIBRARY Shared))",
             caller->path);
}

static void say_driver(const struct caller *caller, const char *function, char *sentence)
{
    snprintf(sentence, SENTENCE_BYTES,
             "%s (called by %.500s) is not simulated; of the driver API "
             "the calls for contexts, modules, memory, arrays, launches, streams and events are",
             function, caller->name[0] ? caller->name : "the program");
}

bool driver_is_nvidias(const char *file)
{
    for (int i = 0; i < LIBRARY_COUNT; i++)
        if (begins_with(file, LIBRARIES[i].file))
            return true;
    return begins_with(file, "libcudart.so") || begins_with(file, "libnvrtc.");
}

/* The sentence for this call. True when results are missing without it: the caller is a runtime,
 * or a library with one; a program that asks the driver itself may only want to know whether there
 * is one. */
static bool explain(const struct caller *caller, const char *function, char *sentence)
{
    for (int i = 0; i < LIBRARY_COUNT && !caller->is_program; i++)
        if (begins_with(caller->name, LIBRARIES[i].file)) {
            say_library(caller, i, sentence);
            return true;
        }
    sentence[0] = 0; /* NVRTC compiles without a driver, too */
    if (begins_with(caller->name, "libnvrtc."))
        return false;
    if (begins_with(caller->name, "libcudart.so")) {
        say_other_runtime(caller, sentence);
        return true;
    }
    if (caller_holds_runtime(caller)) {
        say_static(caller, sentence);
        return true;
    }
    say_driver(caller, function, sentence);
    return false;
}

/* --- Telling the device ----------------------------------------------------------------------- */

/* Wait until the device has noted it: the program may end with the next instruction. */
static void tell_device(void)
{
    const struct request refused = {.kind = REQUEST_REFUSED};
    struct reply reply;
    int line = socket_to_device();
    if (line >= 0 && socket_write(line, &refused, sizeof refused))
        socket_read(line, &reply, sizeof reply);
    if (line >= 0)
        close(line);
}

/* Each sentence once; the lock is held. */
static bool is_new(const char *sentence)
{
    static char said[MOST_SENTENCES][SENTENCE_BYTES];
    static int count;
    for (int i = 0; i < count; i++)
        if (strcmp(said[i], sentence) == 0)
            return false;
    if (count == MOST_SENTENCES)
        return false;
    strcpy(said[count++], sentence);
    return true;
}

int driver_refuse(const char *function);

int driver_refuse(const char *function)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct caller caller;
    char sentence[SENTENCE_BYTES];
    caller_find(&caller);
    bool misses = explain(&caller, function, sentence);
    pthread_mutex_lock(&lock);
    if (sentence[0] && is_new(sentence)) {
        fprintf(stderr, "simgpu: %s\n", sentence);
        if (misses)
            tell_device();
    }
    pthread_mutex_unlock(&lock);
    return CUDA_ERROR_NO_DEVICE;
}
