/* timeline_copies.h - how copies between host and device share the bus.
 *
 * Copies of one direction take turns on the bus, in the order in which they became ready. Pageable
 * memory goes through the driver's buffers, which the host fills or empties more slowly than the
 * bus. Its pieces take the bus when no other copy in their direction does. For copies to the
 * device, the host fills buffers meanwhile, as long as there are any, and the pieces that are still
 * waiting then follow in turn.
 */
#ifndef TIMELINE_COPIES_H
#define TIMELINE_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timeline_item;

enum timeline_engine {
    ENGINE_UP,      /* the bus */
    ENGINE_DOWN,    /* the same to the host */
    ENGINE_FILLS,   /* the host, for pageable memory to the device */
    ENGINE_EMPTIES, /* and to the host */
    ENGINES
};

struct timeline_copies {
    struct timeline_item *items;
    struct timeline_turns {
        struct timeline_turn {
            uint32_t item;
            double ns;
        } * queue; /* room for all */
        uint32_t begun, queued;
        bool is_busy;
        double left_ns;  /* at a rate of 1 */
        double pause_ns; /* until the next can begin */
    } engines[ENGINES];
    double filled_ns; /* of the bus, for what is in buffers; of the copy that the host works on */
};

/* False if memory is exhausted. */
bool copies_open(struct timeline_copies *copies, struct timeline_item *items, uint32_t count);
/* A copy is ready. */
void copies_add(struct timeline_copies *copies, uint32_t item);
/* Begin all copies that can begin now. */
void copies_begin(struct timeline_copies *copies, double now_ns);
/* The time until which rates stay the same and nothing ends; infinity if nothing runs. */
double copies_next_ns(const struct timeline_copies *copies);
void copies_pass(struct timeline_copies *copies, double passed_ns);
/* Remove a piece that is done; *has_ended: all of it is, not only the host's part. False if there
 * is none. */
bool copies_take(struct timeline_copies *copies, uint32_t *item, bool *has_ended);
bool copies_run(const struct timeline_copies *copies);
void copies_close(struct timeline_copies *copies);

#endif
