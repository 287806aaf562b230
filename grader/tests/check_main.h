/* check_main.h - what every test program ends with: a suite, its tests, an exit status.
 *
 *     TESTS("line", a_claim, another_claim)
 *     TESTS_WITH(open_bench, close_bench, "warp", ...)      called before and after each test
 *
 * A program whose tests are loops, or of several cases, has a main of its own that ends in
 * run_suite.
 */
#ifndef TESTS_CHECK_MAIN_H
#define TESTS_CHECK_MAIN_H

#include <check.h>
#include <stdlib.h>

enum { MOST_SECONDS = 120 }; /* a test takes one or two; a busy machine takes its time */

/* The exit status of the program. */
static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Tests end with NULL; open and close may be NULL. */
static inline int run_tests(const char *name, SFun open, SFun close, const TTest *const *tests)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, MOST_SECONDS);
    if (open)
        tcase_add_checked_fixture(tcase, open, close);
    for (; *tests; tests++)
        tcase_add_test(tcase, *tests);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}

#define TESTS(name, ...) TESTS_WITH(NULL, NULL, name, __VA_ARGS__)

#define TESTS_WITH(open, close, name, ...)                \
    int main(void)                                        \
    {                                                     \
        const TTest *const tests[] = {__VA_ARGS__, NULL}; \
        return run_tests(name, open, close, tests);       \
    }

#endif
