/* process_pause.c - stops a child and everything below it, and lets them continue.
 *
 * SIGSTOP cannot be caught, but a process that is not stopped yet may start another one, or send
 * SIGCONT to one that is. So the tree is walked until every thread of it is found stopped. A
 * process that left the tree is no longer found; in the sandbox none does, since its first process
 * inherits orphans and is itself in the tree.
 */
#include "lib/process.h"
#include "lib/process_seen.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What a walk found at worst. */
enum state {
    STOPPED,
    ASLEEP, /* in the kernel, and stopped when it comes back from there: a parent
                                * that waits for a child of vfork to begin does not, if that is
                                * stopped */
    RUNNING,
};

static void add(struct process_tree *tree, pid_t pid)
{
    if (tree->count == PROCESS_MOST_IN_TREE)
        tree->overflown = true;
    else
        tree->pids[tree->count++] = pid;
}

static void add_children(struct process_tree *tree, pid_t pid, const char *thread)
{
    char name[320];
    int child;
    snprintf(name, sizeof name, "/proc/%d/task/%s/children", pid, thread);
    FILE *children = fopen(name, "re");
    while (children && fscanf(children, "%d", &child) == 1)
        add(tree, child);
    if (children)
        fclose(children);
}

static enum state worse(enum state a, enum state b)
{
    return a > b ? a : b;
}

/* Visit the threads of a process: add its children to the tree, and say what the worst one does. */
static enum state visit(struct process_tree *tree, pid_t pid)
{
    char name[64];
    enum state worst = STOPPED;
    snprintf(name, sizeof name, "/proc/%d/task", pid);
    DIR *threads = opendir(name);
    for (struct dirent *thread; threads && (thread = readdir(threads));) {
        if (thread->d_name[0] == '.')
            continue;
        struct process_seen seen;
        bool stopped =
            !process_look_at_thread(pid, thread->d_name, &seen) || strchr("TtZX", seen.state);
        worst = worse(worst, stopped ? STOPPED : seen.state == 'D' ? ASLEEP : RUNNING);
        add_children(tree, pid, thread->d_name);
    }
    if (threads)
        closedir(threads);
    return worst;
}

/* Walk the tree below root and stop each process of it. */
static enum state walk(struct process_tree *tree, pid_t root)
{
    enum state worst = STOPPED;
    tree->count = 0;
    tree->overflown = false;
    add(tree, root);
    for (size_t i = 0; i < tree->count; i++) {
        kill(tree->pids[i], SIGSTOP);
        worst = worse(worst, visit(tree, tree->pids[i]));
    }
    return tree->overflown ? RUNNING : worst;
}

/* Of all its threads, also of those that have ended. */
static uint64_t ran_ns(pid_t pid)
{
    clockid_t clock;
    struct timespec ran;
    struct process_seen seen;
    if (clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &ran) == 0)
        return (uint64_t)ran.tv_sec * 1000000000U + (uint64_t)ran.tv_nsec;
    return process_look(pid, &seen)
               ? seen.ticks * (UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK))
               : 0;
}

uint64_t process_tree_ran_ns(pid_t pid, unsigned generations)
{
    static struct process_tree tree;
    uint64_t sum_ns = 0;
    tree.count = 0;
    add(&tree, pid);
    for (size_t i = 0, end = 1; i < tree.count; i++) {
        if (i == end) {
            end = tree.count;
            generations -= generations > 0;
        }
        visit(&tree, tree.pids[i]);
        sum_ns += generations > 0 ? 0 : ran_ns(tree.pids[i]);
    }
    return sum_ns;
}

void process_halt(const struct process_tree *tree)
{
    for (size_t i = tree->count; i > 0; i--) /* the last ones do the work */
        kill(tree->pids[i - 1], SIGSTOP);
}

bool process_pause(pid_t pid, struct process_tree *tree, int64_t patience_ns)
{
    enum { ENOUGH_WALKS = 20 }; /* in which nothing ran: then sleeping ones will not wake up soon */
    int64_t deadline = process_now_ns() + patience_ns;
    int asleep = 0;
    enum state worst;
    while ((worst = walk(tree, pid)) != STOPPED && asleep < ENOUGH_WALKS &&
           process_now_ns() < deadline) {
        asleep = worst == ASLEEP ? asleep + 1 : 0;
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
    return worst != RUNNING;
}

void process_kill(const struct process_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        kill(tree->pids[i], SIGKILL);
}

void process_resume(const struct process_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        kill(tree->pids[i], SIGCONT);
}
