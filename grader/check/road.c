/* road.c - what every part of a check does: report progress, note a text, stop. */
#include "check/road.h"

#include "check/record.h"

#include <string.h>

void road_tell(const struct road *road, const char *text)
{
    if (road->request->progress)
        road->request->progress(text);
}

void road_set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, record_clean(text, strlen(text)));
}

bool road_stop(struct road *road, const char *gate, enum verdict verdict, const char *reason)
{
    record_add_gate(road->record, gate, record_outcome(verdict, reason));
    return false;
}
