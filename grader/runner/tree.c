/* tree.c - reads /proc: a list of all processes, then those that descend from the top. */
#include "runner/tree.h"

#include "lib/process_seen.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct process {
    pid_t pid;
    struct process_seen seen;
    bool inside;
};

struct list {
    struct process *processes;
    size_t count, room;
};

static bool read_text(const char *path, char *text, size_t room)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, room - 1);
    if (file >= 0)
        close(file);
    text[got < 0 ? 0 : got] = '\0';
    return got > 0;
}

static bool append(struct list *list, const struct process *process)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 256;
        struct process *more = realloc(list->processes, room * sizeof *more);
        if (!more)
            return false;
        list->processes = more;
        list->room = room;
    }
    list->processes[list->count++] = *process;
    return true;
}

static bool is_inside(const struct list *list, pid_t pid)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->processes[i].pid == pid)
            return list->processes[i].inside;
    return false;
}

/* Process numbers wrap around, so a child may come before its parent. */
static void find_descendants(struct list *list, pid_t top)
{
    bool found = true;
    while (found) {
        found = false;
        for (size_t i = 0; i < list->count; i++) {
            struct process *process = &list->processes[i];
            if (!process->inside && process->pid != top &&
                (process->seen.parent == top || is_inside(list, process->seen.parent)))
                process->inside = found = true;
        }
    }
}

static bool list_tree(pid_t top, struct list *list)
{
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    struct process process;
    bool whole = folder != NULL;
    memset(list, 0, sizeof *list);
    while (whole && (entry = readdir(folder))) {
        process = (struct process){.pid = (pid_t)strtol(entry->d_name, NULL, 10)};
        if (process.pid > 0 && process_look(process.pid, &process.seen))
            whole = append(list, &process);
    }
    if (folder)
        closedir(folder);
    find_descendants(list, top);
    return whole;
}

static uint64_t field_bytes(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) << 10 : 0;
}

/* proc(5), /proc/pid/status: pages of its own, and of memory that is shared. */
static uint64_t memory_of(pid_t pid)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    if (!read_text(path, text, sizeof text))
        return 0;
    return field_bytes(text, "\nRssAnon:") + field_bytes(text, "\nRssShmem:") +
           field_bytes(text, "\nVmPTE:");
}

bool tree_use(pid_t top, struct tree_use *use)
{
    struct list list;
    uint64_t ticks = 0;
    bool whole = list_tree(top, &list);
    memset(use, 0, sizeof *use);
    for (size_t i = 0; i < list.count; i++) {
        const struct process *process = &list.processes[i];
        if (!process->inside)
            continue;
        use->processes++;
        use->threads += process->seen.threads;
        use->memory_bytes += memory_of(process->pid);
        ticks += process->seen.ticks + process->seen.waited_ticks;
    }
    use->cpu_ms = ticks * 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
    free(list.processes);
    return whole;
}

void tree_kill(void)
{
    enum { ROUNDS = 1000 };
    for (int round = 0; round < ROUNDS; round++) {
        struct list list;
        bool any = false;
        list_tree(getpid(), &list);
        for (size_t i = 0; i < list.count; i++)
            if (list.processes[i].inside) {
                any = true;
                kill(list.processes[i].pid, SIGKILL);
            }
        free(list.processes);
        if (!any)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ; /* dead ones stay listed until their parent, now the top, reaps them */
    }
}

/* --- Folders ---------------------------------------------------------------------------------- */

static void add_folder(int folder, unsigned most_names, struct folder_use *use, int depth)
{
    enum { MOST_DEPTH = 32 };
    DIR *list = folder < 0 || depth == MOST_DEPTH ? NULL : fdopendir(folder);
    struct dirent *entry;
    if (!list) {
        if (folder >= 0)
            close(folder);
        use->names += folder >= 0 ? most_names : 0; /* too deep is as bad as too many */
        return;
    }
    while (use->names < most_names && (entry = readdir(list))) {
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            fstatat(dirfd(list), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        use->names++;
        use->bytes += (uint64_t)status.st_blocks * 512;
        if (S_ISDIR(status.st_mode))
            add_folder(
                openat(dirfd(list), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                most_names, use, depth + 1);
    }
    closedir(list);
}

void folder_use(const char *path, unsigned most_names, struct folder_use *use)
{
    memset(use, 0, sizeof *use);
    add_folder(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), most_names, use, 0);
}
