/* keyed.h - numbers in order by a key, without a comparison: digit by digit, lowest first. */
#ifndef SIM_KEYED_H
#define SIM_KEYED_H

#include <stddef.h>
#include <stdint.h>

struct keyed {
    uint64_t key;
    uint32_t number;
};

/* By key; what has the same key stays in its order. scratch: room for count more. */
void keyed_sort(struct keyed *list, struct keyed *scratch, size_t count);

#endif
