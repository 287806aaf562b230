/* work_watch.c - see work_watch.h. */
#include "lib/work_watch.h"

#include "lib/process_seen.h"
#include "lib/processors.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_PROCESSES = 512 };

struct walk {
    struct work_watch *watch;
    const struct work_threads *before;
    struct work_threads *now;
    int64_t passed_ns; /* since the last look */
    pid_t self;        /* the thread that looks: it runs whenever it does */
    pid_t processes[MOST_PROCESSES];
    unsigned count;
};

int64_t work_wall_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* --- Threads by their number ------------------------------------------------------------------ */

static unsigned place_of(const struct work_threads *threads, pid_t thread)
{
    unsigned at = (unsigned)thread % WORK_ROOM;
    while (threads->at[at].thread && threads->at[at].thread != thread)
        at = (at + 1) % WORK_ROOM;
    return at;
}

static const struct work_thread *met_before(const struct walk *walk, pid_t thread)
{
    const struct work_thread *found = &walk->before->at[place_of(walk->before, thread)];
    return found->thread ? found : NULL;
}

/* --- One thread ------------------------------------------------------------------------------- */

/* A wait is counted when it is over, which on a very busy machine may be seconds later. A thread
 * that is ready, and whose counts have not changed, has waited at least since the last look: that
 * is counted in advance. */
static void take_in_advance(const struct walk *walk, pid_t process, const char *name,
                            struct work_thread *thread)
{
    const struct work_thread *before = met_before(walk, thread->thread);
    struct process_seen seen;
    if (!before)
        return;
    thread->advance_ns = before->advance_ns;
    if (thread->counted_ns != before->counted_ns)
        thread->advance_ns = 0;
    else if (thread->ran_ns == before->ran_ns && thread->thread != walk->self &&
             process_look_at_thread(process, name, &seen) && seen.state == 'R')
        thread->advance_ns += (uint64_t)walk->passed_ns;
    thread->waited_ns = thread->counted_ns + thread->advance_ns;
    /* An excess is subtracted from what is counted next. */
    if (thread->waited_ns < before->waited_ns)
        thread->waited_ns = before->waited_ns;
}

/* A kernel that does not count gives zeros, also for turns. */
static bool read_counts(const char *folder, struct work_thread *thread)
{
    char path[96], text[96];
    unsigned long long ran, waited, turns;
    snprintf(path, sizeof path, "%s/schedstat", folder);
    if (!process_read(path, text, sizeof text) ||
        sscanf(text, "%llu %llu %llu", &ran, &waited, &turns) != 3)
        return false;
    thread->ran_ns = ran;
    thread->waited_ns = thread->counted_ns = waited;
    return turns > 0;
}

static bool read_state(const struct walk *walk, pid_t process, const char *name,
                       struct work_thread *thread)
{
    const struct work_thread *before = met_before(walk, thread->thread);
    struct process_seen seen;
    if (!process_look_at_thread(process, name, &seen))
        return false;
    thread->ran_ns = seen.ticks * (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK));
    thread->waited_ns = before ? before->waited_ns : 0;
    int64_t ran_ns = before ? (int64_t)(thread->ran_ns - before->ran_ns) : 0;
    if (before && thread->thread != walk->self && seen.state == 'R' && ran_ns < walk->passed_ns)
        thread->waited_ns += (uint64_t)(walk->passed_ns - ran_ns);
    return true;
}

/* The launcher's watch, and the device's over its memory (memory_share.c), look around about fifty
 * times a second. Any thread may take that name: then only its waiting is not counted. */
static bool only_watches(const char *folder)
{
    char path[96], name[32];
    snprintf(path, sizeof path, "%s/comm", folder);
    return process_read(path, name, sizeof name) &&
           (strcmp(name, "walls\n") == 0 || strcmp(name, "memory-share\n") == 0);
}

