/* check_page.c - the pages of a class: what they say, and that no text of others becomes markup.
 *
 * Given a folder, it writes there the pages of a class of twelve to look at; given records after
 * it, with those instead of its own.
 */
#include "class/page.h"

#include "tests/check_main.h"
#include "tests/page_example.h"

#include <stdio.h>
#include <strings.h>

static const char *const ANN[] = {"ann"};

static char *page_of(const struct marks *marks, const struct student *student)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    ck_assert(student ? student_page_write(marks, student, out) : class_page_write(marks, out));
    fclose(out);
    return text;
}

static void expect(const char *page, const char *part)
{
    ck_assert_msg(strstr(page, part) != NULL, "the page does not say: %s", part);
}

static void expect_not(const char *page, const char *part)
{
    ck_assert_msg(strstr(page, part) == NULL, "the page says: %s", part);
}

static size_t count_of(const char *page, const char *part)
{
    size_t count = 0;
    for (; (page = strstr(page, part)); page += strlen(part))
        count++;
    return count;
}

/* What <, >, & and quotes are for: elements in their order, closed, and references that exist. */
static void expect_well_formed(const char *page)
{
    enum { DEEPEST = 64, LONGEST = 32 };
    char open[DEEPEST][LONGEST];
    size_t depth = 0;
    for (const char *at = strstr(page, "<html"); (at = strpbrk(at, "<&")); at++) {
        if (*at == '&') {
            ck_assert_msg(strspn(at + 1, "abcdefghijklmnopqrstuvwxyz#0123456789") ==
                              strcspn(at + 1, ";"),
                          "a bare &: %.40s", at);
            continue;
        }
        bool closes = at[1] == '/';
        char name[LONGEST];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1 + closes, " />\n"),
                 at + 1 + closes);
        const char *end = at;
        for (bool quoted = false; *end && (quoted || *end != '>'); end++) {
            quoted ^= *end == '"';
            ck_assert_msg(end == at || *end != '<', "a tag in a tag: %.60s", at);
        }
        if (closes) {
            ck_assert(depth > 0);
            ck_assert_str_eq(open[--depth], name);
        } else if (end[-1] != '/') {
            ck_assert(depth < DEEPEST);
            strcpy(open[depth++], name);
        }
        at = end;
    }
    ck_assert_uint_eq(depth, 0);
    json_t *text = json_string(page); /* only of UTF-8 */
    ck_assert(text != NULL);
    json_decref(text);
}

/* Another program's opinion, where it is installed. */
static void expect_accepted(const char *page)
{
    expect_well_formed(page);
    if (system("command -v xmllint >/dev/null") != 0)
        return;
    FILE *lint = popen("xmllint --noout - 2>&1", "w");
    fwrite(page, 1, strlen(page), lint);
    ck_assert_int_eq(pclose(lint), 0);
}

/* --- The page of a student -------------------------------------------------------------------- */

START_TEST(a_slow_submission_says_what_to_do_next)
{
    struct marks marks = class_of(1, ANN);
    judge(&marks, 0, 2, SLOW, "slow", 40)->attempts = 3;
    char *page = page_of(&marks, &marks.students[0]);
    expect(page, "<b>40</b> of 100 points");
    expect(page, "<td class=\"n\">40 of 300</td>");
    expect(page, "Your code gave right results, but costs too much.");
    expect(page, "at the gate <strong>counters</strong>, in the case "
                 "<strong>row_sumsq, 32768 x 1024</strong>");
    expect(page, "What to do next");
    expect(page, "At the line that is named one lane of a warp works");
    expect(page, "lanes switched on (of 32)</th><td class=\"n\">10.8</td>"
                 "<td class=\"ask\">at least 27.3</td>");
    expect(page, "35.0 % of the reference’s speed; at least 75 % is asked for.");
    expect(page, "modelled on the simulated NVIDIA H200");
    expect(page, "<dt>Attempts</dt><dd>3</dd>");
    expect(page, "<code>0x7ab0b45c41df</code>");
    expect(page, "<code>c678ed9e58070c0f134b0cd5da5d76d930a2254dedd055f6e7a8f7a2f23e8de9</code>");
    expect(page, "1 December 2026, 03:36 UTC");
    expect(page, "NOT YET lesson 3 [SLOW] your code gave right results");
    expect_not(page, "make hint-lesson3");
    expect_accepted(page);
    free(page);
    class_free(&marks);
}
END_TEST

