/* caller.c - see caller.h. The stack is walked outwards: over our own functions, then over those of
 * the caller up to the first of another file. The outermost of these that has a public name is what
 * the program called.
 */
#include "caller.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FRAMES = 64 };

static void *base_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

/* pthread_once and its like stand between two functions of one library. */
static bool is_libc(const Dl_info *info)
{
    return info->dli_fbase == base_of((const void *)&fopen);
}

static void set_file(struct caller *caller, const Dl_info *info)
{
    caller->is_program = info->dli_fbase == base_of((const void *)getauxval(AT_ENTRY));
    ssize_t length =
        caller->is_program ? readlink("/proc/self/exe", caller->path, sizeof caller->path - 1) : -1;
    if (length >= 0)
        caller->path[length] = 0;
    else
        snprintf(caller->path, sizeof caller->path, "%s", info->dli_fname);
    const char *slash = strrchr(caller->path, '/');
    caller->name = slash ? slash + 1 : caller->path;
}

bool caller_at(const void *address, struct caller *caller)
{
    Dl_info info;
    bool known = dladdr(address, &info);
    *caller = (struct caller){.name = caller->path};
    if (known)
        set_file(caller, &info);
    return known;
}

void caller_find(struct caller *caller)
{
    void *frames[MOST_FRAMES];
    const void *own = base_of((const void *)&caller_find), *file = NULL;
    int count = backtrace(frames, MOST_FRAMES);
    *caller = (struct caller){.name = caller->path};
    for (int i = 0; i < count; i++) {
        Dl_info info;
        /* a frame is where its callee returns to, which may lie after the function's end */
        bool known = dladdr((const char *)frames[i] - 1, &info);
        if (!known || info.dli_fbase == own || is_libc(&info))
            continue;
        if (!file) {
            file = info.dli_fbase;
            set_file(caller, &info);
        }
        if (info.dli_fbase != file)
            break;
        if (info.dli_sname)
            snprintf(caller->function, sizeof caller->function, "%s", info.dli_sname);
    }
}

bool caller_holds_runtime(const struct caller *caller)
{
    /* the runtime names its errors */
    static const char MARK[] = "cudaErrorInsufficientDriver";
    struct stat status;
    int file = open(caller->path, O_RDONLY | O_CLOEXEC);
    bool holds = false;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
        size_t bytes = (size_t)status.st_size;
        void *content = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        holds = content != MAP_FAILED && memmem(content, bytes, MARK, sizeof MARK - 1);
        if (content != MAP_FAILED)
            munmap(content, bytes);
    }
    if (file >= 0)
        close(file);
    return holds;
}
