/* global_races.h - what lines of global memory remember of a launch's accesses.
 *
 * A line is 128 bytes. Each access of a warp leaves marks in the lines it touches: a mark tells
 * which bytes, read or written how, by which lanes of which warp of which block, and when (the
 * warp's time of clocks.h). Most lines have one or two, which lie in the line itself.
 *
 *     global_races.c    the observer, and the report at the launch's end
 *     global_pieces.c   an access as pieces, each within a line
 *     global_lines.c    where lines are kept
 *     global_pool.c     what memory they are kept in, from launch to launch
 *     global_mark.h     a mark; what two of them have in common
 *     global_known.c    do the marks of a line tell of a load already?
 *     global_marks.c    a piece meets the marks of a line, and leaves one
 *     global_list.c     the marks of a line, in their order
 *     global_values.c   what a store changes
 *     global_thin.c     which marks a line keeps
 *     global_judge.c    do two accesses race, and is it harmless?
 *     grid_order.c      what orders accesses of different blocks
 */
#ifndef SIM_GLOBAL_RACES_H
#define SIM_GLOBAL_RACES_H

#include "global_mark.h"
#include "grid_order.h"
#include "races.h"

enum { MOST_MARKS = 256, PAGE_LINES = 64 };

enum { LINE_MARKS = 2, LINE_RACED = 1, LINE_REMARKED = 2 };

struct more_marks {
    uint32_t count, room;
    struct more_marks *older; /* which another worker may still look at */
    struct mark mark[];
};

struct line {
    _Alignas(64) uint16_t sequence; /* odd while a worker changes it */
    uint8_t state;                  /* LINE_RACED, LINE_REMARKED */
    uint8_t launch;                 /* of which the rest tells; see global_pool.c */
    uint32_t released;              /* the latest fence that writers of the line had passed */
    struct more_marks *more;
    struct mark first[LINE_MARKS];
};
_Static_assert(sizeof(struct line) == 64, "a line is one cache line of the simulating machine");

/* The bytes of an access that lie in one line and belong to lanes in one way. */
struct piece {
    int32_t line; /* from the line of the access's base */
    uint32_t words, lanes;
    int16_t start;
    uint8_t layout;
};

struct piece_list {
    uint32_t age, offset, bytes; /* of the shape, of the base in its line; of a lane */
    uint32_t count;              /* of pieces */
    struct piece piece[2 * WARP_LANES];
};

/* What a site remembers of its accesses: see site.h. There are two lists, since an access that goes
 * along a row by half lines falls into each line in two ways. */
struct pieces {
    struct piece_list list[2];
    struct area *area;
    uint32_t what; /* enum mark_what of the site's op */
};

struct area {                     /* the lines of one allocation, which a kernel may have freed */
    struct area *next;            /* of all of the launch */
    struct area *same;            /* the next one in its bucket */
    uint64_t address, size_bytes; /* the allocation's */
    size_t page_count;
    struct line **pages; /* NULL where no access fell yet */
    unsigned char *made; /* a byte for so many of them: is any there? */
};

/* One of two accesses that race, as the report tells it. */
struct party {
    uint32_t op, block, warp, lane, what;
};

struct finding {
    bool found;
    bool is_remark;
    uint64_t address; /* the lowest byte of both */
    struct party first, second;
};

struct global_races {
    struct grid_order *order; /* NULL when nothing orders blocks */
    struct area *areas;
    struct area **buckets;           /* the areas by address: a kernel may allocate a great many */
    size_t area_count, bucket_count; /* buckets: a power of two, or 0 */
    pthread_mutex_t lock;            /* areas, findings */
    bool shares_lines;               /* several workers use the lines */
    uint32_t launch;                 /* its number: global_pool.c */
    bool is_short;   /* memory ran out: some lines were not watched; unread so far */
    bool has_more;   /* some line has more marks than lie in it */
    bool any_marked; /* the state of some line says that blocks race there */
    /* Of threads of one block: the lowest block's first. Where blocks are ordered, of any. */
    struct finding race, remark;
    struct sim_fault remarked; /* what the launch's remark says, when it is over */
};

/* Workers may say so at the same time. */
static inline void global_races_short(struct global_races *races)
{
    __atomic_store_n(&races->is_short, true, __ATOMIC_RELAXED);
}

/* --- global_pieces.c -------------------------------------------------------------------------- */

/* The pieces of an access, in order of lanes. site->pieces exists. */
const struct piece_list *pieces_make(const struct access *access, struct site *site);

/* --- global_lines.c --------------------------------------------------------------------------- */

struct area *area_of(struct launch *launch, const struct allocation *allocation);
void areas_free(struct launch *launch);
/* A page of lines at its place in the area; NULL when memory is exhausted. */
struct line *page_new(struct launch *launch, const struct area *area, struct line **place);

/* The line with that byte of the area's allocation, if an access fell into its page. */
static inline struct line *line_in_page(const struct area *area, uint64_t offset)
{
    uint64_t line = offset / LINE_BYTES;
    struct line *page = __atomic_load_n(&area->pages[line / PAGE_LINES], __ATOMIC_ACQUIRE);
    return page ? &page[line % PAGE_LINES] : NULL;
}

/* The same; NULL when memory is exhausted. */
static inline struct line *line_at(struct launch *launch, const struct area *area, uint64_t offset)
{
    uint64_t line = offset / LINE_BYTES;
    struct line *found = line_in_page(area, offset), *page;
    if (found)
        return found;
    page = page_new(launch, area, &area->pages[line / PAGE_LINES]);
    return page ? &page[line % PAGE_LINES] : NULL;
}

