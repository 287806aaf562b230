/* check_handed_in.c - the files of a class in every layout, and what lies among them. */
#include "class/handed_in.h"

#include "lib/files.h"
#include "tests/check_main.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* It takes a tenth of a second; sanitizers are slow, and a search that is quadratic is slower. */
enum { MOST_WORK_SECONDS = 10 };

static const char TEMPLATE[] = "/tmp/check_handed_in-XXXXXX";
static char above[sizeof TEMPLATE], reason[PATH_MAX + 400];
static struct path class, unpack;
static struct roster roster;
static struct handed_in handed_in;

static void start(void)
{
    strcpy(above, TEMPLATE);
    ck_assert_ptr_nonnull(mkdtemp(above));
    class = path_of("%s/class", above);
    unpack = path_of("%s/unpack", above);
    ck_assert(folder_make(class.text) && folder_make(unpack.text));
}

static void clean_up(void)
{
    handed_in_free(&handed_in);
    roster_free(&roster);
    folder_remove(above);
}

static struct path in_class(const char *name)
{
    return path_of("%s/%s", class.text, name);
}

static void put(const char *name)
{
    struct path path = in_class(name), parent = path;
    *strrchr(parent.text, '/') = '\0';
    ck_assert(folder_make(parent.text));
    int fd = open(path.text, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, name, strlen(name)), (ssize_t)strlen(name));
    close(fd);
}

static void set_time(const char *name, time_t modified)
{
    struct timespec times[2] = {{.tv_sec = modified}, {.tv_sec = modified}};
    ck_assert_int_eq(utimensat(AT_FDCWD, in_class(name).text, times, 0), 0);
}

static void with_roster(const char *text)
{
    struct path path = path_of("%s/roster.csv", above);
    ck_assert(file_write(path.text, text, strlen(text)));
    ck_assert_msg(roster_read(path.text, &roster, reason, sizeof reason), "says: %s", reason);
}

static void collect(void)
{
    handed_in_free(&handed_in);
    ck_assert_msg(handed_in_collect(class.text, unpack.text, roster.count ? &roster : NULL,
                                    &handed_in, reason, sizeof reason),
                  "says: %s", reason);
}

/* All hand-ins as "student <shown>" and, unless it is one that can be read, BAD, BLOCKED or OUT. */
static void lists(const char *expected)
{
    static const char *const STATES[] = {"", " BAD", " BLOCKED", " OUT"};
    char *told = NULL;
    size_t bytes;
    FILE *out = open_memstream(&told, &bytes);
    collect();
    for (size_t i = 0; i < handed_in.count; i++)
        fprintf(out, "%s <%s>%s\n", handed_in.files[i].student, handed_in.files[i].shown,
                STATES[handed_in.files[i].state]);
    fclose(out);
    ck_assert_str_eq(told, expected);
    free(told);
}

static const struct hand_in *shown(const char *name)
{
    for (size_t i = 0; i < handed_in.count; i++)
        if (strcmp(handed_in.files[i].shown, name) == 0)
            return &handed_in.files[i];
    ck_abort_msg("%s is not listed", name);
}

static void problem(const char *name, const char *words)
{
    ck_assert_msg(strstr(shown(name)->problem, words) != NULL, "says: %s", shown(name)->problem);
    ck_assert_msg(strncmp(shown(name)->problem, name, strlen(name)) == 0, "says: %s",
                  shown(name)->problem);
}

static void remark(const char *name, const char *words)
{
    ck_assert_msg(strstr(shown(name)->remark, words) != NULL, "says: %s", shown(name)->remark);
}

static void no_remark(const char *name)
{
    ck_assert_str_eq(shown(name)->remark, "");
}

/* --- Layouts ---------------------------------------------------------------------------------- */

START_TEST(flat_files_are_named_after_their_students)
{
    put("ann.cu"), put("bob_lesson3.cu"), put("bob.04_epilogue.cu"), put("c d.CU");
    lists("ann <ann.cu>\nbob <bob.04_epilogue.cu>\nbob <bob_lesson3.cu>\nc d <c d.CU>\n");
    char *text = file_read(shown("ann.cu")->path, 100, NULL);
    ck_assert_str_eq(text, "ann.cu");
    free(text);
    ck_assert(!handed_in.unreadable);
}
END_TEST

