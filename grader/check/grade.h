/* grade.h - judges a folder of submissions, one after the other, and can be stopped and resumed.
 *
 *     out/records/<id>.json     the record of each; id is the file's name without .cu
 *     out/reports/<id>.txt      what the student would have seen, and the hint on their mistake
 *     out/grades.csv            a line each, derived from the records
 *
 * Only *.cu files of the folder itself are submissions; the number of other files is reported. A
 * record is kept if the file, the lesson and the grader are unchanged and its verdict says
 * something about the submission; otherwise the submission is judged again.
 */
#ifndef CHECK_GRADE_H
#define CHECK_GRADE_H

#include "check/check.h"
#include "lib/terminal.h"

struct grade_request {
    const struct course *course;
    const char *submissions, *out; /* folders */
    const char *lesson;            /* NULL: each file's own, by its launcher */
    enum device_choice device;
    bool no_ipc; /* as if the device had no CUDA IPC; for tests */
};

/* The exit status: 0 when each has a record, 130 when interrupted, else as verdicts have it. */
int grade(const struct grade_request *request, const struct terminal *terminal);

/* One field of a CSV file: quoted where needed, and never read as a formula by a spreadsheet. The
 * caller frees it. */
char *grade_csv_field(const char *text);

#endif
