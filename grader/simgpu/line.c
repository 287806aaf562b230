/* line.c - sums and sentences of source lines. */
#include "line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)SIM_MENDS <= (int)SIMGPU_MENDS, "a line has room for each mend's gain");
_Static_assert((int)SIM_WAITS <= (int)SIMGPU_WAITS, "a line has room for each kind of wait");
_Static_assert((int)SIM_OP_CLASSES <= (int)SIMGPU_CLASSES, "a launch has room for each class");
_Static_assert((int)SIM_MENDS - (int)SIM_MEND_INSTRUCTIONS == (int)SIMGPU_FEWER &&
                   (int)SIM_SHARES == (int)SIMGPU_SHARES,
               "a launch has room for less of anything");

/* --- Sums ------------------------------------------------------------------------------------- */

void line_add_access(struct simgpu_access *to, const struct simgpu_access *from)
{
    if (from->requests == 0)
        return;
    if (to->requests == 0)
        to->neighbour_bytes = from->neighbour_bytes;
    else if (to->neighbour_bytes != from->neighbour_bytes)
        to->neighbour_bytes = 0;
#define ACCESS_COUNTER(name, memory, meaning) to->name += from->name;
#include "machine/access_counters.def"
}

void line_add(struct simgpu_line *to, const struct simgpu_line *from)
{
    to->warp_instructions += from->warp_instructions;
    to->fp64_instructions += from->fp64_instructions;
    to->lanes += from->lanes;
    to->lanes_on += from->lanes_on;
    to->branches += from->branches;
    to->divergent += from->divergent;
    to->barriers += from->barriers;
    to->spilled_words += from->spilled_words;
    for (int wait = 0; wait < SIM_WAITS; wait++)
        to->modelled_ns[wait] += from->modelled_ns[wait];
    for (int mend = 0; mend < SIM_MENDS; mend++)
        to->gain_ns[mend] += from->gain_ns[mend];
#define LINE_ACCESS(name, memory) line_add_access(&to->name, &from->name);
#include "machine/accesses.def"
}

int line_compare_places(const void *a, const void *b)
{
    const struct simgpu_place *x = &((const struct simgpu_line *)a)->place;
    const struct simgpu_place *y = &((const struct simgpu_line *)b)->place;
    int files = strcmp(x->file, y->file);
    return files ? files : (x->line > y->line) - (x->line < y->line);
}

struct simgpu_access line_memory(const struct simgpu_line *line)
{
    struct simgpu_access sum = line->global_load;
    line_add_access(&sum, &line->global_store);
    line_add_access(&sum, &line->global_atomic);
    line_add_access(&sum, &line->local);
    return sum;
}

struct simgpu_access line_shared(const struct simgpu_line *line)
{
    struct simgpu_access sum = line->shared_load;
    line_add_access(&sum, &line->shared_store);
    line_add_access(&sum, &line->shared_atomic);
    return sum;
}

uint64_t line_cost(const struct simgpu_line *line)
{
    return line->warp_instructions + line_memory(line).sectors + line_shared(line).wavefronts;
}

double line_time(const struct simgpu_line *line)
{
    double time_ns = 0;
    for (int wait = 0; wait < SIM_WAITS; wait++)
        time_ns += line->modelled_ns[wait];
    return time_ns;
}

/* --- Sentences -------------------------------------------------------------------------------- */

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

static void append(char *text, size_t bytes, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, bytes - used, "%s", more);
}

/* ": neighbouring lanes read addresses 1 KiB apart" */
static void append_distance(int64_t distance, const char *verb, char *text, size_t bytes)
{
    char words[96];
    uint64_t apart = distance < 0 ? -(uint64_t)distance : (uint64_t)distance;
    const char *unit = apart % (1 << 20) == 0 ? "MiB" : apart % (1 << 10) == 0 ? "KiB" : "bytes";
    apart /= *unit == 'M' ? 1 << 20 : *unit == 'K' ? 1 << 10 : 1;
    if (distance == 0)
        return;
    snprintf(words, sizeof words, ": neighbouring lanes %s addresses %" PRIu64 " %s apart", verb,
             apart, apart == 1 && *unit == 'b' ? "byte" : unit);
    append(text, bytes, words);
}