START_TEST(a_roster_tells_where_a_flat_name_ends)
{
    with_roster("id,name,email\nann,Ann Lee,a.lee@x.edu\nann_lee,B,\nbob,C,\nC3,D,\n");
    put("ann_coalescing.cu"), put("ANN_lee.cu"), put("ann_lee_lesson3.cu"), put("a.lee.cu");
    put("bob-x.cu"), put("c3.cu"), put("hw1-c3.cu"), put("Ann-Lee.cu"), put("dan_x.cu");
    lists("C3 <c3.cu>\nC3 <hw1-c3.cu>\nann <Ann-Lee.cu>\nann <a.lee.cu>\nann <ann_coalescing.cu>\n"
          "ann_lee <ANN_lee.cu>\nann_lee <ann_lee_lesson3.cu>\nbob <bob-x.cu>\ndan_x <dan_x.cu>\n");
    remark("ann_coalescing.cu", "taken for that of ann, since its name begins so");
    no_remark("ann_lee_lesson3.cu");
    no_remark("hw1-c3.cu");
}
END_TEST

START_TEST(folders_are_named_after_their_students)
{
    put("ann/coalescing.cu"), put("ann/README.md"), put("bob/exercises/01_coalescing/x.cu");
    lists("ann <ann/README.md> OUT\nann <ann/coalescing.cu>\nbob "
          "<bob/exercises/01_coalescing/x.cu>\n");
    problem("ann/README.md", " is no .cu file, and is left out");
}
END_TEST

START_TEST(repositories_of_github_classroom_end_in_the_student)
{
    with_roster("id\nann\nbob-ray\n");
    put("hw-1-ann/x.cu"), put("hw-1-Bob-Ray/exercises/y.cu"), put("hw-1-dan/x.cu");
    put("hw_ann/x.cu");
    lists("ann <hw-1-ann/x.cu>\nbob-ray <hw-1-Bob-Ray/exercises/y.cu>\nhw-1-dan <hw-1-dan/x.cu>\n"
          "hw_ann <hw_ann/x.cu>\n");
}
END_TEST

START_TEST(gradescope_says_in_its_metadata_whose_a_submission_is)
{
    static const char METADATA[] = "submission_9:\n  :submitters:\n  - :name: Ann Lee\n"
                                   "    :sid: '7'\n    :email: ann@x.edu\n"
                                   "submission_10:\n  :submitters:\n  - :name: Bob\n"
                                   "    :email: bob@x.edu\n  - :name: Cid\n    :sid: cid\n";
    put("submission_9/x.cu"), put("submission_10/y.cu"), put("submission_11/z.cu");
    put("submission_metadata.yml");
    ck_assert(file_write(in_class("submission_metadata.yml").text, METADATA, strlen(METADATA)));
    lists("7 <submission_9/x.cu>\nbob@x.edu <submission_10/y.cu>\ncid <submission_10/y.cu>\n"
          "submission_11 <submission_11/z.cu>\n");
    remark("submission_10/y.cu", "handed in by a group of 2");
    with_roster("id,email,name\nann,ann@x.edu,Z\nbob,,Bob\nCID,,\n");
    lists("CID <submission_10/y.cu>\nann <submission_9/x.cu>\nbob <submission_10/y.cu>\n"
          "submission_11 <submission_11/z.cu>\n");
}
END_TEST

START_TEST(canvas_tells_students_by_number)
{
    put("leeann_123_45_x.cu"), put("leeann_LATE_123_46_x-1.cu"), put("raybob_124_47_x.cu");
    lists("leeann <leeann_123_45_x.cu>\nleeann <leeann_LATE_123_46_x-1.cu>\n"
          "raybob <raybob_124_47_x.cu>\n");
    remark("leeann_LATE_123_46_x-1.cu", "LATE, says Canvas");
    with_roster("Student,ID,SIS User ID,SIS Login ID\n\"Ray, Bob\",123,,bray\n"
                "\"Lee, Ann\",9,,alee\n");
    lists("bray <leeann_123_45_x.cu>\nbray <leeann_LATE_123_46_x-1.cu>\n"
          "raybob <raybob_124_47_x.cu>\n");
    remark("raybob_124_47_x.cu", "whose Canvas id is another: 123");
    roster_free(&roster);
    with_roster("id,name\nbray,Bob Ray\nalee,Ann Lee\n");
    lists("alee <leeann_123_45_x.cu>\nalee <leeann_LATE_123_46_x-1.cu>\n"
          "bray <raybob_124_47_x.cu>\n");
}
END_TEST