START_TEST(a_measured_ratio_has_its_interval)
{
    struct marks marks = class_of(1, ANN);
    struct mark *mark = judge(&marks, 0, 0, PASSED, "pass", 100);
    json_t *gate = json_array_get(json_object_get(mark->record, "gates"), 4);
    json_t *one = json_array_get(json_object_get(gate, "cases"), 0);
    json_object_set_new(gate, "ratio", json_real(0.981));
    json_object_set_new(gate, "shown", json_integer(0));
    json_object_set_new(one, "low", json_real(0.972));
    json_object_set_new(one, "high", json_real(0.99));
    char *page = page_of(&marks, &marks.students[0]);
    expect(page, "98.1 % of the reference’s speed (interval 97.2 to 99.0 %)");
    expect(page, "times are measured on the NVIDIA H200");
    expect(page, "✓ pass");
    expect_accepted(page);
    free(page);
    class_free(&marks);
}
END_TEST

START_TEST(the_named_line_is_shown_among_its_neighbours_if_the_source_has_it)
{
    struct marks marks = class_of(1, ANN);
    struct mark *mark = judge(&marks, 0, 2, SLOW, "slow", 40);
    json_object_set_new(json_object_get(mark->record, "line"), "number", json_integer(3));
    mark->source = "one\ntwo\n  sum += s_sum[other];\nfour\nfive\nsix\n";
    char *page = page_of(&marks, &marks.students[0]);
    expect(page, "    2  </span>two\n");
    expect(page, "    3  </span><mark>  sum += s_sum[other];</mark>\n");
    expect(page, "    5  </span>five\n");
    expect_not(page, "</span>six");
    free(page);
    mark->source = "another\nfile\naltogether\n";
    page = page_of(&marks, &marks.students[0]);
    expect(page, "    3  </span><mark>sum += s_sum[other];</mark>\n");
    expect_not(page, "altogether");
    free(page);
    class_free(&marks);
}
END_TEST

START_TEST(a_lesson_that_is_slow_in_another_case_names_that_case)
{
    struct marks marks = class_of(1, ANN);
    struct mark *mark = judge(&marks, 0, 2, SLOW, "slow", 40);
    json_t *gate = json_array_get(json_object_get(mark->record, "gates"), 3);
    json_t *one = json_array_get(json_object_get(gate, "cases"), 1);
    json_object_set_new(one, "in_another_case", json_true());
    json_object_set_new(one, "regimes",
                        json_pack("[{s:s, s:f, s:f, s:f, s:f}]", "case", "n = 5", "time_ns", 2e3,
                                  "reference_ns", 1e3, "share", 0.5, "least", 0.6));
    char *page = page_of(&marks, &marks.students[0]);
    expect(page, "in the case <strong>n = 5</strong>");
    expect(page, "n = 5</th><td class=\"n\">2.00 us</td><td class=\"n\">1.00 us</td>"
                 "<td class=\"n\">50.0 %</td><td class=\"ask\">at least 60 %</td>");
    expect_accepted(page);
    free(page);
    class_free(&marks);
}
END_TEST

START_TEST(what_is_not_judged_counts_as_not_handed_in)
{
    struct marks marks = class_of(1, ANN);
    struct mark *mark = judge(&marks, 0, 0, UNCLEAR, "", 55);
    mark->standing = MARK_UNDECIDED;
    mark->why = "the times were too uneven";
    char *page = page_of(&marks, &marks.students[0]);
    expect(page, "It counts as not handed in until it has been judged");
    expect(page, "The times were too uneven.");
    expect(page, "<b>0</b> of 100 points");
    expect_not(page, "<b>55</b>");
    expect(page, "<td class=\"n\">0 of 300</td>");
    expect(page, "? not judged yet");
    expect_accepted(page);
    free(page);
    class_free(&marks);
}
END_TEST

START_TEST(an_instructor_s_decision_has_its_reason_and_what_the_grader_found)
{
    struct marks marks = class_of(1, ANN);
    struct mark *mark = judge(&marks, 0, 0, WRONG, "pass", 66.666666);
    mark->standing = MARK_DECIDED;
    mark->why = "the task was misprinted";
    char *page = page_of(&marks, &marks.students[0]);
    expect(page, "The instructor’s reason");
    expect(page, "The task was misprinted.");
    expect(page, "What the grader found");
    expect(page, "<b>66.67</b> of 100 points");
    expect_accepted(page);
    free(page);
    class_free(&marks);
}
END_TEST

