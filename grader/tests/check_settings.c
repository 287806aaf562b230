/* check_settings.c - a class's bar counts for its lesson and its GPU, until it expires. */
#include "check/settings.h"

#include "check/record.h"
#include "tests/check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct course course;
static const time_t NOW = 1800000000;
enum { DAY = 24 * 60 * 60 };

static void open_folder(void)
{
    course.build = path_of("/tmp/check_settings.%d", getpid());
    ck_assert(folder_make(course.build.text));
}

static void close_folder(void)
{
    folder_remove(course.build.text);
}

static double bar_at(const char *device, const char *lesson, time_t when)
{
    json_t *settings = settings_of(&course, device, lesson, when);
    double bar = settings ? record_real(settings, "bar") : 0;
    json_decref(settings);
    return bar;
}

static void keep(const char *lesson, double bar, double delta)
{
    json_t *noise = json_pack("{s:f}", "noise", 0.002);
    ck_assert(settings_keep(&course, "NVIDIA H200", lesson, bar, delta, noise, NOW));
    json_decref(noise);
}

START_TEST(what_is_kept_counts_until_it_expires)
{
    keep("01_coalescing", 0.75, 0.06);
    ck_assert_double_eq(bar_at("NVIDIA H200", "01_coalescing", NOW), 0.75);
    const time_t end = NOW + SETTINGS_DAYS * DAY;
    ck_assert_double_eq(bar_at("NVIDIA H200", "01_coalescing", end - 1), 0.75);
    ck_assert_double_eq(bar_at("NVIDIA H200", "01_coalescing", NOW + SETTINGS_DAYS * DAY), 0);
}
END_TEST

START_TEST(other_lessons_and_other_gpus_have_their_own)
{
    keep("01_coalescing", 0.75, 0.06);
    keep("02_tiling", 0.6, 0.05);
    ck_assert_double_eq(bar_at("NVIDIA H200", "01_coalescing", NOW), 0.75);
    ck_assert_double_eq(bar_at("NVIDIA H200", "02_tiling", NOW), 0.6);
    ck_assert_double_eq(bar_at("NVIDIA H200", "03_divergence", NOW), 0);
    ck_assert_double_eq(bar_at("NVIDIA L4", "01_coalescing", NOW), 0);
}
END_TEST

START_TEST(what_cannot_be_a_bar_does_not_count)
{
    keep("01_coalescing", 0, 0.05);
    ck_assert_double_eq(bar_at("NVIDIA H200", "01_coalescing", NOW), 0);
    keep("01_coalescing", 0.8, 1.5);
    ck_assert_double_eq(bar_at("NVIDIA H200", "01_coalescing", NOW), 0);
    ck_assert(file_write(settings_file(&course, "NVIDIA H200").text, "{\"lessons\": 3", 13));
    ck_assert_double_eq(bar_at("NVIDIA H200", "01_coalescing", NOW), 0);
    keep("01_coalescing", 0.8, 0.05);
    ck_assert_double_eq(bar_at("NVIDIA H200", "01_coalescing", NOW), 0.8);
}
END_TEST

TESTS_WITH(open_folder, close_folder, "settings", what_is_kept_counts_until_it_expires,
           other_lessons_and_other_gpus_have_their_own, what_cannot_be_a_bar_does_not_count)