START_TEST(moodle_tells_students_by_name_or_participant)
{
    put("Ann Lee_123_assignsubmission_file_/x.cu"), put("Bob_124_assignsubmission_file_y.cu");
    lists("Ann Lee <Ann Lee_123_assignsubmission_file_/x.cu>\n"
          "Bob <Bob_124_assignsubmission_file_y.cu>\n");
    with_roster("Identifier,Full name\nParticipant 124,Zoe\nann,\"Lee, Ann\"\n");
    lists("Participant 124 <Bob_124_assignsubmission_file_y.cu>\n"
          "ann <Ann Lee_123_assignsubmission_file_/x.cu>\n");
}
END_TEST

START_TEST(layouts_can_be_mixed)
{
    with_roster("id,name\nann,Ann Lee\nbob,Bob Ray\ncid,\n");
    put("ann.cu"), put("Bob Ray_1_assignsubmission_file_/x.cu"), put("hw-cid/y.cu");
    put("leeann_5_6_z.cu"), put("dan.cu");
    lists("ann <ann.cu>\nann <leeann_5_6_z.cu>\nbob <Bob Ray_1_assignsubmission_file_/x.cu>\n"
          "cid <hw-cid/y.cu>\ndan <dan.cu>\n");
}
END_TEST

START_TEST(exports_in_folders_of_their_own_are_looked_into)
{
    put("lesson1/leeann_1_2_x.cu"), put("lesson1/raybob_3_4_x.cu"), put("lesson2/leeann_1_5_x.cu");
    lists("leeann <lesson1/leeann_1_2_x.cu>\nleeann <lesson2/leeann_1_5_x.cu>\n"
          "raybob <lesson1/raybob_3_4_x.cu>\n");
    no_remark("lesson1/leeann_1_2_x.cu");
    no_remark("lesson2/leeann_1_5_x.cu");
}
END_TEST

START_TEST(names_inside_a_students_folder_are_not_those_of_students)
{
    with_roster("id\nann\nbob\n");
    put("ann/bob.cu"), put("ann/leebob_1_2_x.cu"), put("eve/bob.cu"), put("eve/bob/y.cu");
    lists("ann <ann/bob.cu>\nann <ann/leebob_1_2_x.cu>\neve <eve/bob.cu>\neve <eve/bob/y.cu>\n");
}
END_TEST

START_TEST(with_a_roster_the_only_folder_may_be_that_of_the_class)
{
    with_roster("id\nann\nbob\n");
    put("class/hw/ann.cu"), put("class/hw/bob/x.cu");
    lists("ann <class/hw/ann.cu>\nbob <class/hw/bob/x.cu>\n");
}
END_TEST

START_TEST(a_folder_whose_name_fits_two_students_is_no_wrapper)
{
    with_roster("id,email\nann,\nbob,b@x.edu\nben,b@y.edu\n");
    put("b/ann.cu"), put("b/bob.cu");
    lists("b <b/ann.cu>\nb <b/bob.cu>\n");
}
END_TEST

/* --- Doubt ------------------------------------------------------------------------------------ */

START_TEST(a_name_that_fits_two_students_is_neithers)
{
    with_roster("id,name,email\nann,Ann Lee,\nlee,Lee Ann,\nbob,,b@x.edu\nben,,b@y.edu\n");
    put("Ann Lee.cu"), put("b.cu"), put("ann-lee.cu");
    lists("Ann Lee <Ann Lee.cu>\nann-lee <ann-lee.cu>\nb <b.cu>\n");
    remark("Ann Lee.cu", "fits both");
    remark("b.cu", "fits both bob and ben of the roster, so it is taken for neither's");
    remark("ann-lee.cu", "fits both");
}
END_TEST

