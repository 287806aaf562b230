/* handed_in.c - from the tree of a class's folder to a list of hand-ins, each with its student.
 *
 * Read after hand_in_tree.c, which finds the files, and layouts.c, which says whose a name is.
 */
#include "class/handed_in.h"

#include "class/clean.h"
#include "class/layouts.h"
#include "lib/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_METADATA_BYTES = 64 << 20 };

/* A hand-in, and what is needed to compare it with others. */
struct draft {
    struct hand_in file;
    char *number;                 /* of the student, in an export; "" otherwise */
    char *key;                    /* two files of a student with one key: one is handed in again */
    const struct node *container; /* that the student's is in */
    int64_t modified_ns;
    unsigned version;
    bool is_canvas, by_name;
    char *name; /* as the student was called; what the id is made of when two have one name */
};

struct collecting {
    struct match match;
    struct draft *drafts;
    size_t count;
    bool exhausted, unreadable;
};

/* --- Texts ------------------------------------------------------------------------------------ */

static void put_path(FILE *out, const struct node *node, const struct node *top)
{
    if (node == top)
        return;
    if (node->parent != top) {
        put_path(out, node->parent, top);
        putc('/', out);
    }
    fputs(node->name, out);
}

/* Names from below top down to the node, with slashes; the caller frees it. */
static char *path_below(const struct node *node, const struct node *top)
{
    char *path = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&path, &bytes);
    if (!out)
        return NULL;
    put_path(out, node, top);
    fclose(out);
    return path;
}

static char *shown_of(const struct node *node)
{
    const struct node *root = node;
    while (root->parent)
        root = root->parent;
    char *path = path_below(node, root), *shown = path ? clean_text(path, strlen(path)) : NULL;
    free(path);
    return shown;
}

static char *joined(const char *one, const char *between, const char *other)
{
    char *text = NULL;
    return asprintf(&text, "%s%s%s", one, between, other) < 0 ? NULL : text;
}

static void add_remark(struct collecting *collecting, struct draft *draft, const char *remark)
{
    const char *old = draft->file.remark;
    char *both = joined(old, *old && *remark ? "; " : "", remark);
    if (!both) {
        collecting->exhausted = true;
        return;
    }
    free(draft->file.remark);
    draft->file.remark = both;
}

static char *lower_case(char *text)
{
    for (char *at = text; at && *at; at++)
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    return text;
}

/* --- Drafts ----------------------------------------------------------------------------------- */

static void free_draft(struct draft *draft)
{
    free(draft->file.student);
    free(draft->file.shown);
    free(draft->file.path);
    free(draft->file.problem);
    free(draft->file.remark);
    free(draft->number);
    free(draft->key);
    free(draft->name);
}

/* level is what the student handed in as a whole. A folder in it that is named as it is (ann.zip
 * has ann/x.cu) does not make it another file. */
static char *key_of(const struct node *node, const struct node *level, const struct owner *owner)
{
    if (node == level)
        return lower_case(joined(owner->file, ".cu", ""));
    char *inside = path_below(node, level), *key;
    size_t length = strcspn(inside ? inside : "", "/"), stem = strlen(owner->file);
    bool repeats = inside && inside[length] == '/' && length == stem &&
                   strncasecmp(inside, owner->file, stem) == 0;
    key = inside ? lower_case(strdup(inside + (repeats ? length + 1 : 0))) : NULL;
    free(inside);
    return key;
}

static bool is_whole(const struct draft *draft)
{
    const struct hand_in *file = &draft->file;
    return file->student && file->shown && file->path && file->problem && file->remark &&
           draft->number && draft->key && draft->name;
}

