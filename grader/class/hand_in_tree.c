/* hand_in_tree.c - walks a folder of a class, and puts the files of zip files into their place. */
#include "class/hand_in_tree.h"

#include "class/archive.h"
#include "class/clean.h"
#include "class/names.h"
#include "lib/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DEPTH = 16, SENTENCE = 400 };

/* --- Nodes ------------------------------------------------------------------------------------ */

static struct node *make_node(const char *name, size_t length, const char *path)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return NULL;
    node->name = strndup(name, length);
    node->path = strdup(path);
    node->problem = strdup("");
    node->remark = "";
    return node;
}

static void free_node(struct node *node)
{
    for (size_t i = 0; node && i < node->count; i++)
        free_node(node->children[i]);
    if (!node)
        return;
    free(node->name);
    free(node->path);
    free(node->problem);
    free(node->children);
    free(node);
}

/* NULL when memory is exhausted, which the tree notes. The list doubles at each power of two. */
static struct node *add(struct hand_in_tree *tree, struct node *parent, const char *name,
                        size_t length, const char *path)
{
    struct node *node = make_node(name, length, path);
    bool whole = node && node->name && node->path && node->problem;
    if (whole && (parent->count & (parent->count - 1)) == 0) {
        size_t room = parent->count ? 2 * parent->count : 1;
        struct node **children = realloc(parent->children, room * sizeof(struct node *));
        parent->children = children ? children : parent->children;
        whole = children != NULL;
    }
    if (!whole) {
        tree->exhausted = true;
        free_node(node);
        return NULL;
    }
    node->parent = parent;
    parent->children[parent->count++] = node;
    return node;
}

static void object(struct hand_in_tree *tree, struct node *node, enum handed_in_state state,
                   const char *problem)
{
    char *copy = node ? strdup(problem) : NULL;
    if (!copy) {
        tree->exhausted = true;
        return;
    }
    free(node->problem);
    node->problem = copy;
    node->state = state;
}

static size_t depth_of(const struct node *node)
{
    size_t depth = 0;
    for (; node->parent; node = node->parent)
        depth++;
    return depth;
}

/* --- Files that are left out ------------------------------------------------------------------ */

static void leave_out(struct hand_in_tree *tree, struct node *node, bool is_folder)
{
    switch (name_kind(node->name)) {
    case NAME_HIDDEN:
        object(tree, node, HANDED_IN_LEFT_OUT,
               is_folder ? "is a hidden folder, and is left out" : "is hidden, and is left out");
        break;
    case NAME_RENAMED:
        object(tree, node, HANDED_IN_LEFT_OUT, "does not end in .cu, and is left out");
        node->remark = "this may be a .cu file to whose name something was appended: look into it, "
                       "and rename it";
        break;
    case NAME_ARCHIVE:
        object(tree, node, HANDED_IN_LEFT_OUT, "is an archive that is not a zip file: unpack it");
        node->remark = "there may be .cu files in this archive: unpack it";
        break;
    default: object(tree, node, HANDED_IN_LEFT_OUT, "is no .cu file, and is left out");
    }
}

/* --- Zip files -------------------------------------------------------------------------------- */

static void unpack(struct hand_in_tree *tree, struct node *zip, bool is_nested);

struct unpacking {
    struct hand_in_tree *tree;
    struct node *zip;
    bool is_nested;
};

/* Entries of one folder mostly follow each other, so the last one is looked at first. */
static struct node *folder_in(struct hand_in_tree *tree, struct node *parent, const char *name,
                              size_t length)
{
    for (size_t i = parent->count; i-- > 0;) {
        struct node *child = parent->children[i];
        if (child->kind == NODE_FOLDER && strncmp(child->name, name, length) == 0 &&
            !child->name[length])
            return child;
    }
    struct node *folder = add(tree, parent, name, length, parent->path);
    if (folder)
        folder->kind = NODE_FOLDER;
    return folder;
}

/* A hidden folder is told once, whatever it has in it. */
static void hide_in(struct hand_in_tree *tree, struct node *parent, const char *name, size_t length)
{
    struct node *folder = folder_in(tree, parent, name, length);
    if (folder && folder->state == HANDED_IN)
        leave_out(tree, folder, true);
}

