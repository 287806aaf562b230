/* output.h - the files that `simgpu run` writes when the program has ended.
 *
 * They are made before it starts, so that a name that cannot be written is reported at once and not
 * after an hour. Later failures (a full disk) are reported, too.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "profile.h"

enum { OUTPUT_CSV, OUTPUT_JSON, OUTPUT_HTML, OUTPUT_JUNIT, OUTPUT_SARIF, OUTPUTS };

struct output {
    const char *path;           /* NULL if not requested */
    FILE *stream;
};

/* Make the requested files. False, with a sentence on standard error, if one cannot be made. */
bool outputs_open(struct output *outputs);
/* Write and close them. False, with a sentence for each, when one could not be written. */
bool outputs_write(struct output *outputs, const struct profile *profile);

#endif
