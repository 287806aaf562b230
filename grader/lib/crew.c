/* crew.c - workers take tasks from a counter in shared memory, leave outcomes next to it, and send
 * the task's number through a pipe once its outcome is complete. */
#include "lib/crew.h"

#include "lib/process.h"
#include "lib/processors.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORKERS = 64 };

struct board {
    atomic_size_t next; /* the first task that has not been taken */
    size_t told;        /* how many have been reported, from the first on */
    struct crew_outcome outcomes[];
};

size_t crew_workers(size_t most)
{
    size_t processors = processors_allowed();
    return processors < most ? processors : most;
}

unsigned crew_share(size_t workers)
{
    size_t share = workers ? processors_allowed() / workers : 0;
    return share ? (unsigned)share : 1;
}

/* --- In a worker ------------------------------------------------------------------------------ */

static void work(const struct crew *crew, struct board *board, int bell, pid_t parent)
{
    size_t task;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    process_adopt_orphans();
    while (getppid() == parent && !process_interrupted() &&
           (task = atomic_fetch_add(&board->next, 1)) < crew->tasks) {
        if (!crew->work(crew->context, task, &board->outcomes[task]) ||
            write(bell, &task, sizeof task) != sizeof task)
            break;
    }
    _exit(0);
}

/* --- In the caller's process ------------------------------------------------------------------ */

static size_t start(const struct crew *crew, struct board *board, const int bell[2],
                    pid_t pids[MOST_WORKERS])
{
    size_t started = 0, wanted = crew->workers < MOST_WORKERS ? crew->workers : MOST_WORKERS;
    pid_t parent = getpid();
    fflush(NULL); /* otherwise each worker would write the buffered output again */
    while (started < wanted && started < crew->tasks) {
        pid_t pid = fork();
        if (pid == 0) {
            close(bell[0]);
            work(crew, board, bell[1], parent);
        }
        if (pid < 0)
            break;
        pids[started++] = pid;
    }
    return started;
}

/* Each task once: board->told of it. */
static void tell(const struct crew *crew, struct board *board, size_t task)
{
    board->outcomes[task].told = true;
    crew->tell(crew->context, task, &board->outcomes[task]);
}

/* Those before the first one that is not known. */
static void tell_in_order(const struct crew *crew, struct board *board)
{
    for (; board->told < crew->tasks && board->outcomes[board->told].done; board->told++)
        if (!board->outcomes[board->told].told)
            tell(crew, board, board->told);
}

/* Report what is known until all workers have closed the pipe. An interrupt just before the read is
 * noticed after the next outcome. */
static void listen(const struct crew *crew, struct board *board, int bell)
{
    size_t task;
    ssize_t got = 1;
    while (got != 0 && !process_interrupted()) {
        got = read(bell, &task, sizeof task); /* so few bytes come in one piece */
        if (got < 0 && errno != EINTR)
            break;
        if (got != sizeof task || task >= crew->tasks)
            continue;
        board->outcomes[task].done = true;
        if (crew->in_any_order)
            tell(crew, board, task);
        tell_in_order(crew, board);
    }
}

static void dismiss(const pid_t *pids, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (process_interrupted())
            kill(pids[i], SIGTERM);
        while (waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
}

bool crew_run(const struct crew *crew)
{
    int bell[2];
    pid_t pids[MOST_WORKERS];
    size_t started = 0;
    size_t bytes = sizeof(struct board) + crew->tasks * sizeof(struct crew_outcome);
    struct board *board =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED)
        return false;
    if (pipe(bell) == 0) {
        started = start(crew, board, bell, pids);
        close(bell[1]);
        listen(crew, board, bell[0]);
        dismiss(pids, started);
        close(bell[0]);
    }
    for (size_t task = 0; task < crew->tasks && !process_interrupted(); task++)
        if (!board->outcomes[task].told)
            tell(crew, board, task);
    munmap(board, bytes);
    return !process_interrupted();
}
