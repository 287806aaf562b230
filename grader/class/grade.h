/* grade.h - grades a class: from what was handed in to a gradebook and what is derived from it.
 *
 *     out/gradebook.sqlite     every judgement and decision (book.h)
 *     out/gradebook.key        what its records are sealed with (seal.h): keep it to yourself
 *     out/gradebook.head       how much was in it when it was closed
 *     out/points.txt           what each band is worth, for the instructor to edit (points.h)
 *     out/grades.csv           a line for each student and lesson
 *     out/judged/              judgements and texts that are not in the gradebook yet (task.h)
 *     out/queue/               tasks, jobs and logs of a run by Slurm (slurm.h)
 *
 * A run can be stopped at any moment, killed even; the same command goes on from there. What is
 * graded already is not judged again, unless the file, the grader or the seed changed.
 */
#ifndef CLASS_GRADE_H
#define CLASS_GRADE_H

#include "check/check.h"
#include "lib/terminal.h"

struct grade_request {
    const struct course *course;
    const char *submissions, *out; /* folders */
    const char *roster;            /* a file, or NULL: whoever handed in is the class */
    const char *lesson;            /* NULL: each file says its own */
    enum device_choice device;
    uint64_t seed;           /* one for the whole class; 0: drawn for each file */
    bool no_ipc;             /* as if the device had no CUDA IPC; for tests */
    bool slurm;              /* judged by jobs of Slurm (slurm.h) instead of on this machine */
    unsigned chunk, most;    /* tasks of one job, jobs at a time; 0: as usual */
    const char *job_options; /* words for sbatch; NULL: none */
};

/* The exit status: 0 when each hand-in has a mark, that of VERDICT_DEVICE when some could not be
 * judged, 130 when interrupted, else as verdicts have it. */
int grade(const struct grade_request *request, const struct terminal *terminal);

/* An instructor's commands on one mark. student: an id; lesson: as typed. */
struct mark_request {
    const struct course *course;
    const char *out, *student, *lesson;
    const char *points; /* a number, or "none" to take decisions back; for grade_override */
    const char *reason;
    const char *attempt; /* a number, for grade_reproduce */
    const char *format;  /* a name of export.h, for grade_export */
};

/* Says why nothing was done. Returns the exit status. */
int grade_refuse(const struct terminal *terminal, const char *reason);

struct book;
/* The gradebook in request->out, which must be there. NULL with a sentence. */
struct book *grade_open_book(const struct mark_request *request, char *reason, size_t reason_bytes);

/* A mark that stands above what the grader says. */
int grade_override(const struct mark_request *request, const struct terminal *terminal);
/* Judges the student's file once more, with a new seed. */
int grade_again(const struct mark_request *request, const struct terminal *terminal);
/* Judges the sealed source of an attempt with its seed, and compares. 0: the same verdict. */
int grade_reproduce(const struct mark_request *request, const struct terminal *terminal);
/* Writes the marks, of one lesson if one is named, for another system, below out/exports. */
int grade_export(const struct mark_request *request, const struct terminal *terminal);

#endif
