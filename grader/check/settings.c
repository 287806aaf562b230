/* settings.c - see settings.h. */
#include "check/settings.h"

#include "check/record.h"
#include "lib/timestamp.h"

#include <ctype.h>
#include <math.h>

enum { DAY_SECONDS = 24 * 60 * 60 };

struct path settings_file(const struct course *course, const char *device)
{
    char name[200];
    size_t length = 0;
    for (const char *at = device; *at && length + 1 < sizeof name; at++)
        name[length++] = isalnum((unsigned char)*at) ? (char)tolower((unsigned char)*at) : '-';
    name[length] = '\0';
    return path_of("%s/settings-%s.json", course->build.text, name);
}

/* An impossible bar or tolerance counts as none: the file may have been edited. */
static bool is_sound(const json_t *settings)
{
    double bar = record_real(settings, "bar"), delta = record_real(settings, "delta");
    return bar > 0 && bar <= 2 && delta >= 0 && delta < 1;
}

json_t *settings_of(const struct course *course, const char *device, const char *lesson, time_t now)
{
    json_t *all = json_load_file(settings_file(course, device).text, 0, NULL);
    json_t *settings = json_object_get(json_object_get(all, "lessons"), lesson);
    bool counts = is_sound(settings) && (double)now < record_real(settings, "expires");
    json_t *found = counts ? json_incref(settings) : NULL;
    json_decref(all);
    return found;
}

bool settings_keep(const struct course *course, const char *device, const char *lesson, double bar,
                   double delta, const json_t *noise, time_t now)
{
    struct path file = settings_file(course, device);
    char made[TIMESTAMP_TEXT];
    json_t *all = json_load_file(file.text, 0, NULL);
    if (!json_is_object(json_object_get(all, "lessons"))) {
        json_decref(all);
        all = json_pack("{s:s, s:{}}", "device", device, "lessons");
    }
    json_t *own = json_pack("{s:f, s:f, s:s, s:I}", "bar", bar, "delta", delta, "made",
                            timestamp_of(now, made), "expires",
                            (json_int_t)now + SETTINGS_DAYS * (json_int_t)DAY_SECONDS);
    json_object_update(own, (json_t *)noise);
    json_object_set_new(json_object_get(all, "lessons"), lesson, own);
    bool kept = record_write(all, file.text);
    json_decref(all);
    return kept;
}