static struct node *place_of(struct unpacking *unpacking, const char **name, bool *hidden)
{
    struct node *place = unpacking->zip;
    size_t length, depth = depth_of(place);
    for (; place && (*name)[length = strcspn(*name, "/")]; *name += length + 1) {
        bool is_dots = length == 0 || (length == 1 && **name == '.');
        struct path part = path_of("%.*s", (int)length, *name);
        *hidden = !is_dots && name_kind(part.text) == NAME_HIDDEN;
        if (*hidden) {
            hide_in(unpacking->tree, place, *name, length);
            return NULL;
        }
        if (++depth > MOST_DEPTH)
            return place; /* and what is left of the path is one name */
        if (!is_dots)
            place = folder_in(unpacking->tree, place, *name, length);
    }
    return place;
}

/* Its path leads out of the zip file: it stays as one name. */
static bool leads_out(const struct archive_entry *entry)
{
    const char *name = entry->name;
    return entry->state == HANDED_IN_BAD &&
           (*name == '/' || strstr(name, "..") || (*name && name[1] == ':'));
}

static void take_entry(void *context, const struct archive_entry *entry)
{
    struct unpacking *unpacking = context;
    const char *name = entry->name;
    bool hidden = false, out = leads_out(entry);
    struct node *place = out ? unpacking->zip : place_of(unpacking, &name, &hidden);
    if (!place || hidden)
        return;
    struct node *node = add(unpacking->tree, place, name, strlen(name),
                            entry->path ? entry->path : unpacking->zip->path);
    if (!node)
        return;
    enum name_kind kind = name_kind(path_base(name));
    node->modified_ns = entry->modified_ns;
    if (entry->state == HANDED_IN_BAD)
        object(unpacking->tree, node, entry->state, entry->problem);
    else if (strchr(name, '/'))
        object(unpacking->tree, node, HANDED_IN_BAD, "lies too many folders deep");
    else if (entry->state == HANDED_IN_LEFT_OUT)
        leave_out(unpacking->tree, node, false);
    else if (kind == NAME_METADATA)
        node->kind = NODE_METADATA;
    if (kind != NAME_ZIP || node->state != HANDED_IN)
        return;
    unpack(unpacking->tree, node, true);
    unlink(entry->path); /* its files are out of it */
}

static void unpack(struct hand_in_tree *tree, struct node *zip, bool is_nested)
{
    char problem[SENTENCE] = "";
    struct unpacking unpacking = {tree, zip, is_nested};
    struct archive_job job = {.path = zip->path,
                              .into = tree->unpack,
                              .next = &tree->unpacked,
                              .limits = is_nested ? &archive_limits_nested : &archive_limits,
                              .is_nested = is_nested,
                              .tell = take_entry,
                              .context = &unpacking};
    zip->kind = NODE_ZIP;
    enum handed_in_state state = archive_unpack(&job, problem, sizeof problem);
    if (state == HANDED_IN)
        return;
    object(tree, zip, state, problem);
    tree->unreadable = true;
}

/* --- Folders ---------------------------------------------------------------------------------- */

struct walk {
    struct hand_in_tree *tree;
    struct path unpack; /* absolute: not a hand-in, and neither is the folder that it is in */
};

static bool read_folder(const struct walk *walk, int fd, struct node *folder);

static void block(const struct walk *walk, struct node *node, int error)
{
    char problem[SENTENCE];
    snprintf(problem, sizeof problem,
             "cannot be read (%s): check that you may read it, and try again", strerror(error));
    object(walk->tree, node, HANDED_IN_BLOCKED, problem);
}

/* The folder of our own results may lie among the hand-ins. */
static bool is_ours(const struct walk *walk, const char *path)
{
    struct path real = path_real(path);
    size_t length = strlen(real.text);
    return length && strncmp(walk->unpack.text, real.text, length) == 0 &&
           (walk->unpack.text[length] == '/' || !walk->unpack.text[length]);
}