static void say_sectors(const char *what, const char *verb, const struct simgpu_access *access,
                        char *text, size_t bytes)
{
    snprintf(text, bytes, "%s touch %.1f sectors a request, %.1f would do", what,
             ratio(access->sectors, access->requests),
             ratio(access->ideal_sectors, access->requests));
    append_distance(access->neighbour_bytes, verb, text, bytes);
}

void line_say_loads(const struct simgpu_access *access, char *text, size_t bytes)
{
    say_sectors("loads", "read", access, text, bytes);
}

void line_say_stores(const struct simgpu_access *access, char *text, size_t bytes)
{
    say_sectors("stores", "write", access, text, bytes);
}

/* Bytes of a bank's word: adjacent words are in different banks. */
enum { WORD = 4 };

void line_say_shared(const struct simgpu_line *line, char *text, size_t bytes)
{
    struct simgpu_access shared = line_shared(line);
    snprintf(text, bytes, "shared memory takes %.1f wavefronts a request, %.1f would do",
             ratio(shared.wavefronts, shared.requests),
             ratio(shared.ideal_wavefronts, shared.requests));
    if (shared.neighbour_bytes == WORD || shared.neighbour_bytes == -WORD)
        append(text, bytes, ": neighbours lie in banks of their own, lanes further apart meet");
    else
        append_distance(shared.neighbour_bytes, "touch", text, bytes);
}

void line_say_lanes(const struct simgpu_line *line, char *text, size_t bytes)
{
    uint64_t elsewhere = 32 * line->warp_instructions - line->lanes;
    uint64_t off = line->lanes - line->lanes_on;
    snprintf(text, bytes, "%.1f of 32 lanes work: %s",
             ratio(line->lanes_on, line->warp_instructions),
             off > elsewhere ? "a condition switches the others off"
                             : "the others are on another path, done, or not there");
}

static void say_atomics(const struct simgpu_line *line, char *text, size_t bytes)
{
    say_sectors("atomics", "update", &line->global_atomic, text, bytes);
}

/* Issue slots for which a spilled register keeps L1 busy (fidelity's rows of spills). */
enum { SPILL_SLOTS = 6 };

static void say_local(const struct simgpu_line *line, char *text, size_t bytes)
{
    snprintf(text, bytes,
             "%" PRIu64 " requests to local memory: an array or a register that did "
             "not fit lies there",
             line->local.requests);
}

static void say_spills(const struct simgpu_line *line, char *text, size_t bytes)
{
    snprintf(text, bytes,
             "registers spill: %" PRIu64 " times a warp stores one to local memory or "
             "loads it back",
             line->spilled_words);
}

static void say_line_loads(const struct simgpu_line *line, char *text, size_t bytes)
{
    line_say_loads(&line->global_load, text, bytes);
}

static void say_line_stores(const struct simgpu_line *line, char *text, size_t bytes)
{
    line_say_stores(&line->global_store, text, bytes);
}

/* --- Time ------------------------------------------------------------------------------------- */

/* What most of its time goes to; SIM_WAITS when it has none. */
static enum sim_wait longest_wait(const struct simgpu_line *line)
{
    int longest = SIM_WAITS;
    for (int wait = 0; wait < SIM_WAITS; wait++)
        if (line->modelled_ns[wait] > (longest < SIM_WAITS ? line->modelled_ns[longest] : 0))
            longest = wait;
    return (enum sim_wait)longest;
}

