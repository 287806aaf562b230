/* watched.c - see watched.h. */
#include "quest/watched.h"

#include "lib/process.h"

static struct stat look(const char *path, bool *is_there)
{
    struct stat now = {0};
    *is_there = lstat(path, &now) == 0 && S_ISREG(now.st_mode);
    return *is_there ? now : (struct stat){0};
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void watched_open(struct watched *watched, const char *path)
{
    *watched = (struct watched){.path = path};
    watched->seen = look(path, &watched->is_there);
}

bool watched_saved(struct watched *watched)
{
    const int64_t MOMENT_NS = 60000000;
    bool is_there;
    struct stat now = look(watched->path, &is_there);
    if (!is_same(&now, &watched->seen) || is_there != watched->is_there) {
        watched->seen = now;
        watched->is_there = is_there;
        watched->changes = true;
        watched->changed_at_ns = process_now_ns();
        return false;
    }
    bool is_saved = watched->changes && process_now_ns() - watched->changed_at_ns >= MOMENT_NS;
    watched->changes = watched->changes && !is_saved;
    return is_saved;
}
