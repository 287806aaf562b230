/* provenance.h - which of a kernel's pointers an address was computed from. */
#ifndef SIM_PROVENANCE_H
#define SIM_PROVENANCE_H

#include "warp.h"

/* Where the pointers come from that op computes the address of its access from. */
struct provenance {
    bool is_known;               /* all of them are the kernel's own arguments, */
    bool was_freed;              /* one of which points to memory that was freed; */
    const struct allocation *of; /* or the allocation that they point to, if it is one */
};

struct provenance provenance_of(const struct warp *warp, const struct op *op);

#endif
