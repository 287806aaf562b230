/* caller.c - which line of the program called, for messages about what it asked for.
 *
 * The program's own line tables tell this, if it was compiled with -g; elfutils' libdw reads them.
 * The library is looked for when a program first allocates, so nothing here has to be installed:
 * without it, or without -g, the message has the function's name if the program exports it, and
 * otherwise nothing. Frames in CUDA's own headers (the templates around cudaMalloc) are skipped.
 */
#include "client.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The few functions of elfutils/libdwfl.h that are used here, as they are declared there. */
typedef struct Dwfl Dwfl;
typedef struct Dwfl_Module Dwfl_Module;
typedef struct Dwfl_Line Dwfl_Line;
struct dwfl_callbacks {
    void *find_elf; /* unread here, as are those below: the library's layout */
    int (*find_debuginfo)(void);
    void *section_address; /* unread */
    char **debuginfo_path; /* unread */
};

static struct {
    Dwfl *(*begin)(const struct dwfl_callbacks *);
    int (*linux_proc_report)(Dwfl *, pid_t);
    int (*report_end)(Dwfl *, void *, void *);
    Dwfl_Module *(*addrmodule)(Dwfl *, uint64_t);
    Dwfl_Line *(*module_getsrc)(Dwfl_Module *, uint64_t);
    const char *(*lineinfo)(Dwfl_Line *, uint64_t *, int *, int *, uint64_t *, uint64_t *);
    void *linux_proc_find_elf;
} libdw;

enum { MOST_FRAMES = 16 };

/* A place from which the program has called. It stays: others point to it. */
struct place {
    struct place *next;
    uintptr_t address;
    bool is_header; /* of CUDA, or made by nvcc: its caller is meant */
    struct caller caller;
    char text[160];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct place *known;
static char given_name[80]; /* by the program, instead of a line; or "" */

/* --- Line tables ------------------------------------------------------------------------------ */

/* Debug information is in the program or missing; it is never fetched. */
static int find_nothing(void)
{
    return -1;
}

static bool load(void *library)
{
    static const char *const NAMES[] = {"dwfl_begin",
                                        "dwfl_linux_proc_report",
                                        "dwfl_report_end",
                                        "dwfl_addrmodule",
                                        "dwfl_module_getsrc",
                                        "dwfl_lineinfo",
                                        "dwfl_linux_proc_find_elf"};
    void *found[sizeof NAMES / sizeof *NAMES];
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (!(found[i] = dlsym(library, NAMES[i])))
            return false;
    _Static_assert(sizeof found == sizeof libdw, "a function for each name");
    memcpy(&libdw, found, sizeof libdw);
    return true;
}

/* The program as it is in memory now; NULL if it cannot be read. */
static Dwfl *open_program(void)
{
    static struct dwfl_callbacks callbacks = {.find_debuginfo = find_nothing};
    void *library = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library || !load(library))
        return NULL;
    callbacks.find_elf = libdw.linux_proc_find_elf;
    Dwfl *dwfl = libdw.begin(&callbacks);
    if (!dwfl || libdw.linux_proc_report(dwfl, getpid()) != 0 ||
        libdw.report_end(dwfl, NULL, NULL) != 0)
        return NULL;
    return dwfl;
}

static const char *below_working_directory(const char *file)
{
    char here[4096];
    size_t size = getcwd(here, sizeof here) ? strlen(here) : 0;
    return size > 1 && strncmp(file, here, size) == 0 && file[size] == '/' ? file + size + 1 : file;
}

static bool find_line(struct place *place)
{
    static Dwfl *dwfl;
    static bool tried;
    int number = 0;
    if (!tried)
        dwfl = open_program();
    tried = true;
    Dwfl_Module *module = dwfl ? libdw.addrmodule(dwfl, place->address) : NULL;
    Dwfl_Line *line = module ? libdw.module_getsrc(module, place->address) : NULL;
    const char *file = line ? libdw.lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (!file || !number)
        return false;
    place->is_header =
        strstr(file, "cuda_runtime") != NULL || strstr(file, "/include/crt/") != NULL;
    place->caller =
        (struct caller){.file = strdup(below_working_directory(file)), .line = (unsigned)number};
    snprintf(place->text, sizeof place->text, "allocated at %.130s:%d",
             below_working_directory(file), number);
    return true;
}

static void find_function(struct place *place)
{
    Dl_info info;
    if (dladdr((void *)place->address, &info) && info.dli_sname)
        snprintf(place->text, sizeof place->text, "allocated in %.140s", info.dli_sname);
}

/* --- Callers ---------------------------------------------------------------------------------- */

/* NULL without memory. */
static struct place *place_of(uintptr_t address)
{
    for (struct place *place = known; place; place = place->next)
        if (place->address == address)
            return place;
    struct place *place = calloc(1, sizeof *place);
    if (!place)
        return NULL;
    *place = (struct place){.next = known, .address = address};
    if (!find_line(place))
        find_function(place);
    return known = place;
}

/* Is it in this library, or in one next to it: cuBLAS's calls are the program's? */
static bool is_ours(const void *address)
{
    Dl_info there, here;
    if (!dladdr(address, &there) || !dladdr((void *)(uintptr_t)is_ours, &here))
        return false;
    const char *end = strrchr(here.dli_fname, '/');
    size_t folder = end ? (size_t)(end - here.dli_fname) + 1 : 0;
    return there.dli_fbase == here.dli_fbase ||
           (folder && strncmp(there.dli_fname, here.dli_fname, folder) == 0 &&
            !strchr(there.dli_fname + folder, '/'));
}

void caller_name_memory(const char *name)
{
    pthread_mutex_lock(&lock);
    snprintf(given_name, sizeof given_name, "%s", name ? name : "");
    pthread_mutex_unlock(&lock);
}

/* The program's call that led here; NULL when there is none. The lock is held. */
static struct place *find_call(void)
{
    void *frames[MOST_FRAMES];
    int count = backtrace(frames, MOST_FRAMES), at = 0;
    while (at < count && is_ours(frames[at]))
        at++;
    for (; at < count; at++) {
        /* a return address is after the call: one byte before it is in the call's line */
        struct place *place = place_of((uintptr_t)frames[at] - 1);
        if (!place || !place->is_header)
            return place;
    }
    return NULL;
}

void caller_describe(char *text, size_t size)
{
    pthread_mutex_lock(&lock);
    const struct place *place = *given_name ? NULL : find_call();
    snprintf(text, size, "%s", place ? place->text : given_name);
    pthread_mutex_unlock(&lock);
}

struct caller *caller_find(void)
{
    pthread_mutex_lock(&lock);
    struct place *place = find_call();
    pthread_mutex_unlock(&lock);
    return place && place->caller.file ? &place->caller : NULL;
}
