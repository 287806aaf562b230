/* keyed.h - sorts numbers by a key with a radix sort: digit by digit, lowest first. */
#ifndef SIM_KEYED_H
#define SIM_KEYED_H

#include <stddef.h>
#include <stdint.h>

struct keyed {
    uint64_t key;
    uint32_t number;
};

/* Sort by key; the sort is stable. scratch: room for count more. */
void keyed_sort(struct keyed *list, struct keyed *scratch, size_t count);

#endif