static void add_up(struct walk *walk, const struct work_thread *thread,
                   const struct work_thread *before)
{
    struct work_moment *sums = &walk->watch->last;
    if (thread->ran_ns > before->ran_ns)
        sums->ran_ns += (int64_t)(thread->ran_ns - before->ran_ns);
    if (thread->waited_ns > before->waited_ns && !thread->only_watches)
        sums->waited_ns += (int64_t)(thread->waited_ns - before->waited_ns);
}

/* A new thread may have existed for a moment only, or ever since the last look. */
static void visit_thread(struct walk *walk, pid_t process, const char *folder, const char *name)
{
    struct work_thread thread = {0};
    int number = 0;
    if (sscanf(name, "%d", &number) != 1 || number <= 0 || walk->now->count == WORK_MOST_THREADS)
        return;
    thread.thread = (pid_t)number;
    bool read = walk->watch->by_states ? read_state(walk, process, name, &thread)
                                       : read_counts(folder, &thread);
    const struct work_thread *before = met_before(walk, thread.thread);
    bool may_be_new = !before || thread.thread == process; /* a program is named after its file */
    thread.only_watches = may_be_new ? only_watches(folder) : before->only_watches;
    if (!read)
        return;
    if (!walk->watch->by_states)
        take_in_advance(walk, process, name, &thread);
    walk->now->at[place_of(walk->now, thread.thread)] = thread;
    walk->now->count++;
    if (before)
        add_up(walk, &thread, before);
}

/* --- All below the root ----------------------------------------------------------------------- */

static void add_children(struct walk *walk, const char *folder)
{
    char path[96];
    int child;
    snprintf(path, sizeof path, "%s/children", folder);
    FILE *children = fopen(path, "re");
    while (children && walk->count < MOST_PROCESSES && fscanf(children, "%d", &child) == 1)
        walk->processes[walk->count++] = (pid_t)child;
    if (children)
        fclose(children);
}

static void visit_process(struct walk *walk, pid_t process)
{
    char path[32], folder[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    for (struct dirent *thread; threads && (thread = readdir(threads));) {
        if (thread->d_name[0] == '.')
            continue;
        snprintf(folder, sizeof folder, "%s/%.16s", path, thread->d_name);
        visit_thread(walk, process, folder, thread->d_name);
        add_children(walk, folder);
    }
    if (threads)
        closedir(threads);
}

void work_watch_open(struct work_watch *watch, pid_t root)
{
    struct work_thread own = {0};
    memset(watch, 0, sizeof *watch);
    watch->root = root;
    watch->by_states = !read_counts("/proc/thread-self", &own);
    work_watch_look(watch);
}

struct work_moment work_watch_look(struct work_watch *watch)
{
    int64_t now_ns = work_wall_ns();
    struct walk walk = {.watch = watch,
                        .before = &watch->threads[watch->turn],
                        .now = &watch->threads[!watch->turn],
                        .passed_ns = now_ns - watch->last.wall_ns,
                        .self = (pid_t)syscall(SYS_gettid),
                        .processes = {watch->root},
                        .count = 1};
    memset(walk.now, 0, sizeof *walk.now);
    for (unsigned i = 0; i < walk.count; i++)
        visit_process(&walk, walk.processes[i]);
    watch->turn = !watch->turn;
    watch->last.wall_ns = now_ns;
    return watch->last;
}

/* --- What it means ---------------------------------------------------------------------------- */

int64_t work_between_ns(const struct work_moment *from, const struct work_moment *to)
{
    int64_t passed = to->wall_ns - from->wall_ns, ran = to->ran_ns - from->ran_ns;
    int64_t waited = to->waited_ns - from->waited_ns, ready = ran + waited;
    if (waited <= 0 || passed <= 0)
        return passed > 0 ? passed : 0;
    /* While threads take turns, at most one of them is ready at a time. Otherwise the work proceeds
     * as fast as its threads do. */
    int64_t went =
        ready <= passed ? passed - waited : (int64_t)((double)passed * (double)ran / (double)ready);
    int64_t least = ran / (int64_t)processors_allowed();
    if (went < least)
        went = least;
    return went < passed ? went : passed;
}