/* What a line's warps do or wait for. */
static const char *wait_words(const struct simgpu_line *line, enum sim_wait wait)
{
    switch (wait) {
    case SIM_WAIT_MEMORY: return "waiting for memory";
    case SIM_WAIT_SHARED:
        return line_shared(line).requests ? "waiting for shared memory" : "waiting for other lanes";
    case SIM_WAIT_BARRIER: return "waiting for other warps at a barrier";
    case SIM_WAIT_RESULT: return "waiting for its results";
    case SIM_WAIT_UNIT: return "waiting for a busy arithmetic unit";
    case SIM_WAIT_TURN: return "waiting for a turn to issue";
    default: return "issuing its instructions";
    }
}

void line_say_time(const struct simgpu_line *line, char *text, size_t bytes)
{
    enum sim_wait most = longest_wait(line);
    *text = 0;
    if (most < SIM_WAITS)
        snprintf(text, bytes, "%.0f %% of it %s", 100 * line->modelled_ns[most] / line_time(line),
                 wait_words(line, most));
}

/* --- What if ---------------------------------------------------------------------------------- */

/* Less is not worth reporting: the model's times are off by as much in the median
 * (fidelity/README.md). */
static const double LEAST_GAIN = 0.05;

double line_gain(const struct simgpu_line *line, enum sim_mend *mend)
{
    int best = 0;
    for (int i = 1; i < SIM_MENDS; i++)
        if (line->gain_ns[i] > line->gain_ns[best])
            best = i;
    *mend = (enum sim_mend)best;
    return line->gain_ns[best];
}

static bool is_wasteful(const struct simgpu_access *access)
{
    return access->sectors > access->ideal_sectors;
}

/* Does each lane take the bytes after those of the lane before? Then a request that touches one
 * sector too many is not aligned to a sector. */
static bool is_side_by_side(const struct simgpu_access *access)
{
    double apart = access->neighbour_bytes < 0 ? -(double)access->neighbour_bytes
                                               : (double)access->neighbour_bytes;
    return apart > 0 && 32 * apart * (double)access->requests <= (double)access->bytes;
}

static const char *sector_words(const struct simgpu_line *line)
{
    const struct simgpu_access *load = &line->global_load, *store = &line->global_store;
    bool loads = is_wasteful(load), stores = is_wasteful(store);
    bool begins_late = (loads || stores) && !is_wasteful(&line->global_atomic) &&
                       (!loads || is_side_by_side(load)) && (!stores || is_side_by_side(store));
    return begins_late ? "if each request began at a multiple of 32 bytes"
                       : "with neighbouring lanes on neighbouring addresses";
}

/* What the line would have to be like for that. */
static const char *mend_words(const struct simgpu_line *line, enum sim_mend mend)
{
    switch (mend) {
    case SIM_MEND_SECTORS:
    case SIM_MEND_LOAD_SECTORS:
    case SIM_MEND_STORE_SECTORS: return sector_words(line);
    case SIM_MEND_WAVEFRONTS: return "without its bank conflicts";
    case SIM_MEND_LANES: return "with all lanes of its warps at work";
    case SIM_MEND_BYTES: return "if no thread block read a sector twice here";
    case SIM_MEND_BARRIERS: return "if no warp waited here";
    case SIM_MEND_ATOMICS:
        return "if the lanes of a warp that update one address were added up first";
    case SIM_MEND_SPILLS: /* which may be what allows so many */
        return line->spilled_words ? "without register spills, and with as many warps at once,"
                                   : "if its local arrays were in registers";
    default: return "";
    }
}

/* Warps that wait elsewhere, at a barrier or for the block's end, for lanes that are off here,
 * would wait less, too; the model leaves that out. */
static const char *bound_words(enum sim_mend mend)
{
    return mend == SIM_MEND_LANES ? "at most " : "";
}

