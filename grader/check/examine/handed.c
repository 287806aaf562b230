/* handed.c - see handed.h. */
#include "check/examine/handed.h"

#include "check/examine/data.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t TAMPER_PURPOSE = 0x74616D706572; /* a stream of its own */

static uint64_t left_by(const struct link *link)
{
    struct stat handed;
    return fstat(link->spec.handed_fd, &handed) == 0 ? (uint64_t)handed.st_size : 0;
}

static bool write_anew(const struct link *to, const unsigned char *bytes, size_t size)
{
    return ftruncate(to->spec.handed_fd, 0) == 0 &&
           pwrite(to->spec.handed_fd, bytes, size, 0) == (ssize_t)size;
}

bool handed_on(struct lab *lab, const struct link *from, const struct link *to,
               const struct judge_case *problem, struct finding *finding)
{
    size_t size = left_by(from);
    unsigned char *bytes = malloc(size + JUDGE_TAMPER_ROOM);
    bool done = bytes && pread(from->spec.handed_fd, bytes, size, 0) == (ssize_t)size;
    if (done && problem->tampers)
        lab->judge->tamper(problem, data_seed(lab->seed ^ problem->tampers, TAMPER_PURPOSE), bytes,
                           &size);
    done = done && write_anew(to, bytes, size);
    lab->handed_bytes = size;
    free(bytes);
    return done || finding_set(finding, VERDICT_DEVICE, "the file of a case cannot be handed on");
}
