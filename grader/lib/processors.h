/* processors.h - how many processors this process may run on. */
#ifndef LIB_PROCESSORS_H
#define LIB_PROCESSORS_H

#include <stddef.h>

/* At least 1. Asked for once: a process that is later confined to fewer keeps the first answer. */
size_t processors_allowed(void);

#endif
