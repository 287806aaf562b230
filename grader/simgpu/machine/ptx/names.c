#include "names.h"

#include <string.h>

enum { BUCKETS = 4096 };

struct name_entry {
    struct name_entry *next_in_bucket; /* an older entry of the same bucket */
    struct name_entry *older;          /* of any bucket */
    const char *name;
    int kind;
    uint32_t index, bucket;
    unsigned scope;
};

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint32_t bucket_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash % BUCKETS;
}

bool names_init(struct names *names, struct arena *arena)
{
    memset(names, 0, sizeof *names);
    names->arena = arena;
    names->buckets = arena_alloc(arena, BUCKETS * sizeof *names->buckets);
    return names->buckets != NULL;
}

void names_open(struct names *names)
{
    names->scope++;
}

void names_close(struct names *names)
{
    while (names->newest && names->newest->scope == names->scope) {
        struct name_entry *entry = names->newest;
        names->buckets[entry->bucket] = entry->next_in_bucket;
        names->newest = entry->older;
    }
    names->scope--;
}

bool names_put(struct names *names, const char *name, int kind, uint32_t index)
{
    struct name_entry *entry = arena_alloc(names->arena, sizeof *entry);
    if (!entry)
        return false;
    uint32_t bucket = bucket_of(name);
    *entry = (struct name_entry){
        names->buckets[bucket], names->newest, name, kind, index, bucket, names->scope};
    names->buckets[bucket] = names->newest = entry;
    return true;
}

bool names_get(const struct names *names, const char *name, int *kind, uint32_t *index)
{
    for (const struct name_entry *entry = names->buckets[bucket_of(name)]; entry;
         entry = entry->next_in_bucket)
        if (strcmp(entry->name, name) == 0) {
            *kind = entry->kind;
            *index = entry->index;
            return true;
        }
    return false;
}

void names_hide(struct names *names, const char *name)
{
    for (struct name_entry *entry = names->buckets[bucket_of(name)]; entry;
         entry = entry->next_in_bucket)
        if (strcmp(entry->name, name) == 0)
            entry->name = "";
}