void line_say_gain(const struct simgpu_line *line, double whole_ns, const char *whole, char *text,
                   size_t bytes)
{
    enum sim_mend mend;
    double gain_ns = line_gain(line, &mend);
    *text = 0;
    if (whole_ns > 0 && gain_ns > LEAST_GAIN * whole_ns)
        snprintf(text, bytes, "%s %s would take %s%.2f of its time (modelled)",
                 mend_words(line, mend), whole, bound_words(mend), 1 - gain_ns / whole_ns);
}

/* --- What is worst ---------------------------------------------------------------------------- */

typedef void sentence(const struct simgpu_line *line, char *text, size_t bytes);

struct waste {
    uint64_t spent, needed; /* in issue slots */
    sentence *say;
};

/* A quarter above what is needed is worth reporting. */
static bool is_worth_a_word(const struct waste *waste)
{
    return waste->spent > waste->needed + waste->needed / 4;
}

/* Does most of the line's time or, if that is not known, its cost go to accesses of that kind? */
static bool mostly(const struct simgpu_line *line, enum sim_wait wait, bool by_cost)
{
    enum sim_wait longest = longest_wait(line);
    return longest == SIM_WAITS ? by_cost : longest == wait;
}

/* A little more than is needed is no waste, and is not the least either. */
static void say_enough(const char *what, uint64_t count, uint64_t ideal, uint64_t requests,
                       char *text, size_t bytes)
{
    snprintf(text, bytes, "%.1f %s a request, ", ratio(count, requests), what);
    char end[32] = "as few as can be";
    if (count > ideal)
        snprintf(end, sizeof end, "%.1f would do", ratio(ideal, requests));
    append(text, bytes, end);
}

/* What most of its time goes to comes first: a branch may split a warp where that costs little. */
static void say_well(const struct simgpu_line *line, char *text, size_t bytes)
{
    struct simgpu_access memory = line_memory(line), shared = line_shared(line);
    uint64_t others = line->warp_instructions - memory.requests - shared.requests;
    if (memory.requests && mostly(line, SIM_WAIT_MEMORY,
                                  memory.sectors > others && memory.sectors >= shared.wavefronts))
        say_enough("sectors", memory.sectors, memory.ideal_sectors, memory.requests, text, bytes);
    else if (shared.requests && mostly(line, SIM_WAIT_SHARED, shared.wavefronts > others))
        say_enough("wavefronts", shared.wavefronts, shared.ideal_wavefronts, shared.requests, text,
                   bytes);
    else if (line->divergent)
        snprintf(text, bytes, "%" PRIu64 " of %" PRIu64 " branches split the warp", line->divergent,
                 line->branches);
    else if (line->barriers)
        snprintf(text, bytes, "the warps of a block wait for each other here");
    else if (longest_wait(line) == SIM_WAITS || longest_wait(line) == SIM_WAIT_ISSUE)
        snprintf(text, bytes, "its cost is the instructions themselves");
    else
        snprintf(text, bytes, "its accesses and branches waste nothing");
}

void line_say(const struct simgpu_line *line, char *text, size_t bytes)
{
    struct simgpu_access shared = line_shared(line);
    const struct waste wastes[] = {
        {line->global_load.sectors, line->global_load.ideal_sectors, say_line_loads},
        {line->global_store.sectors, line->global_store.ideal_sectors, say_line_stores},
        {line->global_atomic.sectors, line->global_atomic.ideal_sectors, say_atomics},
        {line->local.sectors, 0, say_local},
        {SPILL_SLOTS * line->spilled_words, 0, say_spills},
        {shared.wavefronts, shared.ideal_wavefronts, line_say_shared},
        {line->warp_instructions, line->lanes_on / 32, line_say_lanes},
    };
    const struct waste *worst = NULL;
    for (size_t i = 0; i < sizeof wastes / sizeof *wastes; i++)
        if (is_worth_a_word(&wastes[i]) &&
            (!worst || wastes[i].spent - wastes[i].needed > worst->spent - worst->needed))
            worst = &wastes[i];
    (worst ? worst->say : say_well)(line, text, bytes);
}
