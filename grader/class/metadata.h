/* metadata.h - whose each submission is, as submission_metadata.yml of a Gradescope export says.
 *
 *     submission_9:
 *       :submitters:
 *       - :name: Ann Lee
 *         :sid: '7'
 *         :email: ann@x.edu
 *       :created_at: ...
 *
 * No more of YAML is understood than this; what else is in the file is passed over.
 */
#ifndef CLASS_METADATA_H
#define CLASS_METADATA_H

#include <stdbool.h>
#include <stddef.h>

struct submitter {
    char *submission;         /* "submission_9" */
    char *name, *sid, *email; /* any bytes; "" where there is none */
};

struct metadata {
    struct submitter *submitters; /* a group's submission has several, one after the other */
    size_t count;
};

/* False when memory is exhausted. Text that is something else has no submitters. */
bool metadata_read(const char *text, struct metadata *metadata);
void metadata_free(struct metadata *metadata);

#endif
