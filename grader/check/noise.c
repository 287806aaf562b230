/* noise.c - see noise.h. */
#include "check/noise.h"

#include "check/record.h"
#include "check/run.h"
#include "runner/sandbox.h"

#include <stdlib.h>
#include <string.h>

enum { USUAL_VERDICTS = 200, PART_SECONDS = 600, DEADLINE_MS = 900000 };

static const struct part {
    const char *name, *submission;
    bool disturbed;
    const char *bars; /* where the true ratio is: JSON */
} PARTS[] = {
    {"padded", "padded.so", false, "[0.90, 0.95, 1.00, 1.02]"},
    {"same", "once.so", false, "[1.00]"},
    {"padded-disturbed", "padded.so", true, "[0.90, 0.95, 1.00, 1.02]"},
    {"same-disturbed", "once.so", true, "[1.00]"},
};

static struct path product(const struct noise_request *request, const char *name)
{
    return path_of("%s/noise/%s", request->course->build.text, name);
}

static json_t *job_of(const struct noise_request *request, const struct part *part)
{
    struct path runner = course_program(request->course, "runner");
    uint64_t verdicts = request->verdicts ? request->verdicts : USUAL_VERDICTS;
    struct path disturber = path_of("%s", "");
    if (part->disturbed)
        disturber = product(request, "disturb");
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:b, s:s, s:[s], s:{s:I, s:o, s:s, s:I, s:I}}", "lesson",
        "01_coalescing", "submission", product(request, part->submission).text, "reference",
        product(request, "once.so").text, "runner", runner.text, "sandbox",
        sandbox_kind_name(sandbox_find()), "ipc", true, "seed", "0x14", "stages", "noise", "noise",
        "verdicts", (json_int_t)verdicts, "of_bar", json_loads(part->bars, 0, NULL), "disturber",
        disturber.text, "seconds", (json_int_t)(request->seconds ? request->seconds : PART_SECONDS),
        "block_us", (json_int_t)request->block_us);
}

/* What a part found, now or before: {"device", "verdict", "reason", "rows"}. NULL with the reason
 * when it could not be run. */
static json_t *find_part(const struct noise_request *request, const struct part *part, char *reason,
                         size_t reason_bytes)
{
    struct path file = path_of("%s/noise-%s.json",
                               request->out ? request->out : product(request, "").text, part->name);
    json_t *found = json_load_file(file.text, 0, NULL), *job = job_of(request, part);
    struct run run;
    if (found) {
        json_decref(job);
        return found;
    }
    struct run_request asked = {.course = request->course,
                                .on = RUN_ON_GPU,
                                .job = job,
                                .deadline_ms = DEADLINE_MS,
                                .progress = terminal_progress};
    run_examine(&asked, &run);
    terminal_progress(NULL);
    const json_t *stage = json_object_get(run.result, "noise");
    if (stage && record_verdict(stage) == VERDICT_PASS) {
        found = json_deep_copy(stage);
        json_object_set(found, "device", json_object_get(run.result, "device"));
        record_write(found, file.text);
    } else {
        snprintf(reason, reason_bytes, "%s", stage ? record_text(stage, "reason") : run.reason);
    }
    run_free(&run);
    json_decref(job);
    return found;
}

static void print_head(const struct terminal *terminal)
{
    fprintf(terminal->out, "%-16s %6s %8s %5s %5s %5s %6s %8s %16s %7s %5s %8s %7s %7s\n", "part",
            "of bar", "verdicts", "fast", "slow", "none", "wrong", "estimate", "95 % interval",
            "spread", "pairs", "left out", "seconds", "longest");
}

static void print_row(const char *part, const json_t *row, const struct terminal *terminal)
{
    fprintf(terminal->out,
            "%-16s %6.2f %8d %5d %5d %5d %6d %8.4f  %7.4f-%7.4f %5.2f %% %5.1f %8.1f %7.3f %7.3f\n",
            part, record_real(row, "of_bar"), record_integer(row, "verdicts"),
            record_integer(row, "fast"), record_integer(row, "slow"),
            record_integer(row, "inconclusive"), record_integer(row, "wrong"),
            record_real(row, "ratio"), record_real(row, "low"), record_real(row, "high"),
            100 * record_real(row, "spread"), record_real(row, "pairs"),
            record_real(row, "left_out"), record_real(row, "seconds"), record_real(row, "longest"));
}

static void print_causes(const json_t *row, const struct terminal *terminal)
{
    const char *cause;
    json_t *count;
    json_object_foreach (json_object_get(row, "causes"), cause, count)
        if (json_integer_value(count))
            fprintf(terminal->out, "%*s%s: %d\n", 26, "", cause, (int)json_integer_value(count));
}

struct sums {
    int verdicts, wrong, wrong_beside;
};

static void show_part(const struct part *part, const json_t *found, struct sums *sums,
                      const struct terminal *terminal)
{
    size_t i;
    json_t *row;
    json_array_foreach (json_object_get(found, "rows"), i, row) {
        print_row(part->name, row, terminal);
        print_causes(row, terminal);
        int wrong = record_integer(row, "wrong");
        sums->wrong_beside += part->disturbed ? wrong : 0;
        sums->wrong += part->disturbed ? 0 : wrong;
        sums->verdicts += record_integer(row, "verdicts");
    }
    fflush(terminal->out);
}

int noise(const struct noise_request *request, const struct terminal *terminal)
{
    char reason[300] = "there is no part of that name";
    struct sums sums = {0, 0, 0};
    folder_make(request->out ? request->out : product(request, "").text);
    print_head(terminal);
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        if (request->part && strcmp(request->part, PARTS[i].name) != 0)
            continue;
        json_t *found = find_part(request, &PARTS[i], reason, sizeof reason);
        if (!found) {
            fprintf(stderr, "noise: %s could not be measured: %s\n", PARTS[i].name, reason);
            return verdict_exit_code(VERDICT_DEVICE);
        }
        show_part(&PARTS[i], found, &sums, terminal);
        json_decref(found);
    }
    if (sums.verdicts == 0) {
        fprintf(stderr, "noise: nothing was measured: %s\n", reason);
        return verdict_exit_code(VERDICT_DEVICE);
    }
    bool rare = sums.wrong * 1000 <= sums.verdicts && sums.wrong_beside == 0;
    fprintf(terminal->out,
            "none: INCONCLUSIVE. Estimate, interval and spread of pairs are medians "
            "of the verdicts.\n%s: %d of %d verdicts were wrong\n",
            rare ? "PASS" : "FAIL", sums.wrong + sums.wrong_beside, sums.verdicts);
    return rare ? 0 : 1;
}
