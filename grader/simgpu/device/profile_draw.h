/* profile_draw.h - drawings of one request of one warp, as SVG for the page. */
#ifndef PROFILE_DRAW_H
#define PROFILE_DRAW_H

#include "examples.h"

#include <stdio.h>

/* The 32 lanes above the sectors that they touch, or the banks wavefront by wavefront, depending on
 * the example. Colours come from the page's style. */
void draw_example(const struct example *example, FILE *stream);

#endif