START_TEST(namesakes_in_one_export_stay_apart)
{
    put("Ann Lee_1_assignsubmission_file_/x.cu"), put("Ann Lee_2_assignsubmission_file_/x.cu");
    lists("Ann Lee_1 <Ann Lee_1_assignsubmission_file_/x.cu>\n"
          "Ann Lee_2 <Ann Lee_2_assignsubmission_file_/x.cu>\n");
    remark("Ann Lee_1_assignsubmission_file_/x.cu", "several students have this name");
    with_roster("id,name\nann,Ann Lee\n"); /* which of them? */
    lists("Ann Lee_1 <Ann Lee_1_assignsubmission_file_/x.cu>\n"
          "Ann Lee_2 <Ann Lee_2_assignsubmission_file_/x.cu>\n");
}
END_TEST

START_TEST(one_participant_has_a_number_of_its_own_in_each_export_of_moodle)
{
    put("one/Ann Lee_1_assignsubmission_file_/x.cu");
    put("two/Ann Lee_2_assignsubmission_file_/x.cu");
    lists("Ann Lee <one/Ann Lee_1_assignsubmission_file_/x.cu>\n"
          "Ann Lee <two/Ann Lee_2_assignsubmission_file_/x.cu>\n");
}
END_TEST

START_TEST(anonymous_students_of_canvas_stay_apart)
{
    put("anon_1_2_x.cu"), put("anon_3_4_x.cu");
    lists("anon_1 <anon_1_2_x.cu>\nanon_3 <anon_3_4_x.cu>\n");
}
END_TEST

START_TEST(a_file_that_was_handed_in_again_says_so)
{
    put("leeann_1_2_x.cu"), put("leeann_1_3_x-1.cu"), put("leeann_1_4_y.cu");
    set_time("leeann_1_3_x-1.cu", 1000);
    put("bob.cu"), put("bob.CU");
    set_time("bob.cu", 2000), set_time("bob.CU", 1000);
    put("cid.cu"), put("cid.CU");
    set_time("cid.cu", 1000), set_time("cid.CU", 1000);
    collect();
    ck_assert_uint_eq(handed_in.count, 7);
    no_remark("leeann_1_2_x.cu");
    remark("leeann_1_3_x-1.cu", "also handed in as leeann_1_2_x.cu: this is the later one, says C");
    no_remark("leeann_1_4_y.cu");
    no_remark("bob.CU");
    remark("bob.cu", "also handed in as bob.CU: this is the later one by its time of modification");
    remark("cid.cu", "which of them is later is not known");
}
END_TEST

START_TEST(names_that_differ_in_case_are_told)
{
    put("ann.cu"), put("Ann_lesson2.cu");
    lists("Ann <Ann_lesson2.cu>\nann <ann.cu>\n");
    remark("ann.cu", "differs from that of Ann only in case");
}
END_TEST

/* --- What is not a submission, and what cannot be read ---------------------------------------- */

START_TEST(hidden_and_other_files_are_left_out_by_name)
{
    with_roster("id\nann\n");
    put("._mac.cu"), put(".DS_Store"), put("__MACOSX/x.cu"), put("ann/.git/config.cu");
    put("ann.cu.txt"), put("notes.pdf"), put("ann.tar.gz"), put("ann.cu");
    lists(" <.DS_Store> OUT\n <._mac.cu> OUT\n <__MACOSX> OUT\n <notes.pdf> OUT\n"
          "ann <ann.cu>\nann <ann.cu.txt> OUT\nann <ann.tar.gz> OUT\nann <ann/.git> OUT\n");
    problem("._mac.cu", " is hidden, and is left out");
    problem("ann/.git", " is a hidden folder, and is left out");
    remark("ann.cu.txt", "this may be a .cu file");
    problem("ann.tar.gz", " is an archive that is not a zip file");
}
END_TEST

START_TEST(links_are_bad_and_not_followed)
{
    put("ann/x.cu");
    ck_assert_int_eq(symlink("/etc/passwd", in_class("bob.cu").text), 0);
    ck_assert_int_eq(symlink("ann", in_class("cid").text), 0);
    ck_assert_int_eq(symlink("nowhere", in_class("dan.cu").text), 0);
    ck_assert_int_eq(symlink(".", in_class("ann/loop").text), 0);
    ck_assert_int_eq(symlink("ann.zip", in_class("eve.zip").text), 0);
    lists("ann <ann/loop> BAD\nann <ann/x.cu>\nbob <bob.cu> BAD\ncid <cid> BAD\ndan <dan.cu> BAD\n"
          "eve <eve.zip> BAD\n");
    problem("bob.cu", " is a symbolic link: hand in the file itself");
    ck_assert(!handed_in.unreadable);
}
END_TEST