/* Is what the line holds of that launch? */
static inline bool line_is_of(const struct line *line, uint32_t launch)
{
    return __atomic_load_n(&line->launch, __ATOMIC_RELAXED) == (uint8_t)(1 + launch % UINT8_MAX);
}

/* What an older launch left is forgotten. */
static inline void line_forget(struct line *line, uint32_t launch)
{
    uint8_t number = (uint8_t)(1 + launch % UINT8_MAX); /* 0 is of none */
    __atomic_store_n(&line->launch, number, __ATOMIC_RELAXED);
    line->state = 0;
    line->released = 0;
    __atomic_store_n(&line->more, NULL, __ATOMIC_RELAXED);
    for (int i = 0; i < LINE_MARKS; i++)
        mark_remove(&line->first[i]);
}

/* No other worker changes the line until line_unlock. A worker that reads the line meanwhile and
 * sees any of the changes sees the odd sequence as well: that is what the fence is for. */
static inline void line_lock(struct line *line, bool is_shared)
{
    while (is_shared) {
        uint16_t before = __atomic_load_n(&line->sequence, __ATOMIC_RELAXED);
        if (before % 2 == 0 &&
            __atomic_compare_exchange_n(&line->sequence, &before, (uint16_t)(before + 1), true,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            __atomic_thread_fence(__ATOMIC_RELEASE);
            return;
        }
    }
}

static inline void line_unlock(struct line *line, bool is_shared)
{
    if (is_shared)
        __atomic_store_n(&line->sequence, (uint16_t)(line->sequence + 1), __ATOMIC_RELEASE);
}

/* --- global_list.c ---------------------------------------------------------------------------- */

/* Marks of a line that are looked at, and new ones, in the line's order. A piece is the concern of
 * those that touch its words, which in most kernels are few of many: a kernel that reads columns
 * leaves a mark for each warp, or each word. */
struct chosen {
    uint32_t count;                   /* of those below */
    uint32_t extent, all;             /* places of the line up to the last mark; marks in them */
    struct mark mark[MOST_MARKS + 2]; /* new: the words that change, and those that stay */
    uint16_t place[MOST_MARKS + 2];   /* in the line; NEW_MARK */
};

enum { NEW_MARK = UINT16_MAX };

/* All marks of the line, at most MOST_MARKS; their count. */
uint32_t line_marks(const struct line *line, struct mark *marks);
/* Those that touch any of the words. */
void line_choose(const struct line *line, uint32_t words, struct chosen *chosen);
/* A new mark, after all others or, by_block, after those of its and lower blocks. */
void chosen_add(struct chosen *chosen, const struct mark *mark, bool by_block);
/* Puts the chosen marks back; those without words are removed. False when there is no room. */
bool line_keep(struct line *line, const struct chosen *chosen, bool by_block);

/* --- global_pool.c ---------------------------------------------------------------------------- */

/* The number of a launch that begins. */
uint32_t line_pool_begin(struct line_pool *pool);
/* A page of lines; NULL when memory is exhausted. */
struct line *line_pool_take(struct line_pool *pool);
void line_pool_give(struct line_pool *pool, struct line *page, uint32_t launch);

/* --- global_judge.c --------------------------------------------------------------------------- */

enum judgement { NO_RACE, HARMLESS, RACE };

/* Of two accesses of a byte that nothing orders; apart: of different blocks. same: the two stores
 * put the same value down. */
enum judgement judge_marks(const struct mark *a, const struct mark *b, bool apart, bool same);
/* Lanes that touch word of the mark. */
lane_mask mark_lanes_at(const struct mark *mark, uint32_t word);
/* Does a come before what me does now? If not, *lane and *other are lanes of me and a that race. */
bool mark_is_before(const struct access *access, const struct mark *a, const struct mark *me,
                    uint32_t *lane, uint32_t *other);

/* --- global_known.c --------------------------------------------------------------------------- */

/* Does the line tell of the load already, or of so many loads like it that it adds nothing? seen:
 * what me's warp has seen of each warp of its block. No other worker may change the line
 * meanwhile. */
bool line_knows(const struct line *line, const struct mark *me, const uint32_t *seen, bool by_rank);
/* The same, by rank, while others may change it: false if they did, since what was read may then be
 * meaningless. */
bool line_is_seen_to_know(const struct line *line, const struct mark *me, const uint32_t *seen);

/* --- global_marks.c --------------------------------------------------------------------------- */

/* What accesses of op are, without the bits that depend on values. */
uint32_t mark_what_of(const struct access *access);
/* A piece of an access at address, in line. False after a fault. */
bool marks_visit(const struct access *access, uint32_t what, const struct piece *piece,
                 struct line *line, uint64_t address);

/* --- global_values.c -------------------------------------------------------------------------- */

struct stored {
    uint32_t changed; /* words that another value is put into than was there */
    bool differs;     /* lanes store different values at one place */
};

/* The values of a store go where they belong; of any other op they are not known. address: of the
 * piece's line. */
struct stored marks_put_down(const struct access *access, const struct piece *piece,
                             uint64_t address);

/* --- global_thin.c ---------------------------------------------------------------------------- */

/* Removes from marks the words that other marks stand for. The marks are in order of blocks or,
 * with latest_first, of time. */
void marks_thin_out(struct mark *marks, uint32_t count, bool latest_first);

/* --- global_races.c --------------------------------------------------------------------------- */

/* Two accesses race, or are remarked. False when the launch ends here. */
bool global_races_found(struct launch *launch, const struct finding *finding);

/* --- global_report.c -------------------------------------------------------------------------- */

/* The first of the races, or remarks, that the lines' states tell of; found is false if none. */
struct finding report_find(const struct launch *launch, bool is_remark);
/* What is told of a finding. */
void report_tell(const struct launch *launch, const struct finding *finding,
                 struct sim_fault *fault);

#endif
