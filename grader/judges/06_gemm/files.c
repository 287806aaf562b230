/* files.c - lesson 6, in the runner: what load and save make of files, good and bad. */
#include "judges/06_gemm/calls.h"
#include "judges/06_gemm/front.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_LEFT = 2 };

struct file {
    struct lesson6_stamp stamp;
    unsigned char bytes[1 << 16];
    size_t size; /* of both */
};

static bool read_from(FILE *from, struct file *file)
{
    size_t stamp = from ? fread(&file->stamp, 1, sizeof file->stamp, from) : 0;
    file->size =
        stamp + (stamp == sizeof file->stamp ? fread(file->bytes, 1, sizeof file->bytes, from) : 0);
    return file->size >= sizeof file->stamp;
}

static bool read_file(const char *path, struct file *file)
{
    FILE *from = fopen(path, "rb");
    bool is_long_enough = read_from(from, file);
    if (from)
        fclose(from);
    return is_long_enough;
}

/* Does the file begin with the stamp that the contract describes? */
static bool is_stamped(const char *path)
{
    __typeof__(&cublasLtGetVersion) version =
        (__typeof__(version))behind_front("cublasLtGetVersion");
    struct lesson6_stamp want = {.magic = LESSON6_MAGIC};
    struct cudaDeviceProp properties;
    int device = 0;
    struct file *file = calloc(1, sizeof *file);
    bool is_right = file && version && read_file(path, file) &&
                    cudaGetDevice(&device) == cudaSuccess &&
                    cudaGetDeviceProperties(&properties, device) == cudaSuccess;
    if (is_right) {
        want.library_version = version();
        snprintf(want.device, sizeof want.device, "%s", properties.name);
        want.bytes = file->size - sizeof file->stamp;
        want.checksum = lesson6_checksum(file->bytes, want.bytes);
        is_right = memcmp(&file->stamp, &want, sizeof want) == 0;
    }
    free(file);
    return is_right;
}

static bool write_file(const char *path, const struct file *file)
{
    FILE *to = fopen(path, "wb");
    bool written = to && fwrite(file, 1, file->size, to) == file->size;
    return to && fclose(to) == 0 && written;
}

/* How the file is changed. Some changes leave a checksum that no longer fits; where the stamp is
 * wrong, nothing else is. */
static void spoil(struct file *file, int how)
{
    size_t bytes = file->size - sizeof file->stamp;
    switch (how) {
    case FLIPPED:
        if (bytes)
            file->bytes[bytes / 2] ^= 4;
        else
            file->stamp.checksum ^= 4;
        break;
    case CUT_SHORT: file->size -= bytes ? bytes / 2 + 1 : 1; break;
    case LENGTHENED:
        file->bytes[bytes] = 0;
        file->size++;
        break;
    case OTHER_VERSION: file->stamp.library_version++; break;
    case OTHER_DEVICE: memcpy(file->stamp.device, "some other device", 18); break;
    case EMPTY: file->size = 0; break;
    default: break;
    }
}

/* How many bytes a context would save. */
static cudaError_t saved_bytes(const struct judge_call *call, struct lesson6_context *context,
                               struct file *room, size_t *bytes)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s-aside", call->file);
    cudaError_t error = gemm_save(call, context, path);
    if (error == cudaSuccess && !read_file(path, room))
        error = GEMM_NO_FILE;
    *bytes = room->size;
    unlink(path);
    return error;
}

/* One bit is another: in what the stamp says of the plans, and at places all over these. */
static bool flip_one(struct file *file, size_t which)
{
    enum { BITS = 64, APART = 4, IN_STAMP = 3 * BITS / APART, IN_PLANS = 64 };
    uint64_t *const words[] = {&file->stamp.magic, &file->stamp.bytes, &file->stamp.checksum};
    size_t bytes = file->size - sizeof file->stamp;
    if (which < IN_STAMP)
        *words[which * APART / BITS] ^= UINT64_C(1) << which * APART % BITS;
    else if (bytes > 0)
        file->bytes[(bytes - 1) * (which - IN_STAMP) / (IN_PLANS - 1)] ^= 1;
    return which < IN_STAMP + (bytes > 0 ? IN_PLANS : 0);
}

/* The file of a neighbour: another letter of the device's name, its last one missing or one more
 * ("H200" and "H200 NVL"), or one in the zeros after it; a bit of the version, or the version
 * before; or one that was damaged elsewhere. False when there is no such neighbour. */
