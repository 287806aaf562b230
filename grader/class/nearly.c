/* nearly.c - see nearly.h. */
#include "class/nearly.h"

#include "class/passages.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_PASSAGES = 12, NEAR_PERCENT = 80 };

/* A passage, and one of the files that have it. */
struct place {
    uint64_t hash;
    size_t file;
};

struct near_files {
    struct mark *const *marks;
    struct passages *files;
    size_t count;
    struct place *places; /* by their hashes */
    size_t place_count;
    size_t *shared; /* with each file */
};

/* --- Where passages are ----------------------------------------------------------------------- */

static int by_hash(const void *a, const void *b)
{
    const struct place *first = a, *second = b;
    return (first->hash > second->hash) - (first->hash < second->hash);
}

static bool find_places(struct near_files *near)
{
    size_t count = 0;
    for (size_t i = 0; i < near->count; i++)
        count += near->files[i].count;
    near->places = calloc(count + 1, sizeof *near->places);
    for (size_t i = 0; near->places && i < near->count; i++)
        for (size_t k = 0; k < near->files[i].count; k++)
            near->places[near->place_count++] = (struct place){near->files[i].hashes[k], i};
    if (near->places)
        qsort(near->places, near->place_count, sizeof *near->places, by_hash);
    return near->places != NULL;
}

/* The first place after those that have the hash of this one. */
static size_t end_of_group(const struct near_files *near, size_t first)
{
    size_t end = first;
    while (end < near->place_count && near->places[end].hash == near->places[first].hash)
        end++;
    return end;
}

static size_t first_of(const struct near_files *near, uint64_t hash)
{
    size_t low = 0, high = near->place_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (near->places[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_common(const struct near_files *near, size_t files)
{
    return files > 10 && files * 10 > near->count;
}

/* Without memory they stay, and more is flagged. */
static void remove_common(struct near_files *near)
{
    struct passages common = {.hashes = calloc(near->place_count + 1, sizeof(uint64_t))};
    for (size_t first = 0, end; common.hashes && first < near->place_count; first = end) {
        end = end_of_group(near, first);
        if (is_common(near, end - first))
            common.hashes[common.count++] = near->places[first].hash;
    }
    for (size_t i = 0; i < near->count; i++)
        passages_remove(&near->files[i], &common);
    passages_free(&common);
}

/* --- Who is near whom ------------------------------------------------------------------------- */

static unsigned percent_of_shorter(size_t shared, size_t first, size_t second)
{
    size_t shorter = first < second ? first : second;
    return shorter < LEAST_PASSAGES ? 0 : (unsigned)(100 * shared / shorter);
}

static void count_shared(struct near_files *near, size_t file)
{
    memset(near->shared, 0, near->count * sizeof *near->shared);
    for (size_t k = 0; k < near->files[file].count; k++) {
        size_t first = first_of(near, near->files[file].hashes[k]);
        size_t end = end_of_group(near, first);
        for (size_t i = first; i < end; i++)
            near->shared[near->places[i].file]++;
    }
}

static void flag_nearest(struct near_files *near, size_t file)
{
    size_t nearest = file;
    unsigned most = 0;
    count_shared(near, file);
    for (size_t other = 0; other < near->count; other++) {
        unsigned percent = percent_of_shorter(near->shared[other], near->files[file].count,
                                              near->files[other].count);
        if (other != file && percent > most) {
            most = percent;
            nearest = other;
        }
    }
    if (most >= NEAR_PERCENT)
        mark_flag(near->marks[file],
                  "shares %u %% of the shorter file's passages with the file of %s, whatever names "
                  "and layout they have",
                  most, near->marks[nearest]->student->id);
}

static void flag_solution(struct near_files *near, size_t file, const struct passages *solution)
{
    const struct passages *own = &near->files[file];
    unsigned percent =
        percent_of_shorter(passages_shared(own, solution), own->count, solution->count);
    if (percent >= NEAR_PERCENT)
        mark_flag(near->marks[file],
                  "shares %u %% of the shorter file's passages with the course's own solution",
                  percent);
}

/* --- All of a lesson -------------------------------------------------------------------------- */

/* False: there is no memory. */
static bool read_files(struct near_files *near, const char *exercise, struct passages *solution,
                       const char *text)
{
    struct passages given = {0};
    bool read =
        near->files && near->shared && passages_of(exercise, &given) && passages_of(text, solution);
    passages_remove(solution, &given);
    for (size_t i = 0; read && i < near->count; i++) {
        read = passages_of(near->marks[i]->source, &near->files[i]);
        passages_remove(&near->files[i], &given);
    }
    passages_free(&given);
    return read;
}

void nearly_flag(struct mark *const *marks, size_t count, const char *exercise,
                 const char *solution)
{
    struct passages ours = {0};
    struct near_files near = {.marks = marks,
                              .count = count,
                              .files = calloc(count + 1, sizeof *near.files),
                              .shared = calloc(count + 1, sizeof *near.shared)};
    if (read_files(&near, exercise, &ours, solution) && find_places(&near)) {
        for (size_t i = 0; i < count; i++) /* what many took from the solution is found, too */
            flag_solution(&near, i, &ours);
        remove_common(&near);
        for (size_t i = 0; i < count; i++)
            flag_nearest(&near, i);
    }
    for (size_t i = 0; near.files && i < count; i++)
        passages_free(&near.files[i]);
    passages_free(&ours);
    free(near.files);
    free(near.places);
    free(near.shared);
}
