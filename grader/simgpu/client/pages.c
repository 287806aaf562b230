/* pages.c - replaces pages that a program uses by fresh ones with the same contents.
 *
 * The problem: the pages are ordinary memory. There may be heap and stack around the buffer, other
 * threads write there, and the calling thread's own frames may be among them.
 *
 * The idea: the pages are made read-only and copied, and one mremap, which no thread can see half
 * done, replaces them by the copies. A thread that writes meanwhile is stopped by SIGSEGV, waits in
 * our handler, and writes again. The swap runs on a stack of its own, with all signals blocked and
 * nothing allocated, so that it writes to none of the pages itself.
 *
 * What remains: a system call of another thread that writes into those pages at that moment fails
 * with EFAULT, and a thread whose own stack another one registers must not run meanwhile.
 */
#include "client.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK_BYTES = 64 << 10, PATIENCE = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before; /* what the program does on SIGSEGV */
static void *stack = MAP_FAILED;
static ucontext_t caller, swapper;

/* The current swap or the last one; read in the handler. */
static struct {
    uintptr_t first;
    size_t bytes;
    void *fresh;
    bool guarded, done;
    atomic_bool busy;
    atomic_int patience; /* how many late signals are still taken for ours */
} swap;

/* A signal may arrive after the swap: then, too, the thread only has to write again. */
static bool is_ours(const siginfo_t *info)
{
    return info->si_code == SEGV_ACCERR && (uintptr_t)info->si_addr - swap.first < swap.bytes &&
           (atomic_load(&swap.busy) || atomic_fetch_sub(&swap.patience, 1) > 0);
}

/* Any other fault is the program's own. Without a handler of its own it happens again when this
 * one returns, and ends the program as it would have. */
static void wait_or_pass_on(int number, siginfo_t *info, void *context)
{
    if (is_ours(info))
        while (atomic_load(&swap.busy))
            sched_yield();
    else if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, context);
    else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        before.sa_handler(number);
    else
        sigaction(SIGSEGV, &before, NULL);
}

/* The handler stays: a thread may be stopped in the last moment and look for it after the swap. */
static bool watch(void)
{
    struct sigaction now,
        ours = {.sa_sigaction = wait_or_pass_on, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigemptyset(&ours.sa_mask);
    if (sigaction(SIGSEGV, NULL, &now) != 0)
        return false;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == wait_or_pass_on)
        return true;
    before = now;
    return sigaction(SIGSEGV, &ours, NULL) == 0;
}

/* On its own stack. */
static void swap_pages(void)
{
    void *first = (void *)swap.first;
    if (swap.guarded && mprotect(first, swap.bytes, PROT_READ) != 0)
        return;
    memcpy(swap.fresh, first, swap.bytes);
    swap.done = mremap(swap.fresh, swap.bytes, swap.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, first) !=
                MAP_FAILED;
    if (!swap.done && swap.guarded)
        mprotect(first, swap.bytes, PROT_READ | PROT_WRITE);
}

static bool prepare(void)
{
    if (stack == MAP_FAILED)
        stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED || getcontext(&swapper) != 0)
        return false;
    swapper.uc_stack.ss_sp = stack;
    swapper.uc_stack.ss_size = STACK_BYTES;
    swapper.uc_link = &caller;
    sigfillset(&swapper.uc_sigmask);
    makecontext(&swapper, swap_pages, 0);
    return true;
}

/* The kernel writes into a thread's control block whenever the thread changes processors, and must
 * be able to; the block is a page at most. */
static bool holds_own_control_block(uintptr_t first, size_t bytes)
{
    uintptr_t block = (uintptr_t)__builtin_thread_pointer();
    return block + 4096 > first && block < first + bytes;
}

bool pages_replace(void *first, size_t bytes, void *fresh)
{
    pthread_mutex_lock(&lock);
    swap.done = false;
    if (msync(first, bytes, MS_ASYNC) == 0 && prepare()) { /* all of it is there */
        swap.first = (uintptr_t)first;
        swap.bytes = bytes;
        swap.fresh = fresh;
        swap.guarded = !holds_own_control_block(swap.first, bytes) && watch();
        atomic_store(&swap.patience, PATIENCE);
        atomic_store(&swap.busy, true);
        swapcontext(&caller, &swapper);
        atomic_store(&swap.busy, false);
    }
    bool done = swap.done;
    pthread_mutex_unlock(&lock);
    if (!done)
        munmap(fresh, bytes);
    return done;
}
