/* output.h - the files that `simgpu run` writes when the program has ended.
 *
 * They are made before it starts, so that a name that cannot be written is told at once and not
 * after an hour's run. What goes wrong later (a full disk) is told, too.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "profile.h"

enum { OUTPUT_CSV, OUTPUT_JSON, OUTPUT_HTML, OUTPUTS };

struct output {
    const char *path;           /* NULL when nobody asked for it */
    FILE *stream;
};

/* Make the files that were asked for. False, with a sentence on standard error, when one cannot be
 * made. */
bool outputs_open(struct output *outputs);
/* Write and close them. False, with a sentence for each, when one could not be written. */
bool outputs_write(struct output *outputs, const struct profile *profile);

#endif
