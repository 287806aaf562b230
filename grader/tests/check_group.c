/* check_group.c - a control group ends all that is in it, and has the limits it was given. */
#include "lib/group.h"
#include "lib/process.h"
#include "tests/check_main.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char above[] = "/tmp/warpquest-check-group-XXXXXX";

static void make_folder(void)
{
    strcpy(above + sizeof above - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(above));
}

static void remove_folder(void)
{
    folder_remove(above);
}

/* Not every machine lets us have one. */
static bool is_to_be_had(struct group *group)
{
    if (group_open(group, &(struct group_limits){.memory_bytes = 1 << 28, .tasks = 64}))
        return true;
    printf("not tried: no control group can be had on this machine\n");
    return false;
}

START_TEST(who_leaves_its_parents_ends_with_the_group)
{
    struct group group;
    int ends[2];
    pid_t last = 0;
    if (!is_to_be_had(&group))
        return;
    ck_assert_int_eq(pipe(ends), 0);
    char number[16];
    snprintf(number, sizeof number, "%d", ends[1]);
    const char *argv[] = {"sh", "-c", "setsid sh -c 'echo $$; exec sleep 100' & exit 0", NULL};
    struct process_spec spec = {.argv = argv, .group = group.folder.text, .fd_count = 2};
    spec.fds[0] = 0, spec.fds[1] = ends[1];
    pid_t pid = process_start(&spec);
    ck_assert_int_gt(pid, 0);
    close(ends[1]);
    FILE *said = fdopen(ends[0], "r");
    ck_assert_int_eq(fscanf(said, "%d", &last), 1);
    process_wait(pid, INT64_C(5000000000));
    ck_assert_int_eq(kill(last, 0), 0); /* it goes on */
    char folder[PATH_MAX];
    strcpy(folder, group.folder.text);
    group_close(&group);
    ck_assert(access(folder, F_OK) != 0);
    for (int i = 0; i < 1000 && kill(last, 0) == 0; i++)
        usleep(1000); /* whoever adopted it takes note of its end */
    fclose(said);
    ck_assert(access(path_of("/proc/%d/exe", (int)last).text, F_OK) != 0 ||
              readlink(path_of("/proc/%d/exe", (int)last).text, folder, 1) < 0);
}
END_TEST

START_TEST(groups_of_graders_that_are_no_more_go)
{
    struct group group, second;
    if (!is_to_be_had(&group))
        return;
    struct path left = path_of("%s/../warpquest-4194305-0", group.folder.text);
    ck_assert(mkdir(left.text, 0755) == 0); /* no process has a number past 2^22 */
    ck_assert(group_open(&second, &(struct group_limits){0}));
    ck_assert(access(left.text, F_OK) != 0);
    ck_assert(access(group.folder.text, F_OK) == 0);
    group_close(&second);
    group_close(&group);
}
END_TEST

/* A folder that is no control group's cannot be entered, and nothing is left in it. */
START_TEST(what_is_no_group_is_none)
{
    struct group group;
    ck_assert(!group_open_in(&group, above, &(struct group_limits){0}));
    ck_assert_int_eq(group.folder.text[0], '\0');
    ck_assert(!group_open_in(&group, "/nowhere", &(struct group_limits){0}));
    ck_assert_int_eq(rmdir(above), 0); /* it is empty */
}
END_TEST

TESTS_WITH(make_folder, remove_folder, "group", who_leaves_its_parents_ends_with_the_group,
           groups_of_graders_that_are_no_more_go, what_is_no_group_is_none)
