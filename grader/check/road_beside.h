/* road_beside.h - an examination in a process of its own, next to another one of the same check. */
#ifndef CHECK_ROAD_BESIDE_H
#define CHECK_ROAD_BESIDE_H

#include "check/road.h"
#include "lib/aside.h"

struct beside {
    struct road *road;
    /* In the process: do it, and return its result, which belongs to run. */
    json_t *(*examine)(struct road *road, int which, struct run *run);
    int which;
    bool is_running;
    struct aside aside;
};

/* Begin, if a process can be had. The first three members are filled in. */
void beside_begin(struct beside *beside);
/* Wait for it, and fill in run as if this process had done it. False, with an empty run, if it was
 * not begun or gave no answer. */
bool beside_end(struct beside *beside, struct run *run);
/* End it unheard, if it runs. */
void beside_cancel(struct beside *beside);

#endif