static bool make_neighbour(struct file *file, int how, size_t which)
{
    enum { VERSION_BITS = 24 };
    struct lesson6_stamp *stamp = &file->stamp;
    size_t letters = strnlen(stamp->device, sizeof stamp->device);
    if (how == FLIPPED)
        return flip_one(file, which);
    if (how == OTHER_VERSION) {
        stamp->library_version = which < VERSION_BITS
                                     ? stamp->library_version ^ UINT64_C(1) << which
                                     : stamp->library_version - 1;
        return which <= VERSION_BITS;
    }
    if (which < letters)
        stamp->device[which] ^= 1;
    else if (which == letters && letters > 0)
        stamp->device[letters - 1] = 0;
    else if (which == letters + 1 && which < sizeof stamp->device)
        stamp->device[letters] = 'N';
    else if (which == letters + 2)
        stamp->device[sizeof stamp->device - 1] ^= 1;
    return how == OTHER_DEVICE && letters > 0 && which <= letters + 2;
}

static bool refuses_neighbours(const struct judge_call *call, struct lesson6_context *context,
                               const struct file *good, struct file *room, int how)
{
    bool refused = true;
    for (size_t which = 0; refused; which++) {
        *room = *good;
        if (!make_neighbour(room, how, which))
            break;
        refused =
            write_file(call->file, room) && gemm_load(call, context, call->file) != cudaSuccess;
    }
    return refused;
}

/* What a context that knows one plan says of one file, and whether it then knows another number of
 * plans although it has refused it. */
static cudaError_t show_file(const struct judge_call *call, const struct file *good,
                             struct file *room, int how, uint32_t answers[2 * FILES])
{
    struct lesson6_context *context = NULL;
    size_t before = 0, after = 0;
    cudaError_t error = gemm_create(call, &context);
    if (error == cudaSuccess)
        error = gemm_call_once(call, context);
    if (error == cudaSuccess)
        error = saved_bytes(call, context, room, &before);
    if (error == cudaSuccess)
        answers[how] = gemm_load(call, context, call->file) != cudaSuccess &&
                       refuses_neighbours(call, context, good, room, how);
    if (error == cudaSuccess)
        error = saved_bytes(call, context, room, &after);
    answers[FILES + how] = answers[how] && before != after;
    if (error == cudaSuccess)
        error = gemm_call_once(call, context);
    if (context)
        gemm_destroy(call, context);
    return error;
}

static cudaError_t show_files(const struct judge_call *call, const struct file *good,
                              uint32_t answers[2 * FILES])
{
    const char *path = call->file;
    cudaError_t error = cudaSuccess;
    struct file *file = malloc(sizeof *file);
    if (!file)
        return cudaErrorMemoryAllocation;
    for (int how = 0; how < FILES && error == cudaSuccess; how++) {
        *file = *good;
        spoil(file, how);
        bool there = how == MISSING ? unlink(path) == 0 : write_file(path, file);
        error = there ? show_file(call, good, file, how, answers) : cudaErrorUnknown;
    }
    free(file);
    return error;
}

/* Two plans beside that of the case: the same product with other epilogues, with no bias. */
static cudaError_t learn_more(const struct judge_call *call, struct lesson6_context *context)
{
    static const enum quest_activation MORE[] = {QUEST_ACT_RELU, QUEST_ACT_GELU_TANH};
    struct judge_call other = *call;
    struct judge_case problem = *call->problem;
    cudaError_t error = gemm_call_once(call, context);
    other.problem = &problem;
    for (int i = 0; i < 2 && error == cudaSuccess; i++) {
        problem.size[ACTIVATION] = MORE[i];
        error = gemm_call_once(&other, context);
    }
    return error;
}

/* A plan that wants room for its parts is in the file, and whoever loads it has none: the file is
 * good for it all the same. */
static cudaError_t load_in_no_room(const struct judge_call *call, uint32_t *is_loaded)
{
    struct lesson6_context *narrow = NULL;
    cudaError_t error = gemm_create_in(call, 0, &narrow);
    if (error == cudaSuccess)
        *is_loaded = gemm_load(call, narrow, call->file) == cudaSuccess;
    if (error == cudaSuccess)
        error = gemm_call(call, narrow, call->buffers[BIAS], call->buffers[Y_2]);
    if (narrow)
        gemm_destroy(call, narrow);
    return error;
}

