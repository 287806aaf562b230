/* layouts.c - the ways in which students are named, each tried in turn. */
#include "class/layouts.h"

#include "class/clean.h"
#include "class/names.h"
#include "lib/files.h"
#include "lib/hash.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SHORT_HASH = 6 };

/* --- Ids and remarks -------------------------------------------------------------------------- */

/* Two names that differ only in what is replaced keep different ids. */
static char *id_of(const char *name, size_t length)
{
    while (length && strchr(" \t", name[length - 1]))
        length--;
    while (length && strchr(" \t", *name)) {
        name++;
        length--;
    }
    char *clean = clean_text(name, length), *id = NULL, digest[HASH_TEXT];
    if (!clean || (length && strlen(clean) == length && memcmp(clean, name, length) == 0))
        return clean;
    struct hash hash;
    hash_init(&hash);
    hash_add(&hash, name, length);
    hash_text(&hash, digest);
    if (asprintf(&id, "%s-%.*s", *clean ? clean : "unnamed", SHORT_HASH, digest) < 0)
        id = NULL;
    free(clean);
    return id;
}

static void remark(struct owner *owner, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void remark(struct owner *owner, const char *format, ...)
{
    char *text = NULL, *both = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0 && owner->remark &&
        asprintf(&both, "%s%s%s", owner->remark, *owner->remark ? "; " : "", text) < 0)
        both = NULL;
    if (length >= 0)
        free(text);
    free(owner->remark);
    owner->remark = both;
}

static void take(struct owner *owner, const struct match_found *found)
{
    owner->student = found->rival ? NULL : found->student;
    owner->by_name = owner->student && found->kind == MATCH_NAME;
    if (!found->rival)
        return;
    owner->fits_many = true;
    remark(owner, "the name fits both %s and %s of the roster, so it is taken for neither's",
           found->student->id, found->rival->id);
}

/* --- Canvas and Moodle ------------------------------------------------------------------------ */

/* The number is Canvas's own; the name before it may be that of several. */
static void match_canvas(const struct match *match, const char *name,
                         const struct name_parts *parts, struct owner *owner)
{
    struct match_found found = match_find(match, parts->number, parts->digits, 1U << MATCH_CANVAS);
    if (!found.student)
        found = match_find(match, name, parts->whose, MATCH_ANY & ~(1U << MATCH_CANVAS));
    if (found.student && !found.rival && found.kind != MATCH_CANVAS && *found.student->canvas_id) {
        remark(owner, "the name fits %s of the roster, whose Canvas id is another: %s",
               found.student->id, found.student->canvas_id);
        return;
    }
    take(owner, &found);
}

/* A roster that is Moodle's grading worksheet has ids like "Participant 123". */
static void match_moodle(const struct match *match, const char *name,
                         const struct name_parts *parts, struct owner *owner)
{
    struct path participant = path_of("Participant %.*s", (int)parts->digits, parts->number);
    struct match_found found =
        match_find(match, participant.text, strlen(participant.text), 1U << MATCH_ID);
    if (!found.student)
        found = match_find(match, name, parts->whose, MATCH_ANY);
    take(owner, &found);
}

/* --- Other names ------------------------------------------------------------------------------ */

/* One part of a name has found a student: another part must not have found a different one. */
static void merge(struct match_found *all, const struct match_found *found, bool is_start,
                  bool *by_start)
{
    if (!found->student)
        return;
    if (!all->student) {
        *all = *found;
        *by_start = is_start;
    } else if (all->student != found->student) {
        all->rival = found->student;
    } else if (found->rival) {
        all->rival = found->rival;
    }
}

/* "ann_coalescing": the start of the name. "assignment-ann": its end, after a hyphen. */
static void match_part(const struct match *match, const char *name, size_t length,
                       struct owner *owner)
{
    struct match_found all = {0};
    bool by_start = false;
    /* No file here has a longer name, but one in a zip file may, and each part takes a look-up. */
    if (match->count == 0 || length > NAME_MAX)
        return;
    for (size_t at = 1; at + 1 < length; at++) {
        if (!strchr("_.- ", name[at]))
            continue;
        struct match_found start = match_find(match, name, at, MATCH_LOGIN);
        merge(&all, &start, true, &by_start);
        if (name[at] != '-')
            continue;
        struct match_found end = match_find(match, name + at + 1, length - at - 1, MATCH_LOGIN);
        merge(&all, &end, false, &by_start);
    }
    take(owner, &all);
    if (owner->student && by_start)
        remark(owner, "taken for that of %s, since its name begins so", owner->student->id);
}

static size_t match_plain(const struct match *match, const char *name, size_t stem,
                          struct owner *owner)
{
    size_t length = name_before_lesson(name, stem);
    struct match_found found = match_find(match, name, stem, MATCH_ANY);
    if (!found.student && length < stem)
        found = match_find(match, name, length, MATCH_ANY);
    if (found.student)
        take(owner, &found);
    else
        match_part(match, name, length, owner);
    return length;
}

/* --- Owners ----------------------------------------------------------------------------------- */