START_TEST(what_is_no_regular_file_is_bad_and_not_opened)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "bob.cu"};
    ck_assert_int_eq(mkfifo(in_class("ann.cu").text, 0666), 0);
    ck_assert_int_eq(chdir(class.text), 0);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    lists("ann <ann.cu> BAD\nbob <bob.cu> BAD\n");
    close(fd);
    problem("ann.cu", " is not a regular file");
}
END_TEST

/* Root may read everything. */
static void become_somebody(void)
{
    ck_assert_int_eq(chmod(above, 0755), 0);
    ck_assert(geteuid() != 0 || seteuid(65534) == 0);
}

static void become_root_again(void)
{
    ck_assert(getuid() != 0 || seteuid(0) == 0);
}

START_TEST(what_may_not_be_read_blocks)
{
    put("ann.cu"), put("bob/x.cu"), put("cid.cu"), put("submission_metadata.yml");
    ck_assert_int_eq(chmod(in_class("ann.cu").text, 0), 0);
    ck_assert_int_eq(chmod(in_class("bob").text, 0), 0);
    become_somebody();
    lists("ann <ann.cu> BLOCKED\nbob <bob> BLOCKED\ncid <cid.cu>\n");
    become_root_again();
    problem("ann.cu", " cannot be read (Permission denied)");
    ck_assert(handed_in.unreadable);
    ck_assert_int_eq(chmod(in_class("bob").text, 0755), 0);
    ck_assert_int_eq(chmod(in_class("submission_metadata.yml").text, 0), 0);
    become_somebody();
    lists(" <submission_metadata.yml> BLOCKED\nann <ann.cu> BLOCKED\nbob <bob/x.cu>\ncid "
          "<cid.cu>\n");
    become_root_again();
    ck_assert(handed_in.unreadable);
}
END_TEST

START_TEST(empty_long_and_binary_files_are_left_to_the_check)
{
    put("ann.cu"), put("bob.cu"), put("cid.cu");
    ck_assert_int_eq(truncate(in_class("ann.cu").text, 0), 0);
    ck_assert_int_eq(truncate(in_class("bob.cu").text, 1 << 24), 0);
    ck_assert(file_write(in_class("cid.cu").text, "\0\xff", 2));
    lists("ann <ann.cu>\nbob <bob.cu>\ncid <cid.cu>\n");
}
END_TEST

START_TEST(our_own_results_among_the_hand_ins_are_left_out)
{
    put("ann.cu"), put("results/work/y.cu"), put("results/sources/ann.cu");
    unpack = path_of("%s/class/results/work", above);
    lists(" <results> OUT\nann <ann.cu>\n");
    problem("results", " is the grader's own folder");
}
END_TEST

START_TEST(folders_are_looked_into_to_a_depth)
{
    struct path path = path_of("ann");
    for (int i = 0; i < 14; i++)
        path = path_of("%s/d", path.text);
    put(path_of("%s/x.cu", path.text).text);
    put(path_of("%s/d/d/y.cu", path.text).text);
    collect();
    ck_assert_uint_eq(handed_in.count, 2);
    ck_assert_int_eq(handed_in.files[0].state, HANDED_IN_BAD);
    ck_assert_ptr_nonnull(strstr(handed_in.files[0].problem, "lies too many folders deep"));
    ck_assert_int_eq(handed_in.files[1].state, HANDED_IN);
}
END_TEST

START_TEST(a_folder_that_cannot_be_read_is_told)
{
    struct path missing = in_class("nowhere");
    put("ann.cu");
    ck_assert(
        !handed_in_collect(missing.text, unpack.text, NULL, &handed_in, reason, sizeof reason));
    ck_assert_msg(strstr(reason, "nowhere cannot be read: No such file or directory") != NULL,
                  "says: %s", reason);
    ck_assert(!handed_in_collect(in_class("ann.cu").text, unpack.text, NULL, &handed_in, reason,
                                 sizeof reason));
    ck_assert_msg(strstr(reason, "this is not a folder") != NULL, "says: %s", reason);
    ck_assert_uint_eq(handed_in.count, 0);
}
END_TEST

START_TEST(an_empty_folder_has_no_hand_ins)
{
    lists("");
    ck_assert(!handed_in.unreadable);
}
END_TEST

