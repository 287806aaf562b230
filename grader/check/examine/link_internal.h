/* link_internal.h - what link.c, link_talk.c and link_means.c share. */
#ifndef EXAMINE_LINK_INTERNAL_H
#define EXAMINE_LINK_INTERNAL_H

#include "check/examine/link.h"

/* Take a piece of the log, if there is one. False when there is none, or never will be: errno says
 * which; the fd never blocks. */
bool link_take_log(struct link *link);
/* As link_stop, but give it that long to end by itself. */
void link_stop_within(struct link *link, int64_t patience_ns);

#endif
