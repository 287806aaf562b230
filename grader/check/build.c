/* build.c - calls nvcc on one file in a private folder, and keeps the result by its content.
 *
 * The folder is named by a hash of everything that the result depends on. It is made next to its
 * final place and then renamed, so it is complete or absent, and two checks at the same time do not
 * disturb each other.
 */
#include "check/build.h"

#include "lib/group.h"
#include "lib/hash.h"
#include "check/messages.h"
#include "lib/process.h"
#include "runner/starved.h"
#include "check/product.h"
#include "runner/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* The limit of processor time ends a compiler that works, equally on a busy machine; the clock ends
 * one that sleeps. */
enum { DEADLINE_MS = 600000, MOST_CPU_SECONDS = 180, MOST_THREADS = 256, MOST_FILES = 256 };
enum { MOST_MESSAGE_BYTES = 64 * 1024, KEY_DIGITS = 24 };
#define MOST_MEMORY_BYTES (UINT64_C(2) << 30) /* of all compilers together; 0.5 GiB is usual */
#define MOST_FILE_BYTES (UINT64_C(64) << 20)
#define MOST_ROOM_BYTES (UINT64_C(256) << 20)

static const char *const FLAGS[] = {
    "-O3", "-lineinfo", "-shared", "-cudart", "none", "-Xcompiler", "-fPIC", "--threads", "0",
    /* People who experiment leave functions unused: a warning each time hides what matters. */
    "-diag-suppress", "177"};
enum { FLAG_COUNT = sizeof FLAGS / sizeof *FLAGS };
/* Machine code for the device that is modelled, on every machine; and PTX for any that is no older
 * than sm_80, unless the file uses something that came with sm_90. */
static const char USUAL[] = "arch=compute_80,code=[compute_80,sm_90]";
static const char HOPPER[] = "arch=compute_90,code=[compute_90,sm_90]";

/* Inside the walls the compiler sees the file and common/ under these names; so messages and line
 * tables are the same wherever the course is. */
static const char WORK[] = "/work", COMMON[] = "/common"; /* the latter: see messages.c, too */
static const char MESSAGES[] = "messages.txt";

/* --- The key ---------------------------------------------------------------------------------- */

/* A plain name is looked for on PATH, then where NVIDIA's installer puts it. Empty when there is
 * none. */
static struct path find_nvcc(const struct course *course)
{
    struct path set = course_setting(course, "NVCC");
    if (strchr(set.text, '/'))
        return path_real(set.text);
    const char *name = *set.text ? set.text : "nvcc", *on_path = getenv("PATH");
    struct path all = path_of("%s:/usr/local/cuda/bin", on_path ? on_path : "");
    char *rest = all.text, *folder;
    while ((folder = strsep(&rest, ":"))) {
        struct path candidate = path_of("%s/%s", folder, name);
        if (*folder && access(candidate.text, X_OK) == 0)
            return path_real(candidate.text);
    }
    return path_of("%s", "");
}

/* A compiler is identified by its path, size and age: asking for its version takes longer. */
static void add_tool(struct hash *hash, const char *path)
{
    struct stat status = {0};
    char text[64];
    stat(path, &status);
    snprintf(text, sizeof text, "%lld %lld", (long long)status.st_size, (long long)status.st_mtime);
    hash_add_text(hash, path);
    hash_add_text(hash, text);
}

