/* safety.c - the small cases on the simulated device, with every check it has switched on.
 *
 * Each buffer is an allocation of its own here, exactly as long as the buffer, so that the device
 * itself sees the first byte outside; and outputs are left as they come, so that it sees whoever
 * reads one before writing it. A fault ends the launch and names the source line.
 */
#include "check/examine/data.h"
#include "check/examine/stages.h"

#include <string.h>

/* A small case takes some ten million thread instructions; one that takes a hundred times as many
 * does not end. */
#define STEP_BUDGET UINT64_C(1000000000)

static bool open_rooms(struct lab *lab, const struct prepared *prepared, struct room *rooms,
                       struct runner_set *set, struct finding *finding)
{
    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < prepared->image.count; i++) {
        const struct image_part *part = &prepared->image.part[i];
        uint32_t offset = prepared->problem->offset_bytes[part->home];
        set->place[i] = (struct runner_place){.offset = offset, .slot = (uint32_t)part->home,
                                              .present = !part->buffer.optional};
        if (part->buffer.optional || part->home != i)
            continue;
        lab->simgpu->name_memory(part->buffer.name);
        bool opened = room_open(lab, (uint32_t)i, offset + part->size_bytes, &rooms[i], finding);
        lab->simgpu->name_memory(NULL);
        if (!opened)
            return false;
        const unsigned char *bytes = prepared->image.bytes + part->offset - offset;
        if (part->buffer.role != JUDGE_OUT &&
            !room_write(lab, &rooms[i], bytes, offset + part->size_bytes))
            return finding_set(finding, VERDICT_DEVICE, "an input cannot be copied to the device");
        link_open(&lab->link, (uint32_t)i, &rooms[i].open); /* a dead runner shows at the launch */
    }
    return true;
}

static void close_rooms(struct lab *lab, size_t count, struct room *rooms)
{
    for (size_t i = 0; i < count; i++) {
        if (rooms[i].size_bytes && lab->link.pid)
            link_close(&lab->link, rooms[i].slot);
        room_close(lab, &rooms[i]);
    }
}

static bool run_case(struct lab *lab, const struct judge_case *problem, uint64_t seed,
                     struct finding *finding)
{
    struct prepared prepared;
    struct room rooms[JUDGE_MOST_BUFFERS] = {{0}};
    struct runner_command command = {.launch = {.problem = *problem, .sets = 1, .launches = 1}};
    struct runner_answer answer;
    bool safe = prepare(lab, problem, seed, &prepared, finding) &&
                open_rooms(lab, &prepared, rooms, &command.launch.set[0], finding) &&
                lab_launch(lab, &lab->link, &command, &answer, finding);
    close_rooms(lab, prepared.image.count, rooms);
    prepared_free(&prepared);
    return safe;
}

/* Of the first count cases, those that numerics alone looks at. */
static size_t cases_refused(const struct judge *judge, size_t count)
{
    size_t refused = 0;
    for (size_t i = 0; i < count; i++)
        refused += judge->cases[i].refused_with != 0;
    return refused;
}

/* Each time the runner has to start again. */
enum { MOST_RACED_CASES = 8 };

/* A race in global memory does not keep a case from going on, and may come of an index that is
 * wrong elsewhere, too. So the other cases run as well, and what a kernel does outside its buffers,
 * or never ends with, is told first. Returns the case that the finding is of; the count if none. */
static size_t run_cases(struct lab *lab, struct finding *finding)
{
    const struct judge *judge = lab->judge;
    struct finding raced = {.verdict = VERDICT_PASS};
    size_t raced_case = judge->case_count, raced_count = 0;
    for (size_t i = 0; i < judge->case_count && raced_count < MOST_RACED_CASES; i++) {
        lab_progress("safety %zu of %zu", i + 1, judge->case_count);
        *finding = (struct finding){.verdict = VERDICT_PASS};
        if (!lab->link.pid && !lab_start(lab, &lab->link, lab->submission, finding))
            return i;
        if (judge->cases[i].refused_with || /* numerics sees whether it is */
            run_case(lab, &judge->cases[i], data_seed(lab->seed, i), finding))
            continue;
        if (!finding->global_race)
            return i;
        if (raced_count++ == 0) {
            raced = *finding;
            raced_case = i;
        }
    }
    *finding = raced;
    return raced_case;
}

json_t *safety_stage(struct lab *lab)
{
    struct simgpu_options options = {.checks = SIMGPU_CHECK_ALL, .step_budget = STEP_BUDGET,
                                     .approximation_seed = lab->seed};
    struct finding finding = {.verdict = VERDICT_PASS};
    const struct judge *judge = lab->judge;
    lab->simgpu->set_options(&options);
    bool started = lab->link.pid || lab_start(lab, &lab->link, lab->submission, &finding);
    size_t done = started ? run_cases(lab, &finding) : 0;
    json_t *result = finding_json(&finding);
    size_t refused = cases_refused(judge, judge->case_count);
    json_object_set_new(result, "cases", json_integer((json_int_t)(judge->case_count - refused)));
    json_object_set_new(result, "done",
                        json_integer((json_int_t)(done - cases_refused(judge, done))));
    if (started && done < judge->case_count)
        json_object_set_new(result, "case", json_string(judge->cases[done].name));
    return result;
}
