/* export_class.h - a small class with marks of every standing, whose texts are honest or hostile.
 *
 *             lesson 1        lesson 2     lesson 3
 *     ann     PASS            SLOW, 41     WRONG, line 12
 *     ben     decided, 85.5   undecided    RACE, line 7
 *     cal     PASS            absent       BUILD                 not in the roster
 *     dot     absent          absent       absent
 *
 * In a hostile class, every text that could be a student's is one of HOSTILE; which one depends on
 * first, so that with HOSTILE_TEXTS classes each text has been in each place.
 */
#ifndef TESTS_EXPORT_CLASS_H
#define TESTS_EXPORT_CLASS_H

#include "class/marks.h"

#include <stdio.h>
#include <string.h>

enum { CLASS_STUDENTS = 4, CLASS_LESSONS = 3, LONG_TEXT = 5000 };

static char long_text[LONG_TEXT + 1];

static const char *const HOSTILE[] = {
    "a \"quoted\", comma",
    "two\nok 1 - lines\r\nnot ok 2",
    "ok 1",
    "Bail out!",
    "1..0 # SKIP all",
    "]]><failure type=\"x\"/><![CDATA[",
    "</testcase><testcase name=\"&amp;\">",
    "::error file=a.c::stopped ##[error]",
    "=cmd|' /C calc'!A0",
    "  +1+1;=2",
    "\t@SUM(1)\r",
    "a # SKIP \\# TODO",
    "...\n---\n- 1",
    "\x1B[2J\x1B]0;title\x07\x7F",
    "\xE2\x80\xAE"
    "gnp.exe \xE2\x81\xA6\xC2\x85\xE2\x80\xA8",
    "\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBB\xBF\xF4\x8F\xBF\xBF",
    "../../etc/passwd?%2e#{x}",
    "Points Possible",
    "{\"scores\": {\"01_coalescing\": 100}}",
    "<script>alert(1)</script>",
    long_text,
    "",
};
enum { HOSTILE_TEXTS = sizeof HOSTILE / sizeof *HOSTILE };

struct test_class {
    struct student students[CLASS_STUDENTS];
    struct mark marks[CLASS_STUDENTS * CLASS_LESSONS];
    struct marks all;
    char texts[160][LONG_TEXT + 8]; /* changed ones, each of which belongs to one place */
    unsigned used;
    bool hostile;
    unsigned first;
};

/* ending makes an id unique; else it is "". */
static inline char *class_text(struct test_class *made, const char *honest, const char *ending)
{
    char *text = made->texts[made->used];
    const char *hostile = HOSTILE[(made->used + made->first) % HOSTILE_TEXTS];
    made->used++;
    snprintf(text, LONG_TEXT + 8, "%s%s", made->hostile ? hostile : honest,
             made->hostile ? ending : "");
    return text;
}

static inline void add_student(struct test_class *made, unsigned at, const char *id, bool listed)
{
    char ending[8];
    snprintf(ending, sizeof ending, "~%u", at);
    made->students[at] = (struct student){.id = class_text(made, id, ending),
                                          .name = class_text(made, "Lee, Ann", ""),
                                          .email = class_text(made, "ann@school.example", ""),
                                          .section = class_text(made, "Monday", ""),
                                          .canvas_id = class_text(made, "4711", ""),
                                          .sis_id = class_text(made, "s1", ""),
                                          .sis_login = class_text(made, "annlee", ""),
                                          .listed = listed};
}

static inline json_t *make_record(struct test_class *made, const char *verdict, int line)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:{s:s}, s:{s:i, s:s}, s:{s:s}, s:[{s:s, s:f}]}",
                     "verdict", verdict, "reason", class_text(made, "element 3 is 4, not 5", ""),
                     "grader", class_text(made, "f6da", ""), "seed", class_text(made, "0x2a", ""),
                     "seconds", 1.25, "submission", "path",
                     class_text(made, "hand ins/mine.cu", ""), "line", "number", line, "says",
                     class_text(made, "32 sectors for each request", ""), "mistake", "hint",
                     line ? class_text(made, "Read by rows.", "") : "", "gates", "gate",
                     "utilization", "ratio", 0.8188);
}

static inline struct mark *add_mark(struct test_class *made, unsigned student, unsigned lesson,
                                    enum standing standing, double points, const char *verdict,
                                    int line)
{
    static const char *const TITLES[] = {"Coalescing", "Tiling", "Warp divergence"};
    struct mark *mark = &made->marks[student * CLASS_LESSONS + lesson];
    bool with_why = standing == MARK_UNDECIDED || standing == MARK_DECIDED;
    *mark = (struct mark){.student = &made->students[student],
                          .lesson = made->all.lessons[lesson],
                          .title = TITLES[lesson],
                          .number = (int)lesson + 1,
                          .standing = standing,
                          .band = points == 100 ? "gold" : "",
                          .points = points,
                          .of = 100,
                          .why = with_why ? class_text(made, "the node had no GPU", "") : "",
                          .record = verdict ? make_record(made, verdict, line) : NULL,
                          .sha256 = verdict ? "e3b0c442" : "",
                          .source = ""};
    return mark;
}

static inline struct marks *make_class(struct test_class *made, bool hostile, unsigned first)
{
    *made = (struct test_class){.hostile = hostile, .first = first};
    memset(long_text, 'x', LONG_TEXT);
    made->all = (struct marks){.lessons = {"01_coalescing", "02_tiling", "03_divergence"},
                               .lesson_count = CLASS_LESSONS,
                               .students = made->students,
                               .student_count = CLASS_STUDENTS,
                               .marks = made->marks,
                               .mark_count = CLASS_STUDENTS * CLASS_LESSONS,
                               .made = "2026-11-20T10:00:00Z"};
    add_student(made, 0, "ann", true);
    add_student(made, 1, "ben", true);
    add_student(made, 2, "cal", false);
    add_student(made, 3, "dot", true);
    add_mark(made, 0, 0, MARK_JUDGED, 100, "PASS", 0);
    add_mark(made, 0, 1, MARK_JUDGED, 70, "SLOW", 41);
    add_mark(made, 0, 2, MARK_JUDGED, 0, "WRONG", 12);
    add_mark(made, 1, 0, MARK_DECIDED, 85.5, "SLOW", 5);
    add_mark(made, 1, 1, MARK_UNDECIDED, 0, NULL, 0);
    add_mark(made, 1, 2, MARK_JUDGED, 0, "RACE", 7);
    add_mark(made, 2, 0, MARK_JUDGED, 100, "PASS", 0);
    add_mark(made, 2, 1, MARK_ABSENT, 0, NULL, 0);
    add_mark(made, 2, 2, MARK_JUDGED, 0, "BUILD", 0);
    for (unsigned lesson = 0; lesson < CLASS_LESSONS; lesson++)
        add_mark(made, 3, lesson, MARK_ABSENT, 0, NULL, 0);
    return &made->all;
}

static inline void free_class(struct test_class *made)
{
    for (size_t i = 0; i < made->all.mark_count; i++)
        json_decref(made->marks[i].record);
}

#endif