cudaError_t gemm_less_room(const struct judge_call *call)
{
    struct lesson6_context *roomy = NULL;
    uint32_t answers[ROOM_ANSWERS] = {0};
    long before = front.alive;
    cudaError_t error = gemm_create_in(call, (size_t)call->problem->real[ROOM_MIB] << 20, &roomy);
    if (error == cudaSuccess)
        error = gemm_call_once(call, roomy);
    if (error == cudaSuccess)
        error = gemm_save(call, roomy, call->file);
    if (error == cudaSuccess)
        error = load_in_no_room(call, &answers[TAKEN]);
    if (roomy)
        gemm_destroy(call, roomy);
    answers[FREED] = front.alive <= before;
    return error == cudaSuccess ? gemm_answer(call, answers, sizeof answers) : error;
}

/* The file has three plans, and a context that is shown it knows one of them. */
cudaError_t gemm_spoilt(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    struct file *good = calloc(1, sizeof *good);
    uint32_t answers[2 * FILES] = {0};
    cudaError_t error = good ? gemm_create(call, &context) : cudaErrorMemoryAllocation;
    if (error == cudaSuccess)
        error = learn_more(call, context);
    if (error == cudaSuccess)
        error = gemm_save(call, context, call->file);
    if (error == cudaSuccess && !read_file(call->file, good))
        error = GEMM_NO_FILE;
    if (error == cudaSuccess)
        error = show_files(call, good, answers);
    if (error == cudaSuccess)
        error = gemm_answer(call, answers, sizeof answers);
    if (context)
        gemm_destroy(call, context);
    free(good);
    return error;
}

/* A save that the system stops in the last word of the stamp, as a full disk would, or the end of a
 * process. */
static cudaError_t save_cut_off(const struct judge_call *call, struct lesson6_context *context)
{
    enum { MOST_BYTES = sizeof(struct lesson6_stamp) - 4 };
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit cut = {MOST_BYTES, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &cut);
    cudaError_t error = gemm_save(call, context, call->file);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    return error;
}

/* A save by a process that may open so many files more. */
static cudaError_t save_in(const struct judge_call *call, struct lesson6_context *context,
                           int files)
{
    int taken[MOST_LEFT + 1];
    struct rlimit before;
    getrlimit(RLIMIT_NOFILE, &before);
    struct rlimit few = before;
    for (int i = 0; i <= files; i++) {
        taken[i] = dup(STDERR_FILENO);
        few.rlim_cur = taken[i] < 0 ? before.rlim_cur : (rlim_t)taken[i];
    }
    for (int i = 0; i <= files; i++)
        close(taken[i]);
    setrlimit(RLIMIT_NOFILE, &few);
    cudaError_t error = gemm_save(call, context, call->file);
    setrlimit(RLIMIT_NOFILE, &before);
    return error;
}

/* No stamp can be made, unless the name was kept: then there is a save like any other. */
static bool saves_nameless(const struct judge_call *call, struct lesson6_context *context,
                           struct lesson6_context *loader)
{
    front.is_nameless = true;
    cudaError_t error = gemm_save(call, context, call->file);
    front.is_nameless = false;
    return (error == cudaSuccess || error == cudaErrorUnknown) &&
           gemm_load(call, loader, call->file) == cudaSuccess;
}

/* With no file to be opened there is no save; with one or two it is for the implementation to say.
 * The file that was there is whole, or the new one is. */
static bool saves_without_files(const struct judge_call *call, struct lesson6_context *context,
                                struct lesson6_context *loader)
{
    for (int files = 0; files <= MOST_LEFT; files++) {
        cudaError_t error = save_in(call, context, files);
        if ((files == 0 && error == cudaSuccess) ||
            gemm_load(call, loader, call->file) != cudaSuccess)
            return false;
    }
    return true;
}

bool gemm_saves_and_loads(const struct judge_call *call, struct lesson6_context *saver,
                          struct lesson6_context *loader)
{
    return gemm_save(call, saver, call->file) == cudaSuccess &&
           gemm_load(call, loader, call->file) == cudaSuccess;
}

/* Whoever has the old file open still reads all of it after the save: the new one is another file.
 * One that is written into the old file is for a while neither. */
