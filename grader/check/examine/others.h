/* others.h - judges the other launchers of a lesson if one is wrong. */
#ifndef EXAMINE_OTHERS_H
#define EXAMINE_OTHERS_H

#include "check/examine/lab.h"

/* Run the job's stages on lab->judge; outcomes become members of result. */
typedef void others_stages(struct lab *lab, const json_t *job, json_t *result);

/* [{"launcher": name, and a member for each stage}] for each launcher except the one whose case
 * ended safety or numerics; empty if none did. */
json_t *others_examine(struct lab *lab, const json_t *job, const json_t *result,
                       others_stages *stages);

#endif
