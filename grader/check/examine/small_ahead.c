/* small_ahead.c - see small_ahead.h. */
#include "check/examine/small_ahead.h"

#include <pthread.h>
#include <stdlib.h>

/* How many runs after the current one are prepared: some take longer to prepare than to run. */
enum { RUNS_AHEAD = 4 };

struct small_ahead {
    const struct lab *lab;
    const struct small_run *runs;
    size_t count;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t present, next; /* whose turn it is, and the first that is not prepared */
    bool is_over;
};

/* The next run to be prepared; the number of all when the work is over. The lock is held. */
static size_t take(struct small_ahead *ahead)
{
    while (!ahead->is_over && ahead->next < ahead->count &&
           ahead->next > ahead->present + RUNS_AHEAD)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    if (ahead->next < ahead->present)
        ahead->next = ahead->present;
    return ahead->is_over ? ahead->count : ahead->next;
}

/* If memory does not suffice, the run finds that out itself, and reports it. */
static void *work(void *argument)
{
    struct small_ahead *ahead = argument;
    struct finding ignored;
    pthread_mutex_lock(&ahead->lock);
    for (size_t run; (run = take(ahead)) < ahead->count;) {
        pthread_mutex_unlock(&ahead->lock);
        bool made = small_prepare(ahead->lab, &ahead->runs[run], &ignored);
        pthread_mutex_lock(&ahead->lock);
        ahead->next = made ? run + 1 : ahead->count;
        pthread_cond_broadcast(&ahead->changed);
    }
    ahead->next = ahead->count;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    return NULL;
}

struct small_ahead *small_ahead_begin(const struct lab *lab, const struct small_run *runs,
                                      size_t count)
{
    struct small_ahead *ahead = calloc(1, sizeof *ahead);
    if (!ahead)
        return NULL;
    *ahead = (struct small_ahead){.lab = lab,
                                  .runs = runs,
                                  .count = count,
                                  .lock = PTHREAD_MUTEX_INITIALIZER,
                                  .changed = PTHREAD_COND_INITIALIZER};
    if (pthread_create(&ahead->thread, NULL, work, ahead) == 0)
        return ahead;
    free(ahead);
    return NULL;
}

void small_ahead_reach(struct small_ahead *ahead, size_t run)
{
    if (!ahead)
        return;
    pthread_mutex_lock(&ahead->lock);
    ahead->present = run;
    pthread_cond_broadcast(&ahead->changed);
    while (ahead->next <= run)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    pthread_mutex_unlock(&ahead->lock);
}

void small_ahead_end(struct small_ahead *ahead)
{
    if (!ahead)
        return;
    pthread_mutex_lock(&ahead->lock);
    ahead->is_over = true;
    pthread_cond_broadcast(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->thread, NULL);
    free(ahead);
}
