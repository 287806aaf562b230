/* check_timestamp.c - a time in ISO 8601, whatever the time zone. */
#include "lib/timestamp.h"

#include "tests/check_main.h"

START_TEST(a_time_is_written_in_utc)
{
    char text[TIMESTAMP_TEXT];
    ck_assert_int_eq(setenv("TZ", "Asia/Tokyo", 1), 0);
    tzset();
    ck_assert_str_eq(timestamp_of(0, text), "1970-01-01T00:00:00Z");
    ck_assert_str_eq(timestamp_of(1763632800, text), "2025-11-20T10:00:00Z");
}
END_TEST

TESTS("timestamp", a_time_is_written_in_utc)