static bool leaves_old_alone(const struct judge_call *call, struct lesson6_context *saver,
                             struct lesson6_context *empty)
{
    struct file *before = calloc(1, sizeof *before), *after = calloc(1, sizeof *after);
    FILE *old = NULL;
    bool right = before && after && gemm_save(call, empty, call->file) == cudaSuccess &&
                 read_file(call->file, before) && (old = fopen(call->file, "rb")) != NULL &&
                 gemm_save(call, saver, call->file) == cudaSuccess && read_from(old, after) &&
                 before->size == after->size && memcmp(before, after, sizeof before->stamp) == 0 &&
                 memcmp(before->bytes, after->bytes, after->size - sizeof after->stamp) == 0;
    if (old)
        fclose(old);
    free(before);
    free(after);
    return right;
}

/* Does a call ask the library nothing, since the context knows its plan? */
static bool knows_plan(const struct judge_call *call, struct lesson6_context *context)
{
    long before = front.questions;
    return gemm_call_once(call, context) == cudaSuccess && front.questions == before;
}

/* loader has loaded what saver knows, and used none of it: its own file must have that, too. Three
 * quarters of the plans' bytes are enough, since the two may not write a plan alike. A load that
 * takes nothing in has nothing to save: the counters tell of that. */
static bool saves_what_it_loaded(const struct judge_call *call, struct lesson6_context *saver,
                                 struct lesson6_context *loader, struct lesson6_context *empty)
{
    size_t known = 0, again = 0, nothing = 0;
    struct file *room = calloc(1, sizeof *room);
    bool saved = room && saved_bytes(call, saver, room, &known) == cudaSuccess &&
                 saved_bytes(call, loader, room, &again) == cudaSuccess &&
                 saved_bytes(call, empty, room, &nothing) == cudaSuccess;
    free(room);
    bool are_there = (double)again >= (double)nothing + 0.75 * ((double)known - (double)nothing);
    return saved && (are_there || !knows_plan(call, loader));
}

/* What becomes of a good file of one plan when its context, which knows three now, is cut off; then
 * it is not; then one that knows nothing saves over that; and at last these two save at once. */
static cudaError_t ask_about_saves(const struct judge_call *call, struct lesson6_context *context,
                                   uint32_t answers[INTERRUPTIONS])
{
    struct lesson6_context *next = NULL, *empty = NULL;
    cudaError_t error = gemm_create(call, &next);
    if (error == cudaSuccess)
        error = gemm_create(call, &empty);
    if (error == cudaSuccess) {
        cudaError_t said = save_cut_off(call, context);
        answers[SAVE_FAILED] = said != cudaSuccess;
        answers[SAVE_ERROR] = said == cudaSuccess || said == cudaErrorUnknown;
        answers[FILE_SURVIVED] = gemm_load(call, next, call->file) == cudaSuccess;
        answers[SAVED_AGAIN] = gemm_saves_and_loads(call, context, next);
        answers[SHORTER] = gemm_saves_and_loads(call, empty, next);
        answers[OLD_LEFT_ALONE] = leaves_old_alone(call, context, empty);
        answers[KEPT_APART] =
            gemm_saves_apart(call, context) && gemm_saves_and_loads(call, context, next);
        answers[STAMPED] =
            gemm_save(call, context, call->file) == cudaSuccess && is_stamped(call->file);
        answers[OUT_OF_FILES] = saves_without_files(call, context, next);
        answers[NAMELESS] = saves_nameless(call, context, next);
        answers[LOADED_KEPT] = saves_what_it_loaded(call, context, next, empty);
    }
    if (empty)
        gemm_destroy(call, empty);
    if (next)
        gemm_destroy(call, next);
    return error;
}

cudaError_t gemm_interrupted(const struct judge_call *call)
{
    struct lesson6_context *context = NULL;
    uint32_t answers[INTERRUPTIONS] = {0};
    cudaError_t error = gemm_create(call, &context);
    if (error == cudaSuccess)
        error = gemm_call_once(call, context);
    if (error == cudaSuccess)
        error = gemm_save(call, context, call->file);
    if (error == cudaSuccess)
        error = learn_more(call, context);
    if (error == cudaSuccess)
        error = ask_about_saves(call, context, answers);
    if (error == cudaSuccess)
        error = gemm_answer(call, answers, sizeof answers);
    if (context)
        gemm_destroy(call, context);
    return error;
}
