/* road.h - one check on its way through its parts: check.c, road_device.c, road_build.c,
 * road_examine.c. */
#ifndef CHECK_ROAD_H
#define CHECK_ROAD_H

#include "check/build.h"
#include "check/check.h"
#include "check/run.h"

/* One check on its way. */
struct road {
    const struct check_request *request;
    json_t *record;
    struct lesson lesson;
    struct source source;
    const char *shown_path;
    struct path exercise; /* when the submission is the learner's own, relative */
    struct build submission, reference;
    json_t *figures; /* of the reference on the simulated device; NULL: not known */
    bool simulated;
    enum sandbox_kind sandbox;
    int compute; /* of the GPU at hand, or 0 */
    char seed[24];
    bool interrupted;
};

void road_tell(const struct road *road, const char *text);
void road_set_text(json_t *object, const char *key, const char *text);
/* Add a gate that ends the check before anything was examined; returns false. */
bool road_stop(struct road *road, const char *gate, enum verdict verdict, const char *reason);

/* A job for examine, without stages yet. */
json_t *road_job(const struct road *road, const char *lesson, const char *submission,
                 const char *reference);
void road_add_stage(json_t *job, const char *stage);
/* For all stages of one job together, which also have their own: about ten times what a check takes
 * on an idle machine, and acceptable for a class. */
enum { ROAD_DEADLINE_MS = 240000 };
/* Run a job, which is freed; the record notes how long that part took. The result belongs to run;
 * NULL with run's verdict. */
json_t *road_examine(struct road *road, const char *part, enum run_on on, json_t *job,
                     struct run *run);
/* The same for a submission's job, which is run once more if it ends with a verdict that takes no
 * points and the reference in its place does not: see road_again.c. */
json_t *road_examine_surely(struct road *road, const char *part, enum run_on on, json_t *job,
                            struct run *run);

/* Keep what the submission printed, of a result. */
void road_keep_log(struct road *road, const json_t *result);
/* Was the stage run, with that verdict? */
bool road_stage_gave(const json_t *result, const char *stage, enum verdict verdict);

/* Judge the submission on a GPU: numerics, times. The first begins what may run next to the
 * simulated device; the second takes that over, or does it all. early: to be cancelled if it is not
 * taken over. sim: the simulated device's result. */
struct beside;
void road_begin_gpu(struct road *road, struct beside *early);
json_t *road_examine_on_gpu(struct road *road, struct beside *early, const json_t *sim,
                            struct run *run);
/* Judge the submission on the simulated device: safety, numerics, counters. */
json_t *road_examine_simulated(struct road *road, struct run *run);
/* The timed cases once more, on a device of their own that writes a page about them. */
void road_write_page(struct road *road);

/* The parts of the road, in order. False: the check ends here, and a gate says why. */
bool road_find_device(struct road *road);
bool road_build_submission(struct road *road);
bool road_build_reference(struct road *road);
void road_examine_all(struct road *road);

/* The launchers that a job is about (road_others.c). */
void road_name_launchers(const struct road *road, json_t *job);
/* What the launchers got besides the one that was not right: "others" of the record. */
void road_note_others(struct road *road, const json_t *result);
/* Verdicts and lines of them, once the record has its own. */
void road_conclude_others(struct road *road);
/* Before the verdict on a check of one launcher, and after it. */
void road_complete_untimed(struct road *road);
void road_conclude_only(struct road *road);

/* Build the solution of a lesson, which need not be the lesson that is checked. */
bool road_build_solution(struct road *road, const struct lesson *lesson, struct build *build);

#endif
