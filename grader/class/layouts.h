/* layouts.h - whose a file, a folder or a zip file is, by its name and the roster.
 *
 * Only one name on the way to a file decides: that of what the student handed in as a whole. Names
 * further in are the student's own, and could be another student's. What is above it (the folder of
 * an export, a zip file of the class) is a wrapper.
 */
#ifndef CLASS_LAYOUTS_H
#define CLASS_LAYOUTS_H

#include "class/hand_in_tree.h"
#include "class/match.h"
#include "class/metadata.h"

struct owner {
    const struct student *student; /* of the roster, or NULL */
    char *id;                      /* the roster's; without a student, name */
    char *name;                    /* what the student is called here, clean */
    char *remark;                  /* a sentence for the instructor, or "" */
    char *number; /* that Canvas or Moodle gives to the student, or to the participant; or "" */
    char *file;   /* what the student called the file, without Canvas's "-2"; or the whole name */
    bool is_canvas;
    bool by_name;     /* nothing but the student's name told who it is */
    bool fits_many;   /* the name fits several students of the roster, so nobody */
    unsigned version; /* 2 for Canvas's "-2"; else 0 */
};

/* Both false when memory is exhausted. The owner is to be freed in any case. */
bool layout_owner(const struct match *match, const struct node *node, struct owner *owner);
/* members: how many handed it in together. */
bool layout_submitter(const struct match *match, const struct submitter *submitter, size_t members,
                      struct owner *owner);
void layout_owner_free(struct owner *owner);

/* May something of a submission be in it? */
bool layout_is_visible(const struct node *node);
/* Is this folder or zip file, whose name means no student, one that holds what several students
 * handed in? is_only: nothing else is next to it. */
bool layout_is_wrapper(const struct match *match, const struct node *node, bool is_only);

#endif
