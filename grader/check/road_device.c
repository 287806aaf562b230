/* road_device.c - the first step of a check: which device, and is there a sandbox? */
#include "check/record.h"
#include "check/road.h"

/* Ask the GPU's driver, and keep its description. False with the reason when it cannot be used. */
static bool describe_gpu(struct road *road, struct run *run)
{
    if (road->request->gpu) {
        json_object_set_new(road->record, "device", json_deep_copy(road->request->gpu));
        return true;
    }
    json_t *job = road_job(road, road->lesson.key, "", "");
    road_add_stage(job, "describe");
    json_t *result = road_examine(road, "looking at the GPU", RUN_ON_GPU, job, run);
    json_t *device = json_object_get(result, "device");
    road->compute = record_integer(device, "compute");
    if (device)
        json_object_set(road->record, "device", device);
    run_free(run);
    return device != NULL;
}

bool road_find_device(struct road *road)
{
    struct run run;
    enum device_choice choice = road->request->device;
    road->simulated = true;
    road->compute = record_integer(road->request->gpu, "compute");
    road->sandbox = sandbox_find();
    road_set_text(road->record, "sandbox", sandbox_kind_name(road->sandbox));
    json_object_set_new(road->record, "self_check", json_boolean(road->sandbox == SANDBOX_NONE));
    if (road->request->strict && road->sandbox == SANDBOX_NONE)
        return road_stop(road, "build", VERDICT_DEVICE,
                         "no sandbox works here any more, and "
                         "nothing is graded without one");
    if (choice == DEVICE_SIM || (choice == DEVICE_AUTO && !run_sees_gpu()))
        return true;
    road_tell(road, "looking at the GPU");
    if (describe_gpu(road, &run)) {
        road->simulated = false;
        return true;
    }
    if (choice == DEVICE_GPU)
        return road_stop(road, "build", run.verdict, run.reason);
    road_set_text(road->record, "device_note", run.reason);
    return !road->interrupted;
}