/* --- Hostile names ---------------------------------------------------------------------------- */

START_TEST(names_are_clean_and_different_ones_have_different_ids)
{
    static const char *const NAMES[] = {"a\nb.cu",
                                        "a\x1b[2Jb.cu",
                                        "\xE2\x80\xAE"
                                        "cba.cu",
                                        "\xff.cu",
                                        "\xfe.cu",
                                        "=1+1.cu",
                                        "-rf.cu",
                                        "$(id).cu",
                                        " .cu",
                                        "a,\"b.cu",
                                        "%n.cu"};
    enum { COUNT = sizeof NAMES / sizeof *NAMES };
    char longest[256] = "";
    memset(longest, 'x', 252);
    strcat(longest, ".cu");
    put(longest);
    for (size_t i = 0; i < COUNT; i++)
        put(NAMES[i]);
    collect();
    ck_assert_uint_eq(handed_in.count, COUNT + 1);
    for (size_t i = 0; i < handed_in.count; i++) {
        const struct hand_in *file = &handed_in.files[i];
        const char *const texts[] = {file->student, file->shown};
        for (int j = 0; j < 2; j++) {
            ck_assert_ptr_null(strpbrk(texts[j], "\n\x1b\x7f\xff\xfe/"));
            ck_assert_ptr_null(strstr(texts[j], "\xE2\x80\xAE"));
            ck_assert_uint_gt(strlen(texts[j]), 0);
        }
        ck_assert(file_exists(file->path));
        if (i > 0)
            ck_assert_str_ne(file->student, handed_in.files[i - 1].student);
    }
}
END_TEST

START_TEST(ten_thousand_files_take_a_moment)
{
    struct timespec from, to;
    with_roster("id,name\nann,Ann\nbob,Bob\n");
    for (int i = 0; i < 10000; i++)
        put(path_of("student_%d.cu", i).text);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    collect();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    ck_assert_uint_eq(handed_in.count, 10000);
    ck_assert_int_le(to.tv_sec - from.tv_sec, MOST_WORK_SECONDS);
}
END_TEST

/* --- Zip files -------------------------------------------------------------------------------- */

#ifdef HAVE_LIBZIP

#include "tests/zip_of.h"

#define MAKE(name, ...) zip_of(in_class(name).text, (const struct zip_entry[]){__VA_ARGS__, {0}})

START_TEST(a_zip_file_next_to_others_is_a_students)
{
    put("bob.cu");
    MAKE("ann.zip", {"x.cu", "X"}, {"d/y.cu", "Y"}, {"d/n.txt", "N"});
    lists("ann <ann.zip/d/n.txt> OUT\nann <ann.zip/d/y.cu>\nann <ann.zip/x.cu>\nbob <bob.cu>\n");
    char *text = file_read(shown("ann.zip/d/y.cu")->path, 100, NULL);
    ck_assert_str_eq(text, "Y");
    free(text);
}
END_TEST

START_TEST(the_only_zip_file_is_that_of_the_class)
{
    MAKE("export.zip", {"ann.cu", "X"}, {"bob/y.cu", "Y"}, {"__MACOSX/a.cu", ""},
         {"__MACOSX/b.cu", ""});
    lists(" <export.zip/__MACOSX> OUT\nann <export.zip/ann.cu>\nbob <export.zip/bob/y.cu>\n");
    with_roster("id\nbob\n");
    lists(" <export.zip/__MACOSX> OUT\nann <export.zip/ann.cu>\nbob <export.zip/bob/y.cu>\n");
    roster_free(&roster);
    with_roster("id\nzoe\n");
    lists(" <export.zip/__MACOSX> OUT\nann <export.zip/ann.cu>\nbob <export.zip/bob/y.cu>\n");
    roster_free(&roster);
    with_roster("id\nexport\n");
    lists("export <export.zip/__MACOSX> OUT\nexport <export.zip/ann.cu>\n"
          "export <export.zip/bob/y.cu>\n");
}
END_TEST

START_TEST(a_folder_that_was_packed_as_a_whole_is_a_wrapper)
{
    MAKE("hw.zip", {"hw/ann.cu", "X"}, {"hw/bob.cu", "Y"});
    lists("ann <hw.zip/hw/ann.cu>\nbob <hw.zip/hw/bob.cu>\n");
}
END_TEST

