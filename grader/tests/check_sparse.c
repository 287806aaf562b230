/* check_sparse.c - maps that one launch hands on to the next. */
#include "sparse.h"
#include "tests/check_main.h"

#include <check.h>

enum { SMALL = 1 << 12, BYTES = 1 << 20, LARGE = 16 << 20 };

static struct sparse_store *store;

static void open_store(void)
{
    store = sparse_store_new();
    ck_assert_ptr_nonnull(store);
}

static void close_store(void)
{
    sparse_store_free(store);
}

START_TEST(the_smallest_that_is_large_enough_is_used_again)
{
    struct sparse_map large = sparse_take(store, LARGE), map = sparse_take(store, BYTES);
    ck_assert(large.memory && map.memory && sparse_wants(&large) && sparse_wants(&map));
    sparse_give(store, &large);
    sparse_give(store, &map);
    struct sparse_map again = sparse_take(store, BYTES / 2), other = sparse_take(store, BYTES / 2);
    ck_assert_ptr_eq(again.memory, map.memory);
    ck_assert_uint_eq(again.bytes, BYTES);
    ck_assert_ptr_eq(other.memory, large.memory);
    sparse_free(again.memory, again.bytes);
    sparse_free(other.memory, other.bytes);
}
END_TEST

START_TEST(one_that_is_small_or_takes_much_memory_is_not_kept)
{
    struct sparse_map small = sparse_take(store, SMALL), full = sparse_take(store, LARGE);
    ck_assert(small.memory && !sparse_wants(&small));
    full.resident = LARGE;
    ck_assert(full.memory && !sparse_wants(&full));
    sparse_free(small.memory, small.bytes);
    sparse_free(full.memory, full.bytes);
}
END_TEST

/* Three megabytes each: the eleventh would make it 33. */
START_TEST(no_more_is_kept_than_32_megabytes)
{
    enum { MAPS = 11 };
    struct sparse_map maps[MAPS], again;
    for (int i = 0; i < MAPS; i++)
        maps[i] = sparse_take(store, LARGE);
    for (int i = 0; i < MAPS; i++) {
        maps[i].resident = 3 << 20;
        sparse_give(store, &maps[i]);
    }
    for (int i = 0; i < MAPS; i++) {
        again = sparse_take(store, LARGE);
        ck_assert_uint_eq(again.resident, i < MAPS - 1 ? 3 << 20 : 0);
        sparse_free(again.memory, again.bytes);
    }
}
END_TEST

TESTS_WITH(open_store, close_store, "sparse", the_smallest_that_is_large_enough_is_used_again,
           one_that_is_small_or_takes_much_memory_is_not_kept, no_more_is_kept_than_32_megabytes)
