/* output.h - the files that `simgpu run` writes when the program has ended.
 *
 * They are made before it starts, so that a name that cannot be written is reported at once and not
 * after an hour. Later failures (a full disk) are reported, too.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "profile.h"

#include "lib/files.h"

enum {
    OUTPUT_CSV,
    OUTPUT_JSON,
    OUTPUT_HTML,
    OUTPUT_JUNIT,
    OUTPUT_SARIF,
    OUTPUT_TIMELINE,
    OUTPUT_LANES,
    OUTPUTS
};

struct output {
    const char *path; /* as it was given; NULL if not requested */
    struct path file; /* its name, when it is open */
    FILE *stream;
};

/* Make the requested files; in their names %n stands for the program's name, %p for the number of
 * this process. False, with a sentence on standard error, if one cannot be made. */
bool outputs_open(struct output *outputs, const char *program);
/* Write and close them. False, with a sentence for each, when one could not be written. */
bool outputs_write(struct output *outputs, const struct profile *profile);

#endif
