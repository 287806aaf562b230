/* check_requests.c - the table of what a program may ask the device: requests.def. */
#include "simgpu/protocol.h"
#include "tests/check_main.h"

#include <string.h>

enum { OF_CONTROL = 1, ON_BROKEN = 2, ASKS = 4 };

static const struct {
    enum request_kind kind;
    const char *name;
    unsigned flags;
} ROWS[] = {
#define OTHER_REQUEST(name, meaning) {REQUEST_##name, #name, 0},
#define REQUEST(name, handler, flags, meaning) {REQUEST_##name, #name, flags},
#include "simgpu/requests.def"
};
enum { COUNT = sizeof ROWS / sizeof *ROWS };

/* A library and a device of two builds meet only if their numbers are the same. */
START_TEST(requests_are_numbered_in_the_order_of_the_table)
{
    ck_assert_int_eq(COUNT, REQUESTS);
    for (int i = 0; i < COUNT; i++)
        ck_assert_int_eq(ROWS[i].kind, i);
    ck_assert_int_eq(REQUEST_HELLO, 0);
}
END_TEST

/* A grader has to get its report of a program that has broken its context. */
START_TEST(control_is_answered_whatever_has_broken)
{
    for (int i = 0; i < COUNT; i++) {
        if (ROWS[i].flags & OF_CONTROL)
            ck_assert_msg(ROWS[i].flags & ON_BROKEN, "%s", ROWS[i].name);
        if (ROWS[i].flags & ASKS)
            ck_assert_msg(strstr(ROWS[i].name, "QUERY") != NULL, "%s", ROWS[i].name);
    }
}
END_TEST

TESTS("requests", requests_are_numbered_in_the_order_of_the_table,
      control_is_answered_whatever_has_broken)
