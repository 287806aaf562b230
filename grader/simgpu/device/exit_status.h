/* exit_status.h - what simgpu ends with. `simgpu run --help` and its manual page list these. */
#ifndef EXIT_STATUS_H
#define EXIT_STATUS_H

#include "machine.h"

enum {
    EXIT_FOUND = 3, /* --check=continue found something; the program ended with 0 */
    EXIT_USAGE = 64,
    EXIT_CANNOT = 70, /* not simulated, or this machine failed */
    EXIT_NO_PROGRAM = 127,
};

/* The exit status of --test for a fault of that kind; 0 for what is only a remark. */
int fault_exit_status(enum sim_fault_kind kind);
/* Of two such statuses, the one for a program that has both. */
int worse_exit_status(int one, int other);

#endif