static bool finish(struct owner *owner, const char *name, size_t length)
{
    owner->name = id_of(name, length);
    owner->id = owner->student ? strdup(owner->student->id)
                : owner->name  ? strdup(owner->name)
                               : NULL;
    return owner->id && owner->name && owner->remark && owner->number && owner->file;
}

/* A name with slashes is that of a file in a zip file, whose path leads elsewhere. */
bool layout_owner(const struct match *match, const struct node *node, struct owner *owner)
{
    const char *name = path_base(node->name);
    size_t stem = node->kind == NODE_FOLDER ? strlen(name) : name_stem(name);
    struct name_parts parts = name_parts(name);
    *owner = (struct owner){.remark = strdup(""), .is_canvas = parts.system == NAME_CANVAS};
    owner->version = parts.version;
    owner->number = strndup(parts.number ? parts.number : "", parts.digits);
    owner->file = parts.system != NAME_PLAIN && *parts.file ? strndup(parts.file, parts.file_stem)
                                                            : strndup(name, stem);
    if (parts.late)
        remark(owner, "LATE, says Canvas");
    if (parts.system == NAME_PLAIN)
        return finish(owner, name, match_plain(match, name, stem, owner));
    if (parts.system == NAME_CANVAS)
        match_canvas(match, name, &parts, owner);
    else
        match_moodle(match, name, &parts, owner);
    return finish(owner, name, parts.whose);
}

/* A name alone does not tell two students apart, so the submission's number stays with it. */
bool layout_submitter(const struct match *match, const struct submitter *submitter, size_t members,
                      struct owner *owner)
{
    const char *const texts[] = {submitter->sid, submitter->email, submitter->name};
    static const unsigned KINDS[] = {MATCH_LOGIN, MATCH_LOGIN, MATCH_ANY};
    struct match_found found = {0};
    const char *id = NULL;
    bool named_only = !*submitter->sid && !*submitter->email;
    *owner = (struct owner){.remark = strdup(""),
                            .number = strdup(named_only ? submitter->submission : ""),
                            .file = strdup("")};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!found.student)
            found = match_find(match, texts[i], strlen(texts[i]), KINDS[i]);
        if (!id && *texts[i])
            id = texts[i];
    }
    take(owner, &found);
    id = id ? id : submitter->submission;
    if (members > 1)
        remark(owner, "handed in by a group of %zu", members);
    return finish(owner, id, strlen(id));
}

void layout_owner_free(struct owner *owner)
{
    free(owner->id);
    free(owner->name);
    free(owner->remark);
    free(owner->number);
    free(owner->file);
    *owner = (struct owner){0};
}

/* --- Wrappers --------------------------------------------------------------------------------- */

bool layout_is_visible(const struct node *node)
{
    return node->state != HANDED_IN_LEFT_OUT && node->kind != NODE_METADATA;
}

struct inside {
    size_t visible, containers, exported; /* exported: with a name of Canvas's or Moodle's */
    size_t listed;                        /* of students of the roster */
    bool has_metadata;
    const struct node *last; /* visible one */
};

static struct inside look_inside(const struct match *match, const struct node *node)
{
    struct inside inside = {0};
    for (size_t i = 0; i < node->count; i++) {
        const struct node *child = node->children[i];
        struct owner owner;
        inside.has_metadata |= child->kind == NODE_METADATA;
        if (!layout_is_visible(child))
            continue;
        inside.visible++;
        inside.last = child;
        inside.containers += child->kind != NODE_FILE;
        inside.exported += name_parts(child->name).system != NAME_PLAIN;
        inside.listed += match->count && layout_owner(match, child, &owner) && owner.student;
        if (match->count)
            layout_owner_free(&owner);
    }
    return inside;
}

/* A folder that was packed as a whole lies in the zip file that has its name. */
static bool is_named_as_its_zip(const struct node *node)
{
    const struct node *zip = node->parent;
    return zip->kind == NODE_ZIP && strlen(node->name) == name_stem(zip->name) &&
           strncasecmp(node->name, zip->name, strlen(node->name)) == 0;
}

static bool is_in_zip(const struct node *node)
{
    for (node = node->parent; node; node = node->parent)
        if (node->kind == NODE_ZIP)
            return true;
    return false;
}

static bool is_container(const struct node *node)
{
    return node->kind != NODE_FILE && node->count > 0 &&
           name_parts(node->name).system == NAME_PLAIN;
}

/* What Canvas, Moodle or Gradescope made, perhaps with a folder around it. */
static bool is_export(const struct match *match, const struct node *node)
{
    struct inside inside = look_inside(match, node);
    return inside.has_metadata || (inside.visible && inside.exported == inside.visible) ||
           (inside.visible == 1 && is_container(inside.last) && is_export(match, inside.last));
}

bool layout_is_wrapper(const struct match *match, const struct node *node, bool is_only)
{
    if (!is_container(node))
        return false;
    if (is_export(match, node))
        return true;
    if (!is_only)
        return false;
    struct inside inside = look_inside(match, node);
    if (inside.listed > 0 ||
        (match->count && inside.visible == 1 && layout_is_wrapper(match, inside.last, true)))
        return true;
    return node->kind == NODE_ZIP ||
           (is_in_zip(node) && (is_named_as_its_zip(node) || inside.containers > 1));
}
