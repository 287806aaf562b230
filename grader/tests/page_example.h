/* page_example.h - a class of twelve, written as pages to look at. */
#ifndef TESTS_PAGE_EXAMPLE_H
#define TESTS_PAGE_EXAMPLE_H

#include "tests/page_class.h"
#include "tests/page_records.h"

#include <stdio.h>

static const char *const CLASS_IDS[] = {"anna.lind", "ben",     "cem.y",   "d.okafor",
                                        "eve",       "f_marin", "Grace.H", "hiro",
                                        "ines",      "jo",      "kwame",   "o'brien <x>"};
static const char *const CLASS_NAMES[] = {"Anna Lindström", "Ben Ackermann", "Cem Yılmaz",
                                          "Dayo Okafor",    "Eve Laurent",   "Francesca Marin",
                                          "Grace Hopper",   "田中 浩",       "Inés Ortega",
                                          "ליאור כהן",      "Kwame Mensah",  "Siobhán O'Brien"};
enum { CLASS_COUNT = 12 };

static char *SAME_FILE[] = {"the file is the same, byte for byte, as d.okafor's"};
static char *LATE[] = {"Canvas says LATE", "the header was changed: common/lesson3.h line 12"};

/* The line that SLOW names. */
static inline const char *source_with_line_73(void)
{
    static char source[4096];
    for (int i = 1; i < 71; i++)
        strcat(source, "\n");
    return strcat(source, "    if (threadIdx.x == 0) {\n"
                          "        for (unsigned other = 1; other < blockDim.x; other++)\n"
                          "            sum += s_sum[other];\n"
                          "        row_sums[blockIdx.x] = sum;\n    }\n");
}

static inline void decide_by_hand(struct marks *marks)
{
    struct mark *mark = judge(marks, 3, 1, UNCLEAR, "", 0);
    mark->standing = MARK_UNDECIDED;
    mark->why = "three attempts at timing were too uneven on this machine; another job was running";
    mark = &marks->marks[8 * LESSON_COUNT + 1];
    mark->standing = MARK_UNDECIDED;
    mark->why = "/srv/class/ines/tiling.cu cannot be read: permission denied";
    mark->attempts = 1;
    mark = judge(marks, 5, 0, WRONG, "pass", 70);
    mark->standing = MARK_DECIDED;
    mark->why = "the text of the exercise said b, where the contract says a; accepted after a talk "
                "with the student on 18 November";
    mark = &marks->marks[4 * LESSON_COUNT + 2];
    mark->flags = SAME_FILE;
    mark->flag_count = 1;
    mark = &marks->marks[1 * LESSON_COUNT + 2];
    mark->flags = LATE;
    mark->flag_count = 2;
}

static inline struct marks class_to_look_at(const char *const *records, size_t count)
{
    struct marks marks = class_of(CLASS_COUNT, CLASS_IDS);
    for (size_t i = 0; i < CLASS_COUNT; i++) {
        marks.students[i].name = (char *)CLASS_NAMES[i];
        marks.students[i].section = i % 2 ? "B" : "A";
        marks.students[i].listed = i != CLASS_COUNT - 1;
    }
    for (size_t i = 0; i < marks.mark_count; i++) {
        bool absent = i % 11 == 9, undecided = i == 3 * 3 + 1 || i == 8 * 3 + 1 || i == 5 * 3;
        if (absent || undecided)
            continue;
        json_t *record = json_loads(records[i % count], 0, NULL);
        double points = json_number_value(json_object_get(record, "points"));
        bool gold = json_is_true(json_object_get(record, "gold"));
        struct mark *mark = judge(&marks, i / 3, i % 3, records[i % count],
                                  gold            ? "gold"
                                  : points == 100 ? "pass"
                                  : points > 0    ? "works, slow"
                                                  : "",
                                  points);
        mark->attempts = 1 + (unsigned)(i % 4);
        mark->source = source_with_line_73();
        json_decref(record);
    }
    decide_by_hand(&marks);
    return marks;
}

static inline bool write_page(const char *path, const struct marks *marks,
                              const struct student *student)
{
    FILE *out = fopen(path, "w");
    bool written =
        out && (student ? student_page_write(marks, student, out) : class_page_write(marks, out));
    return out && fclose(out) == 0 && written;
}

static inline bool write_pages(const char *folder, const struct marks *marks)
{
    bool written = folder_make(path_of("%s/students", folder).text) &&
                   write_page(path_of("%s/index.html", folder).text, marks, NULL);
    for (size_t i = 0; i < marks->student_count; i++) {
        const struct student *student = &marks->students[i];
        struct path name = student_page_name(student);
        written &= write_page(path_of("%s/students/%s", folder, name.text).text, marks, student);
    }
    return written;
}

/* The exit status of a program that does so. count paths of records, or 0 for those at hand. */
static inline int write_class(const char *folder, char **paths, size_t count)
{
    enum { OWN = 5 };
    const char *const own[OWN] = {PASSED, SLOW, WRONG, FAULT, UNBUILT};
    char **records = calloc(count + 1, sizeof *records);
    for (size_t i = 0; i < count; i++)
        if (!(records[i] = file_read(paths[i], 16 << 20, NULL)))
            records[i] = strdup("{}");
    struct marks marks =
        class_to_look_at(count ? (const char *const *)records : own, count ? count : OWN);
    bool written = write_pages(folder, &marks);
    class_free(&marks);
    for (size_t i = 0; i < count; i++)
        free(records[i]);
    free(records);
    puts(written ? "index.html" : "the pages cannot be written there");
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
