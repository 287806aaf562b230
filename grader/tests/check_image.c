/* check_image.c - every byte around a case's buffers is accounted for. */
#include "check/examine/image.h"

#include "tests/check_main.h"
#include "tests/course/tiny_judge.h"

#include <string.h>

TINY_JUDGE("00_twice", "PASS");
enum { X, OUT };

static struct image image;
static unsigned char *after;
static struct image_damage damage;

static void make(const struct judge_case *problem)
{
    ck_assert(image_make(&TINY, problem, 42, &image));
    image_poison(&image, IMAGE_POISON_NAN, 1);
    after = malloc(image.total_bytes);
    memcpy(after, image.bytes, image.total_bytes);
}

static void look(void)
{
    image_find_damage(&image, after, &damage);
}

static void clean_up(void)
{
    image_free(&image);
    free(after);
}

START_TEST(buffers_are_aligned_and_as_far_off_as_asked)
{
    make(&(struct judge_case){.size = {1000}, .offset_bytes = {0, 4}});
    ck_assert_uint_eq(image.part[X].offset % IMAGE_ALIGNMENT, 0);
    ck_assert_uint_eq(image.part[OUT].offset % IMAGE_ALIGNMENT, 4);
    ck_assert_uint_ge(image.part[X].offset, IMAGE_GUARD_BYTES);
    uint64_t end = image.part[X].offset + image.part[X].size_bytes;
    ck_assert_uint_ge(image.part[OUT].offset - end, IMAGE_GUARD_BYTES);
    clean_up();
}
END_TEST

START_TEST(a_timed_case_begins_its_buffers_at_pages)
{
    struct judge_case problem = {.size = {1000}, .offset_bytes = {0, 4}};
    image_layout(&TINY, &problem, IMAGE_PAGE_BYTES, &image);
    ck_assert_uint_eq(image.part[X].offset, IMAGE_PAGE_BYTES);
    ck_assert_uint_eq(image.part[OUT].offset, 2 * IMAGE_PAGE_BYTES + 4);
    ck_assert_uint_eq(image.total_bytes, 3 * IMAGE_PAGE_BYTES);
}
END_TEST

START_TEST(writing_the_output_alone_damages_nothing)
{
    make(&(struct judge_case){.size = {1000}});
    memset(after + image.part[OUT].offset, 7, image.part[OUT].size_bytes);
    look();
    ck_assert_int_eq(damage.kind, IMAGE_INTACT);
    clean_up();
}
END_TEST

START_TEST(one_byte_behind_the_output_is_seen_as_its_own)
{
    make(&(struct judge_case){.size = {1000}});
    after[image.part[OUT].offset + image.part[OUT].size_bytes] ^= 1;
    look();
    ck_assert_int_eq(damage.kind, IMAGE_GUARD_DAMAGED);
    ck_assert_uint_eq(damage.part, OUT);
    ck_assert(!damage.before);
    ck_assert_uint_eq(damage.distance_bytes, 0);
    clean_up();
}
END_TEST

START_TEST(one_element_before_the_output_is_seen_as_before_it)
{
    make(&(struct judge_case){.size = {1000}});
    after[image.part[OUT].offset - 4] ^= 1;
    look();
    ck_assert_int_eq(damage.kind, IMAGE_GUARD_DAMAGED);
    ck_assert_uint_eq(damage.part, OUT);
    ck_assert(damage.before);
    ck_assert_uint_eq(damage.distance_bytes, 4);
    clean_up();
}
END_TEST

START_TEST(a_changed_input_is_named_with_its_place)
{
    make(&(struct judge_case){.size = {1000}});
    after[image.part[X].offset + 40] ^= 1;
    look();
    ck_assert_int_eq(damage.kind, IMAGE_INPUT_CHANGED);
    ck_assert_uint_eq(damage.part, X);
    ck_assert_uint_eq(damage.distance_bytes, 40);
    clean_up();
}
END_TEST

