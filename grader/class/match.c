/* match.c - one sorted list of everything that can name a student. */
#include "class/match.h"

#include "class/clean.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 8 };

/* ASCII letters only, as roster_find compares. */
static char *lower_case(const char *text, size_t length)
{
    char *lower = clean_cell(text, length);
    for (char *at = lower; at && *at; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    return lower;
}

static int compare_entries(const void *left, const void *right)
{
    const struct match_entry *one = left, *other = right;
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    return strcmp(one->key, other->key);
}

/* Takes over key; an empty one names nobody. False when memory is exhausted. */
static bool add(struct match *match, enum match_kind kind, char *key, const struct student *student)
{
    if (!key || !*key) {
        bool made = key != NULL;
        free(key);
        return made;
    }
    if ((match->count & (match->count - 1)) == 0) {
        size_t room = match->count ? 2 * match->count : 1;
        struct match_entry *entries = realloc(match->entries, room * sizeof *entries);
        if (!entries) {
            free(key);
            return false;
        }
        match->entries = entries;
    }
    match->entries[match->count++] = (struct match_entry){kind, key, student};
    return true;
}

static bool add_text(struct match *match, enum match_kind kind, const char *text,
                     const struct student *student)
{
    return add(match, kind, lower_case(text, strlen(text)), student);
}

/* "Ann Marie Lee" is also "Lee Ann Marie" and "Marie Lee Ann": which of its words are the last name
 * is not known. */
static bool add_name(struct match *match, const char *name, const struct student *student)
{
    bool added = true;
    const char *starts[MOST_WORDS];
    size_t count = 0;
    for (const char *at = name; *at && count < MOST_WORDS; at += strcspn(at, " ,")) {
        at += strspn(at, " ,");
        if (*at)
            starts[count++] = at;
    }
    for (size_t i = 0; added && i < count; i++) {
        char *turned = NULL;
        size_t before = (size_t)(starts[i] - name);
        turned = malloc(strlen(name) + 2);
        if (!turned)
            return false;
        strcpy(turned, starts[i]);
        strcat(turned, " ");
        strncat(turned, name, before);
        added = add(match, MATCH_NAME, clean_name_key(turned), student);
        free(turned);
    }
    return added;
}

static bool add_student(struct match *match, const struct student *student)
{
    size_t local = strcspn(student->email, "@");
    return add_text(match, MATCH_ID, student->id, student) &&
           add_text(match, MATCH_EMAIL, student->email, student) &&
           add(match, MATCH_LOCAL_PART, lower_case(student->email, local), student) &&
           add_text(match, MATCH_SIS, student->sis_id, student) &&
           add_text(match, MATCH_SIS, student->sis_login, student) &&
           add_text(match, MATCH_CANVAS, student->canvas_id, student) &&
           add_name(match, student->name, student);
}

bool match_open(struct match *match, const struct roster *roster)
{
    *match = (struct match){0};
    for (size_t i = 0; roster && i < roster->count; i++)
        if (!add_student(match, &roster->students[i])) {
            match_close(match);
            return false;
        }
    if (match->count)
        qsort(match->entries, match->count, sizeof *match->entries, compare_entries);
    return true;
}

void match_close(struct match *match)
{
    for (size_t i = 0; i < match->count; i++)
        free(match->entries[i].key);
    free(match->entries);
    *match = (struct match){0};
}

/* The first entry that is not before the wanted one. */
static size_t place_of(const struct match *match, const struct match_entry *wanted)
{
    size_t low = 0, high = match->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_entries(&match->entries[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct match_found find_kind(const struct match *match, const struct match_entry *wanted)
{
    struct match_found found = {.kind = wanted->kind};
    for (size_t i = place_of(match, wanted);
         i < match->count && compare_entries(&match->entries[i], wanted) == 0; i++) {
        if (!found.student)
            found.student = match->entries[i].student;
        else if (match->entries[i].student != found.student)
            found.rival = match->entries[i].student;
    }
    return found;
}

struct match_found match_find(const struct match *match, const char *name, size_t length,
                              unsigned kinds)
{
    struct match_found found = {0};
    char *lower = lower_case(name, length), *plain = lower ? clean_name_key(lower) : NULL;
    for (int kind = 0; lower && plain && kind < MATCH_KINDS && !found.student; kind++) {
        char *key = kind == MATCH_NAME ? plain : lower;
        const struct match_entry wanted = {.kind = (enum match_kind)kind, .key = key};
        if (*key && (kinds >> kind & 1))
            found = find_kind(match, &wanted);
    }
    free(lower);
    free(plain);
    return found;
}
