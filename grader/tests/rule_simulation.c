/* rule_simulation.c - see rule_simulation.h. */
#include "tests/rule_simulation.h"

#include "check/examine/data.h"

#include <math.h>
#include <string.h>

#define BLOCK_NS 1.3e6 /* as on an H200 (measured: see pairs.c) */
#define BETWEEN_NS 3e6 /* from a pair to the next: new contents */
#define WINDOW_NS 3e5  /* a window, besides its launches */

const struct simulation_noise SIMULATION_NOISES[] = {
    {"a quiet GPU", .sd = 0.002, .process_sd = 0.001, .wall_sd_ns = 2e4},
    {"as in the research", .sd = 0.005, .process_sd = 0.003, .spikes = 0.03, .drift = 0.0005,
     .wall_sd_ns = 5e4},
    {"a noisy GPU", .sd = 0.01, .process_sd = 0.005, .spikes = 0.1, .drift = 0.001,
     .wall_sd_ns = 1e5},
    {"a very noisy GPU", .sd = 0.03, .process_sd = 0.005, .spikes = 0.2, .drift = 0.003,
     .wall_sd_ns = 2e5},
    {"a desktop: 1 ms of each 16", .sd = 0.005, .process_sd = 0.003, .hit = 0.06, .hit_ns = 1e6,
     .slice_ns = 1e6, .seen = true, .wall_sd_ns = 5e4},
    {"short bursts, a third", .sd = 0.005, .process_sd = 0.003, .hit = 0.33, .hit_ns = 2e6,
     .slice_ns = 2.4e6, .seen = true, .wall_sd_ns = 5e4},
    {"long bursts, half", .sd = 0.005, .process_sd = 0.003, .hit = 0.5, .hit_ns = 4e7,
     .slice_ns = 2.4e6, .seen = true, .wall_sd_ns = 5e4},
    {"bursts that nobody sees, a third", .sd = 0.005, .process_sd = 0.003, .hit = 0.33,
     .hit_ns = 2e6, .slice_ns = 2.4e6, .wall_sd_ns = 5e4},
    {"bursts that nobody sees, most", .sd = 0.005, .process_sd = 0.003, .hit = 0.8, .hit_ns = 2e6,
     .slice_ns = 2.4e6, .wall_sd_ns = 5e4},
    {"long bursts that nobody sees", .sd = 0.005, .process_sd = 0.003, .hit = 0.5, .hit_ns = 4e7,
     .slice_ns = 2.4e6, .wall_sd_ns = 5e4},
    {"another program all the time", .sd = 0.01, .process_sd = 0.003, .hit = 1, .hit_ns = 1e9,
     .slice_ns = 2.4e6, .seen = true, .wall_sd_ns = 1e5},
    {"a fifth slower all along", .sd = 0.01, .process_sd = 0.003, .all_along = true,
     .wall_sd_ns = 1e5},
    {"a busy processor", .sd = 0.003, .process_sd = 0.001, .wall_sd_ns = 1e6},
};
const size_t SIMULATION_NOISE_COUNT = sizeof SIMULATION_NOISES / sizeof *SIMULATION_NOISES;

struct world {
    const struct simulation_noise *noise;
    uint64_t seed, drawn;
    double now_ns, burst_ends_ns, next_burst_ns, clock; /* clock: log of the rate */
    double process[2]; /* log, of the submission and of the reference */
};

