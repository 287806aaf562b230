/* page_class.h - classes for check_page.c: made by hand, all on the heap, and freed. */
#ifndef TESTS_PAGE_CLASS_H
#define TESTS_PAGE_CLASS_H

#include "class/page.h"

#include <stdlib.h>
#include <string.h>

static const char *const LESSONS[] = {"01_coalescing", "02_tiling", "03_divergence"};
static const char *const TITLES[] = {"coalesced access", "shared-memory tiling", "warp divergence"};
enum { LESSON_COUNT = sizeof LESSONS / sizeof *LESSONS };

/* Students are added by their ids; nobody has handed in anything. */
static inline struct marks class_of(size_t count, const char *const *ids)
{
    struct marks marks = {.lesson_count = LESSON_COUNT, .student_count = count};
    marks.mark_count = count * LESSON_COUNT;
    marks.students = calloc(count, sizeof *marks.students);
    marks.marks = calloc(marks.mark_count, sizeof *marks.marks);
    strcpy(marks.made, "2026-11-20T10:00:00Z");
    for (size_t i = 0; i < LESSON_COUNT; i++)
        marks.lessons[i] = LESSONS[i];
    for (size_t i = 0; i < count; i++)
        marks.students[i] =
            (struct student){(char *)ids[i], "", "", "", "", "", "", .listed = true};
    for (size_t i = 0; i < marks.mark_count; i++)
        marks.marks[i] = (struct mark){.student = &marks.students[i / LESSON_COUNT],
                                       .lesson = LESSONS[i % LESSON_COUNT],
                                       .title = TITLES[i % LESSON_COUNT],
                                       .number = (int)(i % LESSON_COUNT) + 1,
                                       .band = "",
                                       .of = 100,
                                       .why = "",
                                       .sha256 = "",
                                       .source = ""};
    return marks;
}

/* Judged, with a record from its text. */
static inline struct mark *judge(struct marks *marks, size_t student, size_t lesson,
                                 const char *record, const char *band, double points)
{
    struct mark *mark = &marks->marks[student * LESSON_COUNT + lesson];
    mark->standing = MARK_JUDGED;
    mark->record = json_loads(record, 0, NULL);
    mark->band = band;
    mark->points = points;
    mark->attempts = 1;
    mark->sha256 = "c678ed9e58070c0f134b0cd5da5d76d930a2254dedd055f6e7a8f7a2f23e8de9";
    return mark;
}

static inline void class_free(struct marks *marks)
{
    for (size_t i = 0; i < marks->mark_count; i++)
        json_decref(marks->marks[i].record);
    free(marks->marks);
    free(marks->students);
}

#endif