/* What is left out and means nobody of the roster says nothing of a student. */
static void keep(struct collecting *collecting, const struct node *node, const struct node *level,
                 const struct owner *owner)
{
    bool is_nobodys = node == level && !owner->student &&
                      (node->state == HANDED_IN_LEFT_OUT || node->kind == NODE_METADATA);
    char *shown = shown_of(node);
    struct draft draft = {.file = {.student = strdup(is_nobodys ? "" : owner->id),
                                   .shown = shown,
                                   .path = strdup(node->path),
                                   .state = node->state,
                                   .problem = *node->problem && shown
                                                  ? joined(shown, " ", node->problem)
                                                  : strdup(""),
                                   .remark = strdup(is_nobodys ? "" : owner->remark)},
                          .number = strdup(is_nobodys ? "" : owner->number),
                          .key = key_of(node, level, owner),
                          .container = level->parent,
                          .modified_ns = node->modified_ns,
                          .version = owner->version,
                          .is_canvas = owner->is_canvas,
                          .by_name = owner->by_name || !owner->student,
                          .name = strdup(owner->name)};
    struct draft *drafts = collecting->drafts;
    if ((collecting->count & (collecting->count - 1)) == 0)
        drafts = realloc(drafts, (collecting->count ? 2 * collecting->count : 1) * sizeof *drafts);
    collecting->drafts = drafts ? drafts : collecting->drafts;
    if (!drafts || !is_whole(&draft)) {
        collecting->exhausted = true;
        free_draft(&draft);
        return;
    }
    drafts[collecting->count++] = draft;
    add_remark(collecting, &drafts[collecting->count - 1], node->remark);
}

/* The node and all below it are the owner's. Folders and zip files count when something is wrong
 * with them. */
static void emit(struct collecting *collecting, const struct node *node, const struct node *level,
                 const struct owner *owner)
{
    bool is_container = node->kind == NODE_FOLDER || node->kind == NODE_ZIP;
    if (!is_container || node->state != HANDED_IN)
        keep(collecting, node, level, owner);
    for (size_t i = 0; i < node->count; i++)
        emit(collecting, node->children[i], level, owner);
}

/* --- Whose each is ---------------------------------------------------------------------------- */

static void assign(struct collecting *collecting, struct node *container);

static void read_metadata(struct collecting *collecting, struct node *container,
                          struct metadata *metadata)
{
    *metadata = (struct metadata){0};
    for (size_t i = 0; i < container->count; i++) {
        const struct node *child = container->children[i];
        if (child->kind != NODE_METADATA || child->state != HANDED_IN || metadata->count)
            continue;
        char *text = file_read(child->path, MOST_METADATA_BYTES, NULL);
        collecting->unreadable |= !text;
        if (text && !metadata_read(text, metadata))
            collecting->exhausted = true;
        free(text);
    }
}

/* A group's submission is that of each of its members. */
static bool assign_submission(struct collecting *collecting, const struct metadata *metadata,
                              const struct node *node)
{
    size_t members = 0;
    for (size_t i = 0; i < metadata->count; i++)
        members += strcmp(metadata->submitters[i].submission, node->name) == 0;
    for (size_t i = 0; i < metadata->count; i++) {
        const struct submitter *submitter = &metadata->submitters[i];
        struct owner owner;
        if (strcmp(submitter->submission, node->name) != 0)
            continue;
        if (layout_submitter(&collecting->match, submitter, members, &owner))
            emit(collecting, node, node, &owner);
        else
            collecting->exhausted = true;
        layout_owner_free(&owner);
    }
    return members > 0;
}

/* What is wrong with it is no student's. */
static void emit_wrapper(struct collecting *collecting, const struct node *node)
{
    char nothing[] = "";
    struct owner nobody = {
        .id = nothing, .name = nothing, .remark = nothing, .number = nothing, .file = nothing};
    if (node->state != HANDED_IN)
        keep(collecting, node, node, &nobody);
}

static void assign_one(struct collecting *collecting, struct node *node, bool is_only)
{
    struct owner owner;
    if (!layout_owner(&collecting->match, node, &owner))
        collecting->exhausted = true;
    else if (!owner.student && !owner.fits_many &&
             layout_is_wrapper(&collecting->match, node, is_only)) {
        emit_wrapper(collecting, node);
        assign(collecting, node);
    } else {
        emit(collecting, node, node, &owner);
    }
    layout_owner_free(&owner);
}

