/* pool.c - threads that help with launches. The thread of a launch always works on it itself, so a
 * launch never waits for helpers that are busy elsewhere. */
#include "device.h"

#include <stdlib.h>
#include <unistd.h>

struct task {
    struct task *next;
    struct launch *launch;
    uint32_t worker;
    unsigned *unfinished;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct task *first;
    unsigned helpers;
};

/* The first task that may be taken; the lock is held. */
static struct task *take(struct pool *pool)
{
    struct task *task = pool->first;
    if (task)
        pool->first = task->next;
    return task;
}

static void *help(void *argument)
{
    struct pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        struct task *task = take(pool);
        if (!task) {
            pthread_cond_wait(&pool->changed, &pool->lock);
            continue;
        }
        pthread_mutex_unlock(&pool->lock);
        sim_launch_work(task->launch, task->worker);
        pthread_mutex_lock(&pool->lock);
        --*task->unfinished;
        free(task);
        pthread_cond_broadcast(&pool->changed);
    }
    return NULL;
}

struct pool *pool_new(unsigned workers)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    for (unsigned i = 1; i < workers; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, help, pool) != 0)
            break;
        pthread_detach(thread);
        pool->helpers++;
    }
    return pool;
}

unsigned pool_workers(const struct pool *pool)
{
    return pool->helpers + 1;
}

/* Take back the tasks of launch that no helper has begun. */
static void take_back(struct pool *pool, const struct launch *launch, unsigned *unfinished)
{
    for (struct task **link = &pool->first; *link;) {
        struct task *task = *link;
        if (task->launch != launch) {
            link = &task->next;
            continue;
        }
        *link = task->next;
        free(task);
        --*unfinished;
    }
}

void pool_run(struct pool *pool, struct launch *launch, uint32_t workers)
{
    unsigned unfinished = 0;
    if (workers <= 1) { /* no helper is woken to find nothing to do */
        sim_launch_work(launch, 0);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    for (uint32_t worker = 1; worker < workers; worker++) {
        struct task *task = calloc(1, sizeof *task);
        if (!task)
            break;
        *task = (struct task){pool->first, launch, worker, &unfinished};
        pool->first = task;
        unfinished++;
    }
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    sim_launch_work(launch, 0);
    pthread_mutex_lock(&pool->lock);
    take_back(pool, launch, &unfinished);
    while (unfinished)
        pthread_cond_wait(&pool->changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}
