/* handed_in.h - the files of a class, as a folder or an export of an LMS has them.
 *
 *     ann.cu                                        flat: a file each, named after the student
 *     ann_lesson3.cu  ann.03_divergence.cu          several lessons
 *     ann/coalescing.cu  ann/exercises/01_.../..    a folder each, as repositories of GitHub
 *                                                   Classroom (PREFIX-ann/ as well, with a roster)
 *     submission_9/x.cu  submission_metadata.yml    Gradescope
 *     lastfirst_LATE_123_456_name-2.cu              Canvas (123 is the student's Canvas id)
 *     Ann Lee_123_assignsubmission_file_/x.cu       Moodle
 *     anything.zip                                  any of these in a zip file, and there once more
 *
 * Several exports may lie in folders or zip files of their own, and a folder or zip file that is
 * the only one is that of the class where its names say so (layouts.h). A roster makes all this
 * surer, since then names are compared with it (match.h). A name that fits two students is
 * neither's, and without a match the id is what the name says; "_" and a number follow where two
 * students of an export have one name.
 *
 * Which lesson a file is for is not decided here, except that its path is kept for hints. What
 * cannot be taken is never forgotten: it is a hand-in with a problem. Of two files of a student
 * that are one file handed in again, both are listed, and the later one has a remark.
 *
 *     handed_in.c       the list            layouts.c   whose a name is     names.c    its parts
 *     hand_in_tree.c    what is there       match.c     the roster's part   metadata.c Gradescope's
 *     archive.c         zip files           clean.c     text that can be shown
 */
#ifndef CLASS_HANDED_IN_H
#define CLASS_HANDED_IN_H

#include "class/roster.h"

enum handed_in_state {
    HANDED_IN,         /* a file that can be read */
    HANDED_IN_BAD,     /* the student's doing: a link, empty, too long, no text. It is judged so. */
    HANDED_IN_BLOCKED, /* this machine's doing: it cannot be read here. Nobody gains or loses */
    HANDED_IN_LEFT_OUT /* not a submission: another kind of file. Named, not judged */
};

struct hand_in {
    char *student; /* id: the roster's where one matches, else as the name says; clean UTF-8. "" for
                    * what is nobody's: left out, or an export that cannot be read to its end */
    char *shown;   /* the path below the folder, clean UTF-8 without control characters */
    char *path;    /* to open it by; in a zip file: of the unpacked file, or else of the zip file */
    enum handed_in_state state;
    char *problem; /* a sentence, when state is not HANDED_IN; else "" */
    char *remark;  /* a sentence for the instructor, e.g. "LATE, says Canvas"; else "" */
};

struct handed_in {
    struct hand_in *files; /* in order of student, then of shown */
    size_t count;
    bool unreadable; /* some folder or zip file could not be read: the list may lack files */
};

/* folder: of the class. unpack: an empty folder of ours that zip files are unpacked into. Zip
 * files are unpacked with limits (files, bytes, ratio, depth), without links and without paths that
 * leave the folder; unpacked files have the time of modification that the zip file says. roster may
 * be NULL, and has to stay only for the call. False with a sentence only when the folder itself
 * cannot be read, or memory is exhausted. */
bool handed_in_collect(const char *folder, const char *unpack, const struct roster *roster,
                       struct handed_in *handed_in, char *reason, size_t reason_bytes);
void handed_in_free(struct handed_in *handed_in);

#endif
