/* hand_in_tree.h - all that lies in the folder of a class, as it lies there: folders, zip files and
 * files, with what is wrong with each. Whose it is, is decided afterwards (layouts.h).
 *
 * Nothing is followed and nothing but regular files is opened: a link, a FIFO, a device or a socket
 * is a file with a problem. What a zip file has in it lies below it, as in a folder.
 */
#ifndef CLASS_HAND_IN_TREE_H
#define CLASS_HAND_IN_TREE_H

#include "class/handed_in.h"

#include <stdint.h>
#include <sys/stat.h>

struct node {
    enum { NODE_FILE, NODE_FOLDER, NODE_ZIP, NODE_METADATA } kind;
    char *name; /* any bytes but zeros, and slashes only in that of a file in a zip file that may
                  * not be unpacked */
    char *path; /* to open it by */
    enum handed_in_state state;
    char *problem;       /* to be written after the name; "" when state is HANDED_IN */
    const char *remark;  /* for the instructor, or "" */
    int64_t modified_ns; /* of a file: since 1970 */
    struct node *parent; /* NULL at the root */
    struct node **children;
    size_t count;
};

struct hand_in_tree {
    struct node *root;
    bool unreadable; /* as in handed_in.h */
    bool exhausted;  /* memory: something is missing */
    const char *unpack;
    unsigned unpacked; /* files so far */
};

/* The arguments of handed_in_collect. False with a sentence when the folder cannot be read. */
bool hand_in_tree_read(const char *folder, const char *unpack, struct hand_in_tree *tree,
                       char *reason, size_t reason_bytes);
void hand_in_tree_free(struct hand_in_tree *tree);

#endif
