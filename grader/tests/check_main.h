/* check_main.h - what every test program of the check ends with: one suite, its tests, an exit
 * status. */
#ifndef TESTS_CHECK_MAIN_H
#define TESTS_CHECK_MAIN_H

#include <check.h>
#include <stdlib.h>

enum { MOST_SECONDS = 120 }; /* a test takes one or two; a busy machine takes its time */

/* Run the tests of one case; ended by NULL. */
static inline int run_tests(const char *name, const TTest *const *tests)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, MOST_SECONDS);
    for (; *tests; tests++)
        tcase_add_test(tcase, *tests);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define TESTS(name, ...)                                                                        \
    int main(void)                                                                              \
    {                                                                                           \
        const TTest *const tests[] = {__VA_ARGS__, NULL};                                       \
        return run_tests(name, tests);                                                          \
    }

#endif