START_TEST(a_student_sees_neither_flags_nor_folders_of_the_instructor)
{
    struct marks marks = class_of(1, ANN);
    char *flags[] = {"the same file as ben's"};
    struct mark *mark = judge(&marks, 0, 0, FAULT, "", 0);
    mark->flags = flags;
    mark->flag_count = 1;
    json_object_set_new(json_object_get(mark->record, "submission"), "path",
                        json_string("/home/prof/class 9/ann.cu"));
    json_object_set_new(mark->record, "log", json_string("opened /home/prof/class/x"));
    json_object_set_new(mark->record, "advice", json_string("see (/home/prof/class 9/ann.cu)"));
    json_object_set_new(mark->record, "reason", json_string("/home/prof/ann.cu: denied"));
    json_object_set_new(json_object_get(mark->record, "line"), "text", json_string("s = a /b/c;"));
    mark = judge(&marks, 0, 2, UNBUILT, "", 0);
    json_object_set_new(json_object_get(mark->record, "submission"), "path",
                        json_string("profs/in/ann.cu"));
    json_object_set_new(mark->record, "reason", json_string("profs/in/ann.cu: a bad link"));
    mark = judge(&marks, 0, 1, UNBUILT, "", 0);
    mark->standing = MARK_UNDECIDED;
    mark->why = "cannot be read (/home/prof/class/ann.cu), nor \"~/prof/x.cu\"";
    char *page = page_of(&marks, &marks.students[0]);
    expect_not(page, "/home");
    expect_not(page, "prof");
    expect_not(page, "class 9");
    expect(page, "<mark>s = a /b/c;</mark>");
    expect_not(page, "the same file");
    expect(page, "Cannot be read (ann.cu), nor &quot;x.cu&quot;.");
    free(page);
    page = page_of(&marks, NULL);
    expect(page, "the same file as ben&#39;s");
    free(page);
    class_free(&marks);
}
END_TEST

/* --- The page of the class -------------------------------------------------------------------- */

START_TEST(what_needs_the_instructor_comes_first)
{
    static const char *const IDS[] = {"ann", "ben"};
    char *flags[] = {"written long after the deadline"};
    struct marks marks = class_of(2, IDS);
    struct mark *mark = judge(&marks, 0, 0, UNCLEAR, "", 0);
    mark->standing = MARK_UNDECIDED;
    mark->why = "the times were too uneven";
    mark = judge(&marks, 1, 0, WRONG, "", 0);
    mark->flags = flags;
    mark->flag_count = 1;
    char *page = page_of(&marks, NULL);
    const char *cause = strstr(page, "the times were too uneven");
    const char *flag = strstr(page, "written long after the deadline");
    const char *lessons = strstr(page, "id=\"lessons\"");
    ck_assert(cause && flag && lessons && cause < flag && flag < lessons);
    expect(page, "<code>INCONCLUSIVE</code>");
    expect(page, "file <code>c678ed9e5807</code>");
    expect_accepted(page);
    free(page);
    class_free(&marks);
}
END_TEST

START_TEST(a_lesson_is_summed_up_by_bands_gates_mistakes_and_speed)
{
    static const char *const IDS[] = {"ann", "ben", "cem", "dana", "eve"};
    static const double RATIOS[] = {0.2, 0.4, 0.6, 1.0};
    struct marks marks = class_of(5, IDS);
    for (size_t i = 0; i < 4; i++) {
        struct mark *mark = judge(&marks, i, 2, SLOW, "slow", 40);
        json_t *gate = json_array_get(json_object_get(mark->record, "gates"), 4);
        json_object_set_new(gate, "ratio", json_real(RATIOS[i]));
    }
    char *page = page_of(&marks, NULL);
    expect(page, "<dt>handed in</dt><dd>4 <small class=\"quiet\">of 5</small></dd>");
    expect(page, ">counters</text>");
    expect(page, ">4 (100 %)</text>");
    expect(page, "<code>one_thread_adds</code></th><td class=\"n\" data-label=\"count\">4</td>");
    expect(page, "median</th><td class=\"n\">50.0 %</td>");
    expect(page, "upper quartile</th><td class=\"n\">70.0 %</td>");
    expect(page, "lower quartile</th><td class=\"n\">35.0 %</td>");
    expect(page, "slow</th><td class=\"n\">40</td><td class=\"n\">4</td>");
    ck_assert_uint_eq(count_of(page, "students/dana.html#lesson-3"), 2);
    expect_accepted(page);
    free(page);
    class_free(&marks);
}
END_TEST

START_TEST(a_class_of_nobody_has_a_page)
{
    struct marks marks = {.made = "2026-11-20T10:00:00Z"};
    char *page = page_of(&marks, NULL);
    expect(page, "Everything that was handed in has a mark.");
    expect_accepted(page);
    free(page);
}
END_TEST

