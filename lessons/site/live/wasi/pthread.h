/* pthread.h - of a machine without threads (WebAssembly): locks that nobody contends for. */
#ifndef WASI_PTHREAD_H
#define WASI_PTHREAD_H

#include <stddef.h>

typedef struct {
    char unused;
} pthread_mutex_t, pthread_rwlock_t;

#define WASI_LOCK(name, T)          \
    static inline int name(T *lock) \
    {                               \
        (void)lock;                 \
        return 0;                   \
    }
#define WASI_LOCK_INIT(name, T)                       \
    static inline int name(T *lock, const void *kind) \
    {                                                 \
        (void)lock, (void)kind;                       \
        return 0;                                     \
    }
WASI_LOCK_INIT(pthread_mutex_init, pthread_mutex_t)
WASI_LOCK(pthread_mutex_destroy, pthread_mutex_t)
WASI_LOCK(pthread_mutex_lock, pthread_mutex_t)
WASI_LOCK(pthread_mutex_unlock, pthread_mutex_t)
WASI_LOCK_INIT(pthread_rwlock_init, pthread_rwlock_t)
WASI_LOCK(pthread_rwlock_destroy, pthread_rwlock_t)
WASI_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
WASI_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
WASI_LOCK(pthread_rwlock_unlock, pthread_rwlock_t)

#endif
