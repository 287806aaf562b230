// Opens the solution, the judge, the records and the instructor's home. Only single files may be
// mounted where a submission runs.
#include "redteam/probe.h"

static bool wall_is_open(void)
{
    static const char *const FILES[] = {
        "@COURSE@/solutions/01_coalescing/coalescing.cu", "@COURSE@/README.md",
        "@COURSE@/grader/judges/01_coalescing/judge.c", "@COURSE@/build/records/student.json",
        "@COURSE@/build/bin/examine", "@COURSE@/build/judges.json", "/etc/passwd", "/etc/shadow",
        "/root/.bashrc", "/home/.", "/var/log/."};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        if (access(FILES[i], R_OK) == 0) {
            fprintf(stderr, "%s is there\n", FILES[i]);
            return true;
        }
    return false;
}