static double uniform(struct world *world)
{
    return ((double)(data_word(world->seed, world->drawn++) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct world *world)
{
    double radius = sqrt(-2 * log(uniform(world)));
    return radius * cos(2 * M_PI * uniform(world));
}

/* Bursts and the pauses between them are of exponential length. */
static void pass(struct world *world, double ns)
{
    const struct simulation_noise *noise = world->noise;
    world->now_ns += ns;
    while (noise->hit > 0 && noise->hit < 1 && world->now_ns >= world->next_burst_ns) {
        double pause_ns = noise->hit_ns * (1 - noise->hit) / noise->hit;
        world->burst_ends_ns = world->next_burst_ns - noise->hit_ns * log(uniform(world));
        world->next_burst_ns = world->burst_ends_ns - pause_ns * log(uniform(world));
    }
}

static bool is_hit(const struct world *world)
{
    return world->noise->hit >= 1 || world->now_ns < world->burst_ends_ns;
}

/* The time of a block by events; clear when no one else was there at its end. */
static double block(struct world *world, double true_ns, int process, bool *clear)
{
    const struct simulation_noise *noise = world->noise;
    world->clock += noise->drift * normal(world);
    double ns = true_ns * exp(noise->sd * normal(world) + world->process[process] + world->clock);
    if (uniform(world) < noise->spikes)
        ns *= 1 + 0.05 * uniform(world);
    ns *= noise->all_along ? 1.2 : 1;
    bool hit = is_hit(world);
    pass(world, ns);
    if (hit || is_hit(world))
        ns += noise->slice_ns * uniform(world);
    *clear = !(noise->seen && is_hit(world));
    return ns;
}

static void one_pair(struct world *world, double true_ratio, double forged, struct rule_seen *seen)
{
    bool clear = true, first = uniform(world) < 0.5;
    double events[2], walls[2];
    pass(world, BETWEEN_NS);
    clear = !(world->noise->seen && is_hit(world));
    for (int turn = 0; turn < 2 && clear; turn++) {
        int side = first ? turn : 1 - turn; /* 0: the submission */
        double ns = block(world, side == 0 ? BLOCK_NS / true_ratio : BLOCK_NS, side, &clear);
        events[side] = ns * (side == 0 ? forged : 1);
        walls[side] = ns + WINDOW_NS + fabs(world->noise->wall_sd_ns * normal(world));
    }
    if (!clear) {
        seen->left_out++;
        return;
    }
    seen->submission.event_ns[seen->pairs] = events[0];
    seen->reference.event_ns[seen->pairs] = events[1];
    seen->submission.wall_ns[seen->pairs] = walls[0];
    seen->reference.wall_ns[seen->pairs] = walls[1];
    seen->pairs++;
}

static double anchor(struct world *world)
{
    enum { BLOCKS = 6 };
    double times[BLOCKS];
    bool clear;
    for (int i = 0; i < BLOCKS; i++) {
        pass(world, BETWEEN_NS);
        times[i] = block(world, BLOCK_NS, 1, &clear);
    }
    return statistics_median(times, BLOCKS);
}

static enum rule_answer one_verdict(struct world *world, double true_ratio, double forged,
                                    struct rule_seen *seen)
{
    memset(seen, 0, sizeof *seen);
    seen->bar = 1;
    seen->delta = STATISTICS_DELTA;
    seen->reference.launches = seen->submission.launches = 1;
    seen->before_ns = anchor(world);
    enum rule_answer answer = RULE_MORE;
    while (answer == RULE_MORE) {
        one_pair(world, true_ratio, forged, seen);
        answer = rule_decide(seen);
    }
    seen->after_ns = anchor(world);
    return answer == RULE_FAST ? rule_weigh(seen) : answer;
}

void simulate(const struct simulation_noise *noise, double true_ratio, double forged,
              size_t verdicts, uint64_t seed, struct simulation_outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    for (size_t i = 0; i < verdicts; i++) {
        struct world world = {.noise = noise, .seed = data_seed(seed, i)};
        struct rule_seen seen;
        for (int side = 0; side < 2; side++)
            world.process[side] = noise->process_sd * normal(&world);
        pass(&world, 1e8 * uniform(&world));
        enum rule_answer answer = one_verdict(&world, true_ratio, forged, &seen);
        bool fast = answer == RULE_FAST, slow = answer == RULE_SLOW, liar = answer == RULE_FORGED;
        outcome->fast += fast;
        outcome->slow += slow;
        outcome->inconclusive += !fast && !slow && !liar;
        outcome->wrong += (fast && true_ratio <= 1 - STATISTICS_DELTA) ||
                          (slow && true_ratio >= 1) || (liar && forged >= 1);
        outcome->pairs += (double)(seen.pairs + seen.left_out) / (double)verdicts;
        outcome->verdicts++;
    }
}