static void take_folder(const struct walk *walk, int parent, struct node *node)
{
    node->kind = NODE_FOLDER;
    if (name_kind(node->name) == NAME_HIDDEN) {
        leave_out(walk->tree, node, true);
        return;
    }
    if (is_ours(walk, node->path)) {
        object(walk->tree, node, HANDED_IN_LEFT_OUT, "is the grader's own folder, and is left out");
        return;
    }
    if (depth_of(node) > MOST_DEPTH) {
        object(walk->tree, node, HANDED_IN_BAD, "lies too many folders deep");
        return;
    }
    int fd = openat(parent, node->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && read_folder(walk, fd, node))
        return;
    block(walk, node, errno);
    walk->tree->unreadable = true;
}

/* Opened once, so that a file that cannot be read here is known before anything is judged. */
static void take_regular(const struct walk *walk, int parent, struct node *node)
{
    enum name_kind kind = name_kind(node->name);
    if (kind != NAME_SOURCE && kind != NAME_ZIP && kind != NAME_METADATA) {
        leave_out(walk->tree, node, false);
        return;
    }
    int fd = openat(parent, node->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (kind == NAME_METADATA)
        node->kind = NODE_METADATA;
    if (fd < 0)
        block(walk, node, errno);
    if (fd < 0 && kind != NAME_SOURCE)
        walk->tree->unreadable = true;
    if (fd < 0)
        return;
    close(fd);
    if (kind == NAME_ZIP)
        unpack(walk->tree, node, false);
}

static void take_name(const struct walk *walk, int parent, struct node *folder, const char *name)
{
    struct stat status;
    struct path path = path_of("%s/%s", folder->path, name);
    struct node *node = add(walk->tree, folder, name, strlen(name), path.text);
    if (!node)
        return;
    if (!*path.text) {
        object(walk->tree, node, HANDED_IN_BLOCKED,
               "has a path that is too long for this system: rename its folders");
        walk->tree->unreadable = true;
        return;
    }
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        block(walk, node, errno);
        return;
    }
    node->modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    if (S_ISDIR(status.st_mode))
        take_folder(walk, parent, node);
    else if (S_ISREG(status.st_mode))
        take_regular(walk, parent, node);
    else if (S_ISLNK(status.st_mode))
        object(walk->tree, node, HANDED_IN_BAD, "is a symbolic link: hand in the file itself");
    else
        object(walk->tree, node, HANDED_IN_BAD, "is not a regular file: hand in the file itself");
}

/* Takes over fd. False with errno. */
static bool read_folder(const struct walk *walk, int fd, struct node *folder)
{
    DIR *entries = fdopendir(fd);
    if (!entries) {
        int error = errno;
        close(fd);
        errno = error;
        return false;
    }
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(entries);
        if (!entry)
            break;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            take_name(walk, dirfd(entries), folder, entry->d_name);
    }
    int error = errno;
    closedir(entries);
    errno = error;
    return error == 0;
}

/* --- The tree --------------------------------------------------------------------------------- */

bool hand_in_tree_read(const char *folder, const char *unpack_into, struct hand_in_tree *tree,
                       char *reason, size_t reason_bytes)
{
    *tree = (struct hand_in_tree){.unpack = unpack_into, .root = make_node("", 0, folder)};
    struct walk walk = {tree, path_real(unpack_into)};
    const char *why = NULL;
    bool whole = tree->root && tree->root->name && tree->root->path && tree->root->problem;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!whole)
        why = "memory is exhausted";
    else if (fd < 0)
        why = errno == ENOTDIR ? "this is not a folder; name the one that the files are in"
                               : strerror(errno);
    else {
        tree->root->kind = NODE_FOLDER;
        why = read_folder(&walk, fd, tree->root) ? NULL : strerror(errno);
        fd = -1;
    }
    if (fd >= 0)
        close(fd);
    if (!why && tree->exhausted)
        why = "memory is exhausted";
    if (!why)
        return true;
    char *shown = clean_text(folder, strlen(folder));
    snprintf(reason, reason_bytes, "%s cannot be read: %s", shown ? shown : "the folder", why);
    free(shown);
    hand_in_tree_free(tree);
    return false;
}

void hand_in_tree_free(struct hand_in_tree *tree)
{
    free_node(tree->root);
    tree->root = NULL;
}