static void assign(struct collecting *collecting, struct node *container)
{
    struct metadata metadata;
    size_t visible = 0;
    read_metadata(collecting, container, &metadata);
    for (size_t i = 0; i < container->count; i++)
        visible += layout_is_visible(container->children[i]);
    for (size_t i = 0; i < container->count; i++) {
        struct node *child = container->children[i];
        if (child->kind == NODE_METADATA && child->state == HANDED_IN)
            continue;
        if (!assign_submission(collecting, &metadata, child))
            assign_one(collecting, child, visible == 1);
    }
    metadata_free(&metadata);
}

/* --- Two students of one name ----------------------------------------------------------------- */

static int compare_names(const void *left, const void *right)
{
    const struct draft *one = left, *other = right;
    int order = strcmp(one->file.student, other->file.student);
    if (order == 0)
        order = (one->is_canvas > other->is_canvas) - (one->is_canvas < other->is_canvas);
    if (order == 0 && !one->is_canvas)
        order = (one->container > other->container) - (one->container < other->container);
    return order ? order : strcmp(one->number, other->number);
}

/* Canvas's number is the student's own in all exports, Moodle's only in one of them. */
static bool are_two(const struct draft *one, const struct draft *other)
{
    return one->by_name && other->by_name && *one->number && *other->number &&
           one->is_canvas == other->is_canvas &&
           (one->is_canvas || one->container == other->container) &&
           strcmp(one->number, other->number) != 0;
}

static void rename_all(struct collecting *collecting, struct draft *drafts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct draft *draft = &drafts[i];
        if (!draft->by_name || !*draft->number)
            continue;
        char *id = joined(draft->name, "_", draft->number);
        if (!id) {
            collecting->exhausted = true;
            return;
        }
        free(draft->file.student);
        draft->file.student = id;
        add_remark(collecting, draft,
                   "several students have this name here, so the number tells them apart");
    }
}

static size_t same_student(const struct collecting *collecting, size_t first)
{
    size_t end = first + 1;
    while (end < collecting->count && strcmp(collecting->drafts[first].file.student,
                                             collecting->drafts[end].file.student) == 0)
        end++;
    return end;
}

/* Otherwise the marks of one would be the other's. */
static void part_namesakes(struct collecting *collecting)
{
    struct draft *drafts = collecting->drafts;
    qsort(drafts, collecting->count, sizeof *drafts, compare_names);
    for (size_t first = 0, end; first < collecting->count; first = end) {
        bool two = false;
        end = same_student(collecting, first);
        for (size_t i = first + 1; i < end; i++)
            two |= are_two(&drafts[i - 1], &drafts[i]);
        if (two)
            rename_all(collecting, &drafts[first], end - first);
    }
}

/* --- One file handed in twice ----------------------------------------------------------------- */

static int compare_keys(const void *left, const void *right)
{
    const struct draft *one = left, *other = right;
    int order = strcmp(one->file.student, other->file.student);
    if (order == 0)
        order = (one->container > other->container) - (one->container < other->container);
    if (order == 0)
        order = strcmp(one->key, other->key);
    if (order == 0)
        order = (one->version > other->version) - (one->version < other->version);
    if (order == 0)
        order = (one->modified_ns > other->modified_ns) - (one->modified_ns < other->modified_ns);
    return order ? order : strcmp(one->file.shown, other->file.shown);
}

static bool is_again(const struct draft *one, const struct draft *other)
{
    return one->file.state == HANDED_IN && other->file.state == HANDED_IN && *one->file.student &&
           strcmp(one->file.student, other->file.student) == 0 &&
           one->container == other->container && strcmp(one->key, other->key) == 0;
}

