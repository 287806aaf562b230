/* check_again_claims.c - a claim that takes no points is found wherever an outcome has it, and
 * changed. */
#include "check/again_claims.h"

#include "check/record.h"
#include "tests/check_main.h"

#include <string.h>

static json_t *outcome(const char *text)
{
    json_error_t error;
    json_t *object = json_loads(text, 0, &error);
    ck_assert_msg(object != NULL, "%s", error.text);
    return object;
}

START_TEST(claims_are_found_in_stages_and_in_their_cases)
{
    static const char *const CLAIMS[] = {
        "{\"verdict\": \"DEVICE\"}", "{\"verdict\": \"INTERNAL\"}",
        "{\"safety\": {\"verdict\": \"PASS\"}, \"numerics\": {\"verdict\": \"DEVICE\"}}",
        "{\"cases\": [{\"verdict\": \"SLOW\"}, {\"verdict\": \"INTERNAL\"}]}",
        "{\"timing\": {\"cases\": [{\"verdict\": \"DEVICE\"}]}}"};
    for (size_t i = 0; i < sizeof CLAIMS / sizeof *CLAIMS; i++) {
        json_t *object = outcome(CLAIMS[i]);
        ck_assert_msg(again_claim_in(object) != NULL, "%s", CLAIMS[i]);
        json_decref(object);
    }
}
END_TEST

START_TEST(what_a_submission_gets_for_itself_is_no_claim)
{
    json_t *object = outcome("{\"safety\": {\"verdict\": \"RACE\"}, \"timing\": {\"cases\": "
                             "[{\"verdict\": \"INCONCLUSIVE\"}]}, \"cases\": 5}");
    ck_assert_ptr_null(again_claim_in(object));
    ck_assert_ptr_null(again_doubt_in(object));
    json_decref(object);
}
END_TEST

START_TEST(blame_leaves_nothing_that_takes_no_points)
{
    json_t *object = outcome("{\"verdict\": \"DEVICE\", \"reason\": \"no memory\", \"cases\": "
                             "[{\"verdict\": \"INTERNAL\", \"reason\": \"r\"}]}");
    again_blame(object);
    ck_assert_ptr_null(again_claim_in(object));
    ck_assert_int_eq(record_verdict(object), VERDICT_DISTURBS);
    ck_assert_str_eq(record_text(object, "reason"), "no memory; without it the machine works");
    json_decref(object);
}
END_TEST

START_TEST(one_that_was_starved_is_not_to_blame)
{
    json_t *object = outcome("{\"cases\": [{\"verdict\": \"DEVICE\", \"reason\": \"r\"}, "
                             "{\"verdict\": \"DEVICE\", \"reason\": \"r\", \"starved\": 1}]}");
    again_blame(object);
    json_t *cases = json_object_get(object, "cases");
    ck_assert_int_eq(record_verdict(json_array_get(cases, 0)), VERDICT_DISTURBS);
    ck_assert_int_eq(record_verdict(json_array_get(cases, 1)), VERDICT_DEVICE);
    json_decref(object);
}
END_TEST

/* Nobody is to blame for a process that had no chance. */
START_TEST(an_excuse_turns_what_is_doubtful_into_the_machines_fault)
{
    json_t *object = outcome("{\"safety\": {\"verdict\": \"EARLY_EXIT\", \"reason\": \"ended\"}}");
    ck_assert_ptr_nonnull(again_doubt_in(object));
    again_excuse(object);
    ck_assert_int_eq(record_verdict(json_object_get(object, "safety")), VERDICT_DEVICE);
    json_decref(object);
}
END_TEST

TESTS("again_claims", claims_are_found_in_stages_and_in_their_cases,
      what_a_submission_gets_for_itself_is_no_claim, blame_leaves_nothing_that_takes_no_points,
      one_that_was_starved_is_not_to_blame,
      an_excuse_turns_what_is_doubtful_into_the_machines_fault)