START_TEST(exports_of_gradescope_and_canvas_are_found_in_zip_files)
{
    MAKE("a.zip", {"assignment_1_export/submission_9/x.cu", "X"},
         {"assignment_1_export/submission_metadata.yml",
          "submission_9:\n  :submitters:\n  - :sid: '7'\n"});
    MAKE("submissions.zip", {"leeann_1_2_x.cu", "X"}, {"raybob_3_4_y.cu", "Y"});
    put("bob.cu");
    lists("7 <a.zip/assignment_1_export/submission_9/x.cu>\nbob <bob.cu>\n"
          "leeann <submissions.zip/leeann_1_2_x.cu>\nraybob <submissions.zip/raybob_3_4_y.cu>\n");
}
END_TEST

START_TEST(zip_files_of_students_in_one_of_the_class_are_unpacked)
{
    MAKE("ann_inner.zip", {"x.cu", "X"}, {"deep.zip", "Z"});
    size_t bytes;
    char *inner = file_read(in_class("ann_inner.zip").text, 1 << 20, &bytes);
    unlink(in_class("ann_inner.zip").text);
    MAKE("all.zip", {"ann.zip", inner, bytes}, {"bob.zip", inner, bytes}, {"cid.zip", "no zip"});
    free(inner);
    lists("ann <all.zip/ann.zip/deep.zip> BAD\nann <all.zip/ann.zip/x.cu>\n"
          "bob <all.zip/bob.zip/deep.zip> BAD\nbob <all.zip/bob.zip/x.cu>\n"
          "cid <all.zip/cid.zip> BAD\n");
    problem("all.zip/cid.zip", " is no zip file");
    ck_assert(handed_in.unreadable);
}
END_TEST

START_TEST(flat_and_packed_the_later_one_says_so)
{
    put("ann.cu"), put("bob.cu");
    set_time("ann.cu", 1700000000);
    MAKE("ann.zip", {"ann/ann.cu", "X", 0, 0, 1600000000}, {"x.cu", "X"});
    lists("ann <ann.cu>\nann <ann.zip/ann/ann.cu>\nann <ann.zip/x.cu>\nbob <bob.cu>\n");
    remark("ann.cu", "also handed in as ann.zip/ann/ann.cu: this is the later one by its time");
    no_remark("ann.zip/ann/ann.cu");
}
END_TEST

START_TEST(bad_entries_stay_with_their_student_and_lead_nowhere)
{
    with_roster("id\nann\nbob\n");
    MAKE("all.zip", {"ann/x.cu", "/etc", 0, S_IFLNK | 0777}, {"../bob/y.cu", "Y"}, {"bob.cu", "B"},
         {"ann/bob/../../../z.cu", "Z"}, {"ann//./w.cu", "W"});
    lists("ann <all.zip/ann/w.cu>\nann <all.zip/ann/x.cu> BAD\nbob <all.zip/bob.cu>\n"
          "y <all.zip/../bob/y.cu> BAD\nz <all.zip/ann/bob/../../../z.cu> BAD\n");
    problem("all.zip/../bob/y.cu", " has a path in its zip file that leads out of it");
}
END_TEST

START_TEST(folders_in_zip_files_are_looked_into_to_a_depth)
{
    MAKE("ann.zip", {"1/2/3/4/5/6/7/8/9/10/11/12/13/x.cu", "X"},
         {"1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/y.cu", "Y"});
    put("bob.cu");
    lists("ann <ann.zip/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/y.cu> BAD\n"
          "ann <ann.zip/1/2/3/4/5/6/7/8/9/10/11/12/13/x.cu>\nbob <bob.cu>\n");
}
END_TEST

START_TEST(names_of_any_length_in_zip_files_take_a_moment)
{
    enum { LENGTH = 60000, FILES = 20 };
    struct zip_entry entries[FILES + 1] = {0};
    struct timespec from, to;
    char *names[FILES];
    with_roster("id\n-\nann\n");
    for (int i = 0; i < FILES; i++) {
        names[i] = malloc(LENGTH);
        memset(names[i], '-', LENGTH);
        sprintf(names[i] + LENGTH - 10, "%d.cu", i);
        entries[i] = (struct zip_entry){names[i], "X"};
    }
    zip_of(in_class("all.zip").text, entries);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    collect();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    ck_assert_uint_eq(handed_in.count, FILES);
    ck_assert_int_le(to.tv_sec - from.tv_sec, MOST_WORK_SECONDS);
    for (int i = 0; i < FILES; i++)
        free(names[i]);
}
END_TEST