/* --- Hostile text ----------------------------------------------------------------------------- */

#define HOSTILE_UTF8                                                       \
    "</script></style><img src=x onerror=alert(1)>&lt;&amp;\"'>]]>--><!--" \
    "\x1b[31m\r\n\t\x7f\xe2\x80\xae\xe2\x81\xa6\xef\xbf\xbf\xc2\x85"
static const char HOSTILE[] =
    HOSTILE_UTF8 "\xff\xc0\x80\xe0\x80\xbf\xed\xa0\x80\xf4\x90\x80\x80\xe2\x80";

/* Every text of a value, where it can be one in JSON, and every number. */
static void spoil(json_t *value)
{
    size_t i;
    void *next;
    const char *key;
    json_t *member;
    if (json_is_string(value))
        ck_assert_int_eq(json_string_set(value, HOSTILE_UTF8), 0);
    if (json_is_real(value))
        json_real_set(value, -1e300);
    json_array_foreach (value, i, member) {
        spoil(member);
    }
    json_object_foreach_safe(value, next, key, member)
    {
        if (strcmp(key, "verdict") != 0 && strcmp(key, "gate") != 0)
            spoil(member);
    }
}

static struct marks hostile_class(const char *const *ids, size_t count, char **flags)
{
    static const char *const RECORDS[] = {SLOW, WRONG, PASSED, FAULT, UNBUILT, UNCLEAR};
    struct marks marks = class_of(count, ids);
    for (size_t i = 0; i < marks.mark_count; i++) {
        struct mark *mark =
            judge(&marks, i / LESSON_COUNT, i % LESSON_COUNT, RECORDS[i % 6], HOSTILE, 40);
        mark->standing = (enum standing)(i % 4);
        mark->title = mark->why = mark->source = mark->sha256 = HOSTILE;
        mark->flags = flags;
        mark->flag_count = 1;
        spoil(mark->record);
    }
    for (size_t i = 0; i < count; i++)
        marks.students[i].name = marks.students[i].section = (char *)HOSTILE;
    static struct notice notice = {(char *)HOSTILE, (char *)HOSTILE, (char *)HOSTILE};
    marks.notices = &notice;
    marks.notice_count = 1;
    return marks;
}

static void expect_harmless(const char *page)
{
    expect_accepted(page);
    expect_not(page, "<img");
    expect_not(page, "</script");
    expect_not(page, "\x1b");
    expect_not(page, "\xe2\x80\xae");
    expect_not(page, "\xe2\x81\xa6");
    expect_not(page, "\xc2\x85");
    ck_assert_uint_eq(count_of(page, "</style>"), 1);
    expect(page, "&lt;img src=x onerror=alert(1)&gt;&amp;lt;&amp;amp;&quot;&#39;&gt;]]&gt;");
    expect(page, "␛[31m");
    expect(page, "[U+202E]");
}

START_TEST(hostile_text_adds_no_element)
{
    static char id[256];
    static char *flags[] = {(char *)HOSTILE};
    memset(id, '\'', 255);
    const char *const ids[] = {HOSTILE, id, "a\"b", "=1+1"};
    struct marks marks = hostile_class(ids, 4, flags);
    for (size_t i = 0; i < marks.student_count; i++) {
        char *page = page_of(&marks, &marks.students[i]);
        expect_harmless(page);
        ck_assert_uint_gt(count_of(page, "&lt;img"), 20); /* those of the records as well */
        free(page);
    }
    char *page = page_of(&marks, NULL);
    expect_harmless(page);
    free(page);
    class_free(&marks);
}
END_TEST

START_TEST(a_long_reason_can_be_read_to_its_end)
{
    static char reason[5001];
    memset(reason, 'x', 4999);
    reason[4999] = '&';
    struct marks marks = class_of(1, ANN);
    struct mark *mark = judge(&marks, 0, 0, WRONG, "", 0);
    mark->standing = MARK_DECIDED;
    mark->why = reason;
    char *page = page_of(&marks, &marks.students[0]);
    expect(page, "xxxxxx&amp;.</div>");
    free(page);
    page = page_of(&marks, NULL);
    expect(page, "xxxxxx&amp;</div></details>");
    expect(page, "(all of it)");
    expect_accepted(page);
    free(page);
    class_free(&marks);
}
END_TEST

