/* timeline_places.c - see timeline_places.h. */
#include "timeline_places.h"

#include <stdlib.h>
#include <string.h>

/* The most blocks on a multiprocessor; and a tolerance for parts that do not add up exactly to
 * one. */
enum { MOST_BLOCKS = 64 };
static const double ROUNDING = 1e-6;

bool places_open(struct timeline_places *places, unsigned count)
{
    places->each = calloc((size_t)count + 1, sizeof *places->each);
    places->room = calloc((size_t)count + 1, sizeof *places->room);
    places->count = count;
    return places->each && places->room;
}

void places_close(struct timeline_places *places)
{
    free(places->each);
    free(places->room);
}

static unsigned room_on(const struct timeline_multiprocessor *on,
                        const struct timeline_block *block)
{
    double room = MOST_BLOCKS;
    for (int i = 0; i < PLACES; i++) {
        bool is_split = i == PLACE_SHARED && on->blocks > 0;
        double left = (is_split ? on->split : 1) - on->used[i] + ROUNDING;
        if (left < block->place[i] * room)
            room = left / block->place[i];
    }
    return room > 0 ? (unsigned)room : 0;
}

unsigned places_room(struct timeline_places *places, const struct timeline_block *block)
{
    unsigned all = 0;
    for (unsigned i = 0; i < places->count; i++)
        all += places->room[i] = room_on(&places->each[i], block);
    return all;
}

/* The number of multiprocessors is small, and so is the space on each. */
static void spread(const struct timeline_places *places, unsigned blocks, unsigned char *on)
{
    unsigned most = 0, all = 0;
    for (unsigned i = 0; i < places->count; i++) {
        most = places->room[i] > most ? places->room[i] : most;
        all += places->room[i];
        on[i] = (unsigned char)places->room[i];
    }
    if (blocks == all)
        return;
    memset(on, 0, places->count);
    for (; blocks && most; most--)
        for (unsigned i = 0; blocks && i < places->count; i++)
            if (places->room[i] - on[i] == most) {
                on[i]++;
                blocks--;
            }
}

void places_take(struct timeline_places *places, const struct timeline_block *block,
                 unsigned blocks, unsigned char *on)
{
    spread(places, blocks, on);
    for (unsigned i = 0; i < places->count; i++) {
        struct timeline_multiprocessor *its = &places->each[i];
        if (on[i] && its->blocks == 0)
            its->split = block->split;
        its->blocks += on[i];
        for (int j = 0; j < PLACES; j++)
            its->used[j] += on[i] * block->place[j];
    }
}

void places_give(struct timeline_places *places, const struct timeline_block *block,
                 const unsigned char *on)
{
    for (unsigned i = 0; i < places->count; i++) {
        struct timeline_multiprocessor *its = &places->each[i];
        its->blocks -= on[i];
        for (int j = 0; j < PLACES; j++)
            its->used[j] = its->blocks ? its->used[j] - on[i] * block->place[j] : 0;
    }
}
