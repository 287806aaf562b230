/* filter.h - which system calls a submission may make: a seccomp filter, by hand.
 *
 * It refuses what neither a compiler nor a CUDA program needs and what has let programs out of
 * namespaces before: new namespaces, mounts, tracing, keyrings, bpf, perf, io_uring, modules, and
 * memory or queues that outlive a process. Everything else is allowed, since a GPU's driver makes
 * calls that differ from version to version. Calls of another architecture (32 bits, x32) are
 * refused.
 */
#ifndef RUNNER_FILTER_H
#define RUNNER_FILTER_H

#include <stdbool.h>

/* For this thread and everything that it starts, permanently; needs no privilege, but no_new_privs
 * set. for_gpu: memfd_create, and both ends of local sockets, are allowed, since a GPU's driver may
 * need them. False, with errno, if the kernel has no filters or this processor's calls are not
 * known here. */
bool filter_install(bool for_gpu);

#endif
