/* others.h - what the other launchers of a lesson get, where one is not right. */
#ifndef EXAMINE_OTHERS_H
#define EXAMINE_OTHERS_H

#include "check/examine/lab.h"

/* Run the job's stages on lab->judge; outcomes become members of result. */
typedef void others_stages(struct lab *lab, const json_t *job, json_t *result);

/* [{"launcher": name, and a member a stage}] of each launcher but the one whose case safety or
 * numerics ended with; empty where none did. */
json_t *others_examine(struct lab *lab, const json_t *job, const json_t *result,
                       others_stages *stages);

#endif