static void add_headers(struct hash *hash, const char *folder)
{
    char **names;
    int count = folder_list(folder, ".h", &names);
    for (int i = 0; i < count; i++) {
        hash_add_text(hash, names[i]);
        hash_add_file(hash, path_of("%s/%s", folder, names[i]).text);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

static void make_key(const struct build_request *request, const char *nvcc, char key[HASH_TEXT])
{
    struct hash hash;
    const char *root = request->course->root.text;
    char compute[16];
    snprintf(compute, sizeof compute, "%d", request->compute);
    hash_init(&hash);
    for (size_t i = 0; i < FLAG_COUNT; i++)
        hash_add_text(&hash, FLAGS[i]);
    hash_add_text(&hash, USUAL);
    hash_add_text(&hash, HOPPER);
    hash_add_text(&hash, compute);
    hash_add_text(&hash, request->lesson->slug);
    add_tool(&hash, nvcc);
    add_headers(&hash, path_of("%s/common", root).text);
    add_headers(&hash, path_of("%s/common/contracts", root).text);
    hash_add(&hash, request->source->text, request->source->bytes);
    hash_text(&hash, key);
    key[KEY_DIGITS] = '\0';
}

/* --- The call --------------------------------------------------------------------------------- */

/* The toolkit may be outside the system's folders: in a home folder, or in ours. */
static void show_toolkit(struct sandbox *sandbox, const struct course *course, const char *nvcc)
{
    struct path home = course_setting(course, "CUDA_HOME"), real = path_real(home.text);
    struct path bin = path_of("%s", nvcc);
    *strrchr(bin.text, '/') = '\0';
    struct path above = path_real(path_of("%s/..", bin.text).text);
    sandbox_show(sandbox, above.text, NULL);
    if (*real.text) {
        sandbox_show(sandbox, real.text, NULL);
        sandbox_show(sandbox, home.text, NULL);
    }
    sandbox_set(sandbox, "PATH", path_of("%s:/usr/local/bin:/usr/bin:/bin", bin.text).text);
}

static void add_arguments(struct sandbox *sandbox, const struct build_request *request,
                          const char *nvcc, const char *target, const char *common)
{
    sandbox_word(sandbox, nvcc);
    for (size_t i = 0; i < FLAG_COUNT; i++)
        sandbox_word(sandbox, FLAGS[i]);
    sandbox_word(sandbox, "-gencode");
    sandbox_word(sandbox, target);
    int compute = request->compute;
    if (compute && compute != 90) { /* of the same PTX that the simulated device judges */
        sandbox_word(sandbox, "-gencode");
        sandbox_word(sandbox, path_of("arch=compute_80,code=sm_%d", compute).text);
    }
    sandbox_word(sandbox, "-I");
    sandbox_word(sandbox, common);
    sandbox_word(sandbox, path_of("%s.cu", request->lesson->slug).text);
    sandbox_word(sandbox, "-o");
    sandbox_word(sandbox, "submission.so");
}

static void compile(const struct build_request *request, const char *nvcc, const char *target,
                    const char *folder, struct process_result *result)
{
    struct path common = path_of("%s/common", request->course->root.text);
    struct walls limits = {.cpu_seconds = MOST_CPU_SECONDS,
                           .memory_bytes = MOST_MEMORY_BYTES,
                           .address_bytes = MOST_MEMORY_BYTES,
                           .file_bytes = MOST_FILE_BYTES,
                           .room_bytes = MOST_ROOM_BYTES,
                           .open_files = MOST_FILES,
                           .threads = MOST_THREADS};
    struct sandbox sandbox;
    sandbox_open(&sandbox, request->sandbox, &limits);
    sandbox_show_system(&sandbox);
    show_toolkit(&sandbox, request->course, nvcc);
    sandbox_show(&sandbox, common.text, COMMON);
    sandbox_share(&sandbox, folder, WORK);
    if (request->sandbox != SANDBOX_LANDLOCK) { /* which has a folder for both */
        sandbox_set(&sandbox, "HOME", "/tmp");
        sandbox_set(&sandbox, "TMPDIR", sandbox_name(&sandbox, folder, "/tmp"));
    }
    sandbox_enter(&sandbox, WORK);
    add_arguments(&sandbox, request, nvcc, target, sandbox_name(&sandbox, common.text, COMMON));
    struct group group;
    group_open(&group, &(struct group_limits){MOST_MEMORY_BYTES + MOST_MEMORY_BYTES / 4,
                                              MOST_THREADS + MOST_THREADS / 4});
    struct process_job job = {
        .spec = {.argv = sandbox.argv,
                 .environment = sandbox.environment,
                 .folder = folder,
                 .group = group.folder.text[0] ? group.folder.text : NULL},
        .deadline_ms = DEADLINE_MS,
        .most_output_bytes = MOST_MESSAGE_BYTES,
    };
    if (sandbox.too_long)
        memset(result, 0, sizeof *result);
    else
        process_run(&job, result);
    group_close(&group);
    sandbox_close(&sandbox);
}

/* --- What came of it -------------------------------------------------------------------------- */

static bool fail(struct build *build, enum verdict verdict, const char *reason)
{
    build->verdict = verdict;
    snprintf(build->reason, sizeof build->reason, "%s", reason);
    return false;
}

/* Processor time of the children that have ended, and of theirs. */
static double children_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static bool has_room(const char *folder)
{
    const double least_bytes = 0x1p26; /* a few times what the largest build here takes */
    struct statvfs disk;
    return statvfs(folder, &disk) == 0 &&
           (double)disk.f_bavail * (double)disk.f_frsize >= least_bytes;
}

/* Of a file with nothing in it. */
static bool compiles_nothing(const struct build_request *request, const char *nvcc,
                             const char *folder)
{
    struct process_result result;
    struct path source = path_of("%s/%s.cu", folder, request->lesson->slug);
    bool works = file_write(source.text, "", 0);
    if (works) {
        compile(request, nvcc, USUAL, folder, &result);
        works = result.started && result.status == 0;
        process_result_free(&result);
    }
    return works;
}

/* The submission can write into the compiler's output, so that output cannot prove that something
 * else is to blame. It only tells when the machine should be asked: if it does not mention the
 * file, or mentions a full disk. */
static bool machine_fails(const struct build_request *request, const char *nvcc, const char *folder,
                          const struct process_result *result, const char **why)
{
    bool refused = WIFEXITED(result->status) &&
                   strstr(result->output, path_of("%s.cu", request->lesson->slug).text) &&
                   !strstr(result->output, "No space left on device");
    if (refused)
        return false;
    unlink(path_of("%s/submission.so", folder).text); /* whatever there is of it */
    *why = "the disk is full";
    if (!has_room(folder))
        return true;
    *why = "the CUDA compiler does not compile an empty file: `make doctor` says what is missing";
    return !compiles_nothing(request, nvcc, folder);
}

/* The launcher's own word: nothing that a compiler says by itself looks like it (walls.h). */
static bool ended_by(const struct process_result *result, int signal)
{
    return WIFEXITED(result->status) && WEXITSTATUS(result->status) == 128 + signal;
}

static bool judge_result(const struct build_request *request, const char *nvcc, const char *folder,
                         const struct process_result *result, double cpu_seconds,
                         struct build *build)
{
    const char *why;
    build->interrupted = result->interrupted;
    if (!result->started)
        return fail(build, VERDICT_INTERNAL, "the compiler cannot be started");
    if (ended_by(result, SIGXCPU) || (result->status != 0 && cpu_seconds >= MOST_CPU_SECONDS))
        return fail(build, VERDICT_COMPILER_LIMIT,
                    "the compiler needs more than 180 s of processor time for it");
    if (result->was_busy)
        return fail(build, VERDICT_DEVICE,
                    "this machine is too busy: the compiler got hardly any "
                    "processor time");
    if (result->timed_out)
        return fail(build, VERDICT_COMPILER_LIMIT, "the compiler is not done after 10 minutes");
    if (ended_by(result, SIGKILL))
        return fail(build, VERDICT_COMPILER_LIMIT,
                    "the compiler needs more than 2 GiB of memory for it");
    build->messages = messages_readable(result->output, request->lesson->slug, request->shown_path);
    if (result->status == 0 && file_exists(path_of("%s/submission.so", folder).text))
        return true;
    if (!result->interrupted && machine_fails(request, nvcc, folder, result, &why))
        return fail(build, VERDICT_DEVICE, why);
    return fail(build, VERDICT_BUILD, "the compiler refuses it");
}

/* Does the device have all of sm_90, and does the compiler mention something that came with it? It
 * does so in words, or by the name of a function: ..._is_not_supported_before_SM_90__. */
static bool may_want_hopper(const struct build_request *request,
                            const struct process_result *result)
{
    bool refused =
        result->started && !result->interrupted && WIFEXITED(result->status) && result->status != 0;
    return refused && (request->compute == 0 || request->compute >= 90) &&
           (strcasestr(result->output, "sm_90") || strstr(result->output, "cluster"));
}

/* What the compiler says for the usual architecture counts, unless the file compiles for a later
 * one. */
static void compile_for_either(const struct build_request *request, const char *nvcc,
                               const char *folder, struct process_result *result)
{
    struct process_result again;
    compile(request, nvcc, USUAL, folder, result);
    if (!may_want_hopper(request, result))
        return;
    compile(request, nvcc, HOPPER, folder, &again);
    bool taken = again.started && again.status == 0;
    process_result_free(taken ? result : &again);
    if (taken)
        *result = again;
}

/* If the machine runs out of memory, the kernel kills a part of the compiler; the rest of it says
 * that the file is at fault. Tried a few times; false when the kernel has killed something each
 * time. */
static bool compile_with_memory(const struct build_request *request, const char *nvcc,
                                const char *folder, struct process_result *result)
{
    enum { TRIES = 3 };
    for (int tries = 1;; tries++) {
        uint64_t before, after;
        bool is_counted = starved_count(&before);
        compile_for_either(request, nvcc, folder, result);
        bool by_limit = ended_by(result, SIGXCPU) || ended_by(result, SIGKILL);
        bool starved = result->started && result->status != 0 && !by_limit &&
                       !result->interrupted && !result->timed_out && is_counted &&
                       starved_count(&after) && after > before;
        if (!starved || tries == TRIES)
            return !starved;
        process_result_free(result);
    }
}

/* The file is to blame only if one with nothing in it compiles, and if something took much. */
static bool judge_starved(const struct build_request *request, const char *nvcc, const char *folder,
                          struct build *build)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    bool took_much = (uint64_t)used.ru_maxrss << 10 > STARVED_MOST_BYTES;
    if (took_much && compiles_nothing(request, nvcc, folder))
        return fail(build, VERDICT_COMPILER_LIMIT,
                    "the compiler needs more memory for it than this machine has");
    return fail(build, VERDICT_DEVICE,
                "this machine ran out of memory while the compiler worked: run fewer programs next "
                "to the check");
}

/* Put the source and later the .so into a folder of their own, then give it its final name. */
static bool build_in(const struct build_request *request, const char *nvcc, const char *folder,
                     struct build *build)
{
    struct process_result result;
    struct path source = path_of("%s/%s.cu", folder, request->lesson->slug);
    if (!folder_make(folder) ||
        !file_write(source.text, request->source->text, request->source->bytes)) {
        snprintf(build->reason, sizeof build->reason, "%s cannot be written: %s", source.text,
                 strerror(errno));
        build->verdict = VERDICT_DEVICE;
        return false;
    }
    double before = children_seconds();
    bool built =
        compile_with_memory(request, nvcc, folder, &result)
            ? judge_result(request, nvcc, folder, &result, children_seconds() - before, build)
            : judge_starved(request, nvcc, folder, build);
    if (built && *build->messages) /* warnings, to be shown again, maybe by another name */
        file_write(path_of("%s/%s", folder, MESSAGES).text, result.output, strlen(result.output));
    process_result_free(&result);
    if (built && !product_keep(folder, MOST_FILE_BYTES))
        return fail(build, VERDICT_DEVICE, strerror(errno));
    if (built && rename(folder, build->folder.text) != 0 && !product_is_whole(build->folder.text))
        return fail(build, VERDICT_DEVICE, strerror(errno));
    return built;
}

/* From what was built before, or now. */
static void build_for(const struct build_request *request, const char *nvcc, struct build *build)
{
    char key[HASH_TEXT];
    const char *products = request->course->build.text;
    memset(build, 0, sizeof *build);
    make_key(request, nvcc, key);
    build->folder = path_of("%s/work/%s", products, key);
    build->library = path_of("%s/submission.so", build->folder.text);
    build->cached = product_is_whole(build->folder.text);
    if (!build->cached)
        folder_remove(build->folder.text);
    if (build->cached) {
        char *raw = file_read(path_of("%s/%s", build->folder.text, MESSAGES).text,
                              MOST_MESSAGE_BYTES, NULL);
        build->messages =
            raw ? messages_readable(raw, request->lesson->slug, request->shown_path) : NULL;
        free(raw);
        return;
    }
    struct path beside = path_of("%s/work/new-%d", products, (int)getpid());
    build_in(request, nvcc, beside.text, build);
    folder_remove(beside.text);
}

/* The toolkit is asked; what it said about the file does not count. */
static bool knows_architecture(const char *nvcc, int compute)
{
    const char *const words[] = {nvcc, "--list-gpu-code", NULL};
    const struct process_job job = {.spec = {.argv = words},
                                    .deadline_ms = DEADLINE_MS,
                                    .most_output_bytes = MOST_MESSAGE_BYTES};
    struct process_result result;
    process_run(&job, &result);
    bool told = result.started && result.status == 0;
    bool knows = !told || strstr(result.output, path_of("sm_%d\n", compute).text);
    process_result_free(&result);
    return knows;
}

void build_run(const struct build_request *request, struct build *build)
{
    int64_t start = process_now_ns();
    struct path nvcc = find_nvcc(request->course);
    if (!*nvcc.text) {
        memset(build, 0, sizeof *build);
        fail(build, VERDICT_DEVICE,
             "the CUDA compiler (nvcc) was not found: run `make setup`, or set NVCC");
        return;
    }
    build_for(request, nvcc.text, build);
    if (build->verdict == VERDICT_BUILD && request->compute && !build->interrupted &&
        !knows_architecture(nvcc.text, request->compute)) {
        /* The GPU is newer than the toolkit: its driver compiles the PTX. */
        struct build_request without = *request;
        without.compute = 0;
        build_free(build);
        build_for(&without, nvcc.text, build);
    }
    build->seconds = (double)(process_now_ns() - start) * 1e-9;
}

void build_free(struct build *build)
{
    free(build->messages);
    build->messages = NULL;
}
