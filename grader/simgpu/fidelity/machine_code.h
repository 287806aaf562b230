/* machine_code.h - what ptxas made of a kernel's loads from shared memory: the table that sass.sh
 * writes, a row a kernel, how many loads of each width there are before and after. */
#ifndef FIDELITY_MACHINE_CODE_H
#define FIDELITY_MACHINE_CODE_H

#include "csv.h"

#include <stdbool.h>

/* Does the machine code of that program's kernel have loads of a width that its PTX lacks, and the
 * PTX narrower loads that they can have been made of? False if the table lacks the kernel. */
bool machine_code_merges(const struct csv *sass, const char *program, const char *kernel);

#endif