START_TEST(an_output_that_shares_its_input_keeps_the_input_unpoisoned)
{
    make(&(struct judge_case){.size = {8}, .alias = 1 + X});
    ck_assert_uint_eq(image.part[OUT].offset, image.part[X].offset);
    ck_assert_uint_eq(image.part[OUT].home, X);
    float first;
    memcpy(&first, image.bytes + image.part[X].offset, sizeof first);
    ck_assert(first == first);
    memset(after + image.part[OUT].offset, 0, image.part[OUT].size_bytes);
    look();
    ck_assert_int_eq(damage.kind, IMAGE_INTACT);
    clean_up();
}
END_TEST

START_TEST(the_same_seed_makes_the_same_image_and_another_one_does_not)
{
    struct judge_case problem = {.size = {1000}};
    struct image again, other;
    make(&problem);
    ck_assert(image_make(&TINY, &problem, 42, &again));
    ck_assert(image_make(&TINY, &problem, 43, &other));
    const struct image_part *x = &image.part[X];
    ck_assert_mem_eq(image.bytes + x->offset, again.bytes + x->offset, x->size_bytes);
    ck_assert_mem_ne(image.bytes + x->offset, other.bytes + x->offset, x->size_bytes);
    ck_assert_mem_ne(image.bytes, other.bytes, IMAGE_GUARD_BYTES);
    image_free(&again);
    image_free(&other);
    clean_up();
}
END_TEST

START_TEST(a_case_of_no_elements_still_has_its_guards)
{
    make(&(struct judge_case){.size = {0}});
    after[image.part[OUT].offset] ^= 1;
    look();
    ck_assert_int_eq(damage.kind, IMAGE_GUARD_DAMAGED);
    clean_up();
}
END_TEST

START_TEST(poison_is_nan_or_large_and_finite_or_drawn)
{
    make(&(struct judge_case){.size = {8}});
    float value;
    memcpy(&value, image.bytes + image.part[OUT].offset, sizeof value);
    ck_assert(value != value);
    image_poison(&image, IMAGE_POISON_LARGE, 1);
    memcpy(&value, image.bytes + image.part[OUT].offset, sizeof value);
    ck_assert(value > 1e38f && value < INFINITY);
    float other[2];
    image_poison(&image, IMAGE_POISON_DRAWN, 1);
    memcpy(other, image.bytes + image.part[OUT].offset, sizeof other);
    ck_assert(fabsf(other[0]) <= 4 && fabsf(other[1]) <= 4 && other[0] != other[1]);
    image_poison(&image, IMAGE_POISON_DRAWN, 2);
    ck_assert(memcmp(other, image.bytes + image.part[OUT].offset, sizeof other) != 0);
    unsigned char half_bytes[2];
    memset(half_bytes, image_poison_byte(JUDGE_F16, IMAGE_POISON_LARGE), 2);
    ck_assert_double_eq(judge_element(half_bytes, JUDGE_F16, 0), 61280);
    clean_up();
}
END_TEST

START_TEST(a_case_is_in_place_if_an_output_is_an_input_as_well)
{
    struct image apart = {.count = 2, .part = {{.home = 0}, {.buffer.role = JUDGE_OUT, .home = 1}}};
    ck_assert(!image_is_in_place(&apart));
    apart.part[1].home = 0;
    ck_assert(image_is_in_place(&apart));
    apart.part[1] = (struct image_part){.buffer.role = JUDGE_INOUT, .home = 1};
    ck_assert(image_is_in_place(&apart));
}
END_TEST

TESTS("image", a_case_is_in_place_if_an_output_is_an_input_as_well,
      buffers_are_aligned_and_as_far_off_as_asked, a_timed_case_begins_its_buffers_at_pages,
      writing_the_output_alone_damages_nothing, one_byte_behind_the_output_is_seen_as_its_own,
      one_element_before_the_output_is_seen_as_before_it, a_changed_input_is_named_with_its_place,
      an_output_that_shares_its_input_keeps_the_input_unpoisoned,
      the_same_seed_makes_the_same_image_and_another_one_does_not,
      a_case_of_no_elements_still_has_its_guards, poison_is_nan_or_large_and_finite_or_drawn)
