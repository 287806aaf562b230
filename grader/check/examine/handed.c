/* handed.c - see handed.h. */
#include "check/examine/handed.h"

#include "check/examine/data.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t TAMPER_PURPOSE = 0x74616D706572; /* a stream of its own */

uint64_t handed_bytes(const struct lab *lab)
{
    struct stat handed;
    return fstat(lab->handed_fd, &handed) == 0 ? (uint64_t)handed.st_size : 0;
}

static bool write_anew(const struct lab *lab, const unsigned char *bytes, size_t size)
{
    return ftruncate(lab->handed_fd, 0) == 0 &&
           pwrite(lab->handed_fd, bytes, size, 0) == (ssize_t)size;
}

bool handed_tamper(const struct lab *lab, const struct judge_case *problem, struct finding *finding)
{
    size_t size = handed_bytes(lab);
    unsigned char *bytes = problem->tampers ? malloc(size + JUDGE_TAMPER_ROOM) : NULL;
    bool done = !problem->tampers;
    if (bytes && pread(lab->handed_fd, bytes, size, 0) == (ssize_t)size) {
        lab->judge->tamper(problem, data_seed(lab->seed ^ problem->tampers, TAMPER_PURPOSE), bytes,
                           &size);
        done = write_anew(lab, bytes, size);
    }
    free(bytes);
    return done || finding_set(finding, VERDICT_DEVICE, "the file of a case cannot be changed");
}