/* The later one says so; whether it counts is the caller's decision. */
static void note_again(struct collecting *collecting)
{
    struct draft *drafts = collecting->drafts;
    qsort(drafts, collecting->count, sizeof *drafts, compare_keys);
    for (size_t i = 1; i < collecting->count; i++) {
        const struct draft *one = &drafts[i - 1], *other = &drafts[i];
        if (!is_again(one, other))
            continue;
        const char *how = one->version != other->version ? "this is the later one, says Canvas"
                          : one->modified_ns != other->modified_ns
                              ? "this is the later one by its time of modification"
                              : "which of them is later is not known";
        char *remark = NULL;
        if (asprintf(&remark, "also handed in as %s: %s", one->file.shown, how) < 0) {
            collecting->exhausted = true;
            return;
        }
        add_remark(collecting, &drafts[i], remark);
        free(remark);
    }
}

/* --- Names that differ only in case ----------------------------------------------------------- */

static int compare_without_case(const void *left, const void *right)
{
    const struct draft *one = left, *other = right;
    int order = strcasecmp(one->file.student, other->file.student);
    return order ? order : strcmp(one->file.student, other->file.student);
}

static void note_case(struct collecting *collecting)
{
    struct draft *drafts = collecting->drafts;
    qsort(drafts, collecting->count, sizeof *drafts, compare_without_case);
    for (size_t first = 0, end; first < collecting->count; first = end) {
        end = same_student(collecting, first);
        if (end == collecting->count ||
            strcasecmp(drafts[first].file.student, drafts[end].file.student) != 0)
            continue;
        char *remark = joined("the name differs from that of ", drafts[first].file.student,
                              " only in case: taken for another student");
        if (remark)
            add_remark(collecting, &drafts[end], remark);
        collecting->exhausted |= !remark;
        free(remark);
    }
}

/* --- The list --------------------------------------------------------------------------------- */

static int compare_shown(const void *left, const void *right)
{
    const struct draft *one = left, *other = right;
    int order = strcmp(one->file.student, other->file.student);
    if (order == 0)
        order = strcmp(one->file.shown, other->file.shown);
    return order ? order : strcmp(one->file.path, other->file.path);
}

static bool make_list(struct collecting *collecting, struct handed_in *handed_in)
{
    part_namesakes(collecting);
    note_again(collecting);
    note_case(collecting);
    qsort(collecting->drafts, collecting->count, sizeof *collecting->drafts, compare_shown);
    handed_in->files = calloc(collecting->count, sizeof *handed_in->files);
    if (collecting->exhausted || !handed_in->files)
        return false;
    for (size_t i = 0; i < collecting->count; i++) {
        struct hand_in *file = &collecting->drafts[i].file;
        handed_in->files[handed_in->count++] = *file;
        *file = (struct hand_in){0};
    }
    return true;
}

bool handed_in_collect(const char *folder, const char *unpack, const struct roster *roster,
                       struct handed_in *handed_in, char *reason, size_t reason_bytes)
{
    struct collecting collecting = {0};
    struct hand_in_tree tree;
    *handed_in = (struct handed_in){0};
    if (!hand_in_tree_read(folder, unpack, &tree, reason, reason_bytes))
        return false;
    bool done = match_open(&collecting.match, roster);
    if (done)
        assign(&collecting, tree.root);
    if (done && collecting.count)
        done = make_list(&collecting, handed_in);
    done = done && !collecting.exhausted;
    handed_in->unreadable = tree.unreadable || collecting.unreadable;
    for (size_t i = 0; i < collecting.count; i++)
        free_draft(&collecting.drafts[i]);
    free(collecting.drafts);
    match_close(&collecting.match);
    hand_in_tree_free(&tree);
    if (done)
        return true;
    handed_in_free(handed_in);
    snprintf(reason, reason_bytes, "the hand-ins cannot be listed: memory is exhausted");
    return false;
}

void handed_in_free(struct handed_in *handed_in)
{
    for (size_t i = 0; i < handed_in->count; i++) {
        free(handed_in->files[i].student);
        free(handed_in->files[i].shown);
        free(handed_in->files[i].path);
        free(handed_in->files[i].problem);
        free(handed_in->files[i].remark);
    }
    free(handed_in->files);
    *handed_in = (struct handed_in){0};
}
