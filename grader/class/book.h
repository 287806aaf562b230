/* book.h - the gradebook: an SQLite file that a class's marks are computed from.
 *
 * It is in write-ahead mode and every change is one transaction, so that it survives a kill at any
 * moment. One process at a time may have it open. What was judged and what an instructor decided is
 * only ever added to: the file itself refuses to change or delete an attempt or a decision.
 *
 *     student    who is in the class: of the roster, or known by a hand-in
 *     source     the text of each file that was judged, by its SHA-256
 *     hand_in    the file that counts now, for each student and lesson
 *     attempt    a judgement: its record, whole and sealed (seal.h), and what one searches for
 *     decision   an instructor's mark, with who, when and why; sealed
 *     notice     what the last run could not take as a hand-in
 */
#ifndef CLASS_BOOK_H
#define CLASS_BOOK_H

#include "class/marks.h"
#include "class/points.h"
#include "class/seal.h"
#include "check/course.h"
#include "check/source.h"

struct book;

/* The gradebook in folder out, which is made if it is not there. NULL with a sentence: another run
 * has it, it is damaged, a newer version wrote it, the disk is full. */
struct book *book_open(const char *out, char *reason, size_t reason_bytes);
void book_close(struct book *book);
const struct seal_key *book_key(const struct book *book);
/* What went wrong, after a function returned false. */
const char *book_reason(const struct book *book);

/* Between the two, all changes are made together or, if not all are good, not at all. book_end
 * returns whether they were made. */
bool book_begin(struct book *book);
bool book_end(struct book *book, bool good);

/* --- Changes ---------------------------------------------------------------------------------- */

bool book_note_student(struct book *book, const struct student *student);

struct hand_in_note {
    const char *student, *lesson, *file; /* the lesson's key; file as handed_in.h shows it */
    const char *key;                     /* of the judgement it needs (task.h) */
    const char *problem;                 /* why it cannot be judged now, or "" */
    const char *remark;                  /* for the instructor, or "" */
};

bool book_note_hand_in(struct book *book, const struct hand_in_note *note);
/* No file for that lesson is handed in any more, until it is noted again. Judgements stay. */
bool book_forget_hand_ins(struct book *book, const char *lesson);
/* Nobody is in the roster, until they are noted again. */
bool book_forget_roster(struct book *book);
/* Forget the notices of the run before. */
bool book_clear_notices(struct book *book);
bool book_note(struct book *book, const char *student, const char *file, const char *what);

/* A judgement of what note names. source is NULL when there is no text. */
bool book_add_attempt(struct book *book, const struct hand_in_note *note,
                      const struct source *source, const json_t *record);
/* Is there one for that student, lesson and key that gives a mark, with its seal whole? */
bool book_has_attempt(struct book *book, const struct hand_in_note *note);

/* The hand-ins that there is none of, in order of their keys. What cannot be judged at all is not
 * among them. waiting_free, also after it failed. */
struct waiting {
    struct hand_in_note *notes;
    size_t count;
};
bool book_waiting(struct book *book, struct waiting *waiting);
void waiting_free(struct waiting *waiting);

/* An instructor's mark; points is NAN to take earlier ones back. */
bool book_decide(struct book *book, const char *student, const char *lesson, double points,
                 const char *reason, const char *who);
/* The key of the judgement that the student's file for the lesson needs; "" when there is none. */
bool book_hand_in_key(struct book *book, const char *student, const char *lesson,
                      char key[HASH_TEXT]);

/* --- Marks ------------------------------------------------------------------------------------ */

/* All marks, for marks_free. */
bool book_marks(struct book *book, const struct course *course, const struct points *points,
                struct marks *marks);
void marks_free(struct marks *marks);

#endif