START_TEST(a_zip_file_of_the_class_that_is_too_much_is_no_students)
{
    enum { BYTES = 256 * 1024, FILES = 30 };
    struct zip_entry entries[FILES + 1] = {0};
    static char names[FILES][8];
    char *text = malloc(BYTES);
    memset(text, 'x', BYTES);
    for (int i = 0; i < FILES; i++) {
        sprintf(names[i], "%d.cu", i);
        entries[i] = (struct zip_entry){names[i], text, BYTES};
    }
    zip_of(in_class("all.zip").text, entries);
    free(text);
    collect();
    ck_assert_str_eq(shown("all.zip")->student, "");
    problem("all.zip", " becomes more than 100 times as large");
    ck_assert(handed_in.unreadable);
    ck_assert_uint_gt(handed_in.count, 1);
}
END_TEST

START_TEST(a_zip_file_that_may_not_be_unpacked_blocks)
{
    put("bob.cu");
    MAKE("ann.zip", {"x.cu", "X"});
    unpack = path_of("%s/nowhere", above);
    lists("ann <ann.zip> BLOCKED\nbob <bob.cu>\n");
    problem("ann.zip", " cannot be unpacked (No such file or directory)");
    ck_assert(handed_in.unreadable);
}
END_TEST

#define ZIP_TESTS                                                                      \
    , a_zip_file_next_to_others_is_a_students, the_only_zip_file_is_that_of_the_class, \
        a_folder_that_was_packed_as_a_whole_is_a_wrapper,                              \
        exports_of_gradescope_and_canvas_are_found_in_zip_files,                       \
        zip_files_of_students_in_one_of_the_class_are_unpacked,                        \
        flat_and_packed_the_later_one_says_so,                                         \
        bad_entries_stay_with_their_student_and_lead_nowhere,                          \
        folders_in_zip_files_are_looked_into_to_a_depth,                               \
        names_of_any_length_in_zip_files_take_a_moment,                                \
        a_zip_file_of_the_class_that_is_too_much_is_no_students,                       \
        a_zip_file_that_may_not_be_unpacked_blocks

#else

START_TEST(without_libzip_zip_files_block)
{
    put("ann.zip"), put("bob.cu");
    lists("ann <ann.zip> BLOCKED\nbob <bob.cu>\n");
    problem("ann.zip", "install libzip-dev");
    ck_assert(handed_in.unreadable);
}
END_TEST

#define ZIP_TESTS , without_libzip_zip_files_block

#endif

TESTS_WITH(start, clean_up, "handed_in", flat_files_are_named_after_their_students,
           a_roster_tells_where_a_flat_name_ends, folders_are_named_after_their_students,
           repositories_of_github_classroom_end_in_the_student,
           gradescope_says_in_its_metadata_whose_a_submission_is, canvas_tells_students_by_number,
           moodle_tells_students_by_name_or_participant, layouts_can_be_mixed,
           exports_in_folders_of_their_own_are_looked_into,
           names_inside_a_students_folder_are_not_those_of_students,
           with_a_roster_the_only_folder_may_be_that_of_the_class,
           a_folder_whose_name_fits_two_students_is_no_wrapper,
           a_name_that_fits_two_students_is_neithers, namesakes_in_one_export_stay_apart,
           one_participant_has_a_number_of_its_own_in_each_export_of_moodle,
           anonymous_students_of_canvas_stay_apart, a_file_that_was_handed_in_again_says_so,
           names_that_differ_in_case_are_told, hidden_and_other_files_are_left_out_by_name,
           links_are_bad_and_not_followed, what_is_no_regular_file_is_bad_and_not_opened,
           what_may_not_be_read_blocks, empty_long_and_binary_files_are_left_to_the_check,
           our_own_results_among_the_hand_ins_are_left_out, folders_are_looked_into_to_a_depth,
           a_folder_that_cannot_be_read_is_told, an_empty_folder_has_no_hand_ins,
           names_are_clean_and_different_ones_have_different_ids,
           ten_thousand_files_take_a_moment ZIP_TESTS)