START_TEST(a_record_of_the_wrong_types_is_no_crash)
{
    static const char *const RECORDS[] = {
        "{}", "[]", "{\"gates\": 3, \"verdict\": 7, \"line\": [], \"mistake\": \"x\"}",
        "{\"gates\": [1, null, {\"gate\": \"counters\", \"cases\": 9, \"shown\": -5}, "
        "{\"gate\": \"utilization\", \"cases\": [2], \"ratio\": 1e308, \"bar\": 1e-300}], "
        "\"line\": {\"number\": 2147483647, \"text\": \"x\"}, \"others\": [4]}"};
    for (size_t i = 0; i < sizeof RECORDS / sizeof *RECORDS; i++) {
        struct marks marks = class_of(1, ANN);
        judge(&marks, 0, 0, RECORDS[i], "", 0);
        char *page = page_of(&marks, &marks.students[0]);
        expect_accepted(page);
        free(page);
        page = page_of(&marks, NULL);
        expect_accepted(page);
        free(page);
        class_free(&marks);
    }
}
END_TEST

START_TEST(a_full_disk_is_noticed)
{
    struct marks marks = class_of(1, ANN);
    judge(&marks, 0, 0, WRONG, "", 0);
    FILE *full = fopen("/dev/full", "w");
    ck_assert(!student_page_write(&marks, &marks.students[0], full));
    fclose(full);
    full = fopen("/dev/full", "w");
    ck_assert(!class_page_write(&marks, full));
    fclose(full);
    class_free(&marks);
}
END_TEST

/* --- Names of files --------------------------------------------------------------------------- */

static void expect_name(const char *id, const char *name)
{
    struct student student = {.id = (char *)id};
    ck_assert_str_eq(student_page_name(&student).text, name);
}

START_TEST(a_plain_id_names_its_page)
{
    expect_name("ann", "ann.html");
    expect_name("s12_34.b-c", "s12_34.b-c.html");
}
END_TEST

START_TEST(any_other_id_is_named_by_its_hash)
{
    static char longest[256];
    memset(longest, 'a', 255);
    struct student student = {.id = longest};
    expect_name("a/../b", "student-900ea8b7e0d8fe30.html");
    expect_name("", "student-e3b0c44298fc1c14.html");
    ck_assert_uint_eq(strlen(student_page_name(&student).text), strlen("student-") + 16 + 5);
    student.id = ".hidden";
    ck_assert(strncmp(student_page_name(&student).text, "student-", 8) == 0);
    student.id = "con.txt";
    ck_assert(strncmp(student_page_name(&student).text, "student-", 8) == 0);
}
END_TEST

START_TEST(no_two_ids_share_a_page_where_case_does_not_count)
{
    static const char *const IDS[] = {"ann", "Ann", "ANN", "a nn", "A nn", "student-ann"};
    enum { COUNT = sizeof IDS / sizeof *IDS };
    struct path names[COUNT + 1];
    for (size_t i = 0; i <= COUNT; i++) {
        /* The last one is called like the page of another. */
        struct path called = names[1];
        called.text[i < COUNT ? 0 : strcspn(called.text, ".")] = '\0';
        for (char *at = called.text; *at; at++)
            *at |= ' ';
        struct student student = {.id = i < COUNT ? (char *)IDS[i] : called.text};
        names[i] = student_page_name(&student);
        for (size_t j = 0; j < i; j++)
            ck_assert_int_ne(strcasecmp(names[i].text, names[j].text), 0);
    }
}
END_TEST

int main(int count, char **arguments)
{
    const TTest *const tests[] = {a_slow_submission_says_what_to_do_next,
                                  a_measured_ratio_has_its_interval,
                                  the_named_line_is_shown_among_its_neighbours_if_the_source_has_it,
                                  a_lesson_that_is_slow_in_another_case_names_that_case,
                                  what_is_not_judged_counts_as_not_handed_in,
                                  an_instructor_s_decision_has_its_reason_and_what_the_grader_found,
                                  a_student_sees_neither_flags_nor_folders_of_the_instructor,
                                  what_needs_the_instructor_comes_first,
                                  a_lesson_is_summed_up_by_bands_gates_mistakes_and_speed,
                                  a_class_of_nobody_has_a_page,
                                  hostile_text_adds_no_element,
                                  a_long_reason_can_be_read_to_its_end,
                                  a_record_of_the_wrong_types_is_no_crash,
                                  a_full_disk_is_noticed,
                                  a_plain_id_names_its_page,
                                  any_other_id_is_named_by_its_hash,
                                  no_two_ids_share_a_page_where_case_does_not_count,
                                  NULL};
    if (count > 1)
        return write_class(arguments[1], arguments + 2, (size_t)count - 2);
    return run_tests("page", NULL, NULL, tests);
}
