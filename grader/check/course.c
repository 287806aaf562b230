/* course.c - finds the course from where its own program lies, and looks lessons up. */
#include "check/course.h"

#include "lib/hash.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CONFIG_BYTES = 1 << 20 };

bool course_open(struct course *course, const char *root, const char *build, char *reason,
                 size_t reason_bytes)
{
    struct path self = path_real("/proc/self/exe");
    for (int up = 0; up < 2; up++) { /* build/bin/warpquest: build */
        char *slash = strrchr(self.text, '/');
        if (slash)
            *slash = '\0';
    }
    course->is_given = root || build;
    course->build = build ? path_real(build) : self;
    course->root = root ? path_real(root) : path_real(path_of("%s/..", self.text).text);
    struct path judges = path_of("%s/judges.json", course->build.text);
    json_error_t error;
    course->judges = json_load_file(judges.text, 0, &error);
    if (json_is_array(course->judges) && *course->root.text)
        return true;
    snprintf(reason, reason_bytes,
             "%s cannot be read (%s): build the course first, with `make` in its top folder",
             judges.text, error.text);
    return false;
}

void course_close(struct course *course)
{
    json_decref(course->judges);
}

size_t course_lesson_count(const struct course *course)
{
    return json_array_size(course->judges);
}

void course_lesson_at(const struct course *course, size_t index, struct lesson *lesson)
{
    json_t *judge = json_array_get(course->judges, index);
    const char *key = json_string_value(json_object_get(judge, "lesson"));
    const char *line = key ? strchr(key, '_') : NULL;
    lesson->judge = judge;
    lesson->key = key;
    lesson->slug = line ? line + 1 : key;
    lesson->number = key ? (int)strtol(key, NULL, 10) : -1;
    lesson->title = json_string_value(json_object_get(judge, "title"));
    const char *root = course->root.text;
    lesson->exercise = path_of("%s/exercises/%s/%s.cu", root, key, lesson->slug);
    lesson->solution = path_of("%s/solutions/%s/%s.cu", root, key, lesson->slug);
    lesson->judge_folder = path_of("%s/grader/judges/%s", root, key);
}

static bool includes_contract(const struct lesson *lesson, const char *text)
{
    return strstr(text, path_of("contracts/%s.h", lesson->key).text) != NULL;
}

static bool mentions_launcher(const struct lesson *lesson, const char *text)
{
    const json_t *launchers = json_object_get(lesson->judge, "launchers");
    const char *name = json_string_value(json_array_get(launchers, 0));
    return name && strstr(text, name);
}

bool course_source_mentions(const struct lesson *lesson, const char *text)
{
    return includes_contract(lesson, text) || mentions_launcher(lesson, text);
}

static bool find_first(const struct course *course, const char *text, struct lesson *lesson,
                       bool (*says)(const struct lesson *lesson, const char *text))
{
    for (size_t i = 0; i < course_lesson_count(course); i++) {
        course_lesson_at(course, i, lesson);
        if (says(lesson, text))
            return true;
    }
    return false;
}

bool course_lesson_of_source(const struct course *course, const char *text, struct lesson *lesson)
{
    return find_first(course, text, lesson, includes_contract) ||
           find_first(course, text, lesson, mentions_launcher);
}

bool course_lesson(const struct course *course, const char *name, struct lesson *lesson,
                   char *reason, size_t reason_bytes)
{
    const char *digits = strncmp(name, "lesson", 6) == 0 ? name + 6 : name;
    char *end;
    long number = strtol(digits, &end, 10);
    bool is_number = end != digits && *end == '\0';
    size_t count = course_lesson_count(course);
    for (size_t i = 0; i < count; i++) {
        course_lesson_at(course, i, lesson);
        if (strcmp(lesson->key, name) == 0 || (is_number && lesson->number == number))
            return true;
    }
    if (count == 0)
        snprintf(reason, reason_bytes, "the course has no lessons");
    else
        snprintf(reason, reason_bytes,
                 "there is no lesson \"%s\": they go from 0 to %d (make status lists them)", name,
                 lesson->number);
    return false;
}

struct path course_program(const struct course *course, const char *name)
{
    return path_of("%s/bin/%s", course->build.text, name);
}

/* Is a product of the grader there and, if it is a program, executable? */
static bool is_built(const struct course *course, const char *part)
{
    bool is_program = strncmp(part, "bin/", strlen("bin/")) == 0;
    glob_t found;
    bool built = glob(path_of("%s/%s", course->build.text, part).text, 0, NULL, &found) == 0;
    built = built && access(found.gl_pathv[0], is_program ? X_OK : R_OK) == 0;
    globfree(&found);
    return built;
}

bool course_is_built(const struct course *course, char *reason, size_t reason_bytes)
{
    static const char *const PARTS[] = {"bin/examine", "bin/runner", "bin/walls", "bin/simgpu",
                                        "lib/sim/libcudart.so*"};
    const char *shown = course->build.text;
    size_t root = strlen(course->root.text);
    if (strncmp(shown, course->root.text, root) == 0 && shown[root] == '/')
        shown += root + 1;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        if (!is_built(course, PARTS[i])) {
            snprintf(reason, reason_bytes,
                     "%s/%s, a part of the grader, is not there, or cannot "
                     "be used: `make check` builds it",
                     shown, PARTS[i]);
            return false;
        }
    return true;
}

/* A line "NAME := value" of a makefile. */
static struct path setting_in(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) != 0)
            continue;
        const char *value = line + length + strspn(line + length, " \t:?=");
        return path_of("%.*s", (int)strcspn(value, " \t\r\n"), value);
    }
    return path_of("%s", "");
}

struct path course_setting(const struct course *course, const char *name)
{
    const char *set = getenv(name);
    if (set && *set)
        return path_of("%s", set);
    struct path file = path_of("%s/config.mk", course->build.text);
    char *text = file_read(file.text, MOST_CONFIG_BYTES, NULL);
    struct path value = setting_in(text ? text : "", name);
    free(text);
    return value;
}

/* What version.sh wrote when the course was built. */
static bool read_version(const struct course *course, char version[HASH_TEXT])
{
    char *text = file_read(path_of("%s/version", course->build.text).text, HASH_TEXT, NULL);
    bool good = text && strspn(text, "0123456789abcdef") == HASH_TEXT - 1;
    if (good)
        snprintf(version, HASH_TEXT, "%s", text);
    free(text);
    return good;
}

/* Of a course that was not built by its Makefile. */
static void hash_programs(const struct course *course, char version[HASH_TEXT])
{
    static const char *const PARTS[] = {"bin/warpquest", "bin/examine", "bin/runner", "bin/simgpu",
                                        "lib/sim/*"};
    struct hash hash;
    hash_init(&hash);
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        glob_t found;
        if (glob(path_of("%s/%s", course->build.text, PARTS[i]).text, 0, NULL, &found) == 0)
            for (size_t part = 0; part < found.gl_pathc; part++)
                hash_add_file(&hash, found.gl_pathv[part]);
        globfree(&found);
    }
    hash_text(&hash, version);
}

const char *course_version(const struct course *course)
{
    static char version[HASH_TEXT];
    if (!*version && !read_version(course, version))
        hash_programs(course, version);
    return version;
}
