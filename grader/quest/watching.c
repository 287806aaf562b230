/* watching.c - see watching.h.
 *
 * Whatever is asked for is another process of this program, which has the terminal to itself until
 * it ends: so a check that is overtaken by the next save is ended as by Ctrl-C, and leaves nothing.
 * The screen is only ever written on, from top to bottom. A report that is longer than the screen
 * can be scrolled back to, and nothing has to be put back if the program is killed.
 */
#include "quest/watching.h"

#include "lib/keyboard.h"
#include "lib/process.h"
#include "quest/quest.h"
#include "quest/watched.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_EACH_MS = 100 };

struct watch {
    const struct watch_request *request;
    const struct terminal *terminal;
    struct lesson lesson;
    struct watched file;
    pid_t running; /* 0: nothing is */
    bool is_check; /* what is running, or ran last */
    bool ends;
};

/* --- The lesson ------------------------------------------------------------------------------- */

/* The first that has not been passed, or the last one. */
static void find_lesson(const struct course *course, struct lesson *lesson)
{
    for (size_t i = 0; i < course_lesson_count(course); i++) {
        course_lesson_at(course, i, lesson);
        if (!quest_has_passed(course, lesson->key))
            return;
    }
}

static bool find_next(const struct course *course, int number, struct lesson *lesson)
{
    for (size_t i = 0; i < course_lesson_count(course); i++) {
        course_lesson_at(course, i, lesson);
        if (lesson->number > number)
            return true;
    }
    return false;
}

/* --- The screen ------------------------------------------------------------------------------- */

/* What was there can still be scrolled back to. */
static void clear_screen(const struct watch *watch)
{
    fputs(terminal_moves() ? "\033[H\033[2J" : "\n----\n", watch->terminal->out);
}

static void print_footer(const struct watch *watch)
{
    static const char *const KEYS[][2] = {{"h", "hint"},    {"d", "diff"}, {"p", "profile"},
                                          {"l", "lessons"}, {"n", "next"}, {"r", "run"},
                                          {"q", "quit"}};
    putc('\n', watch->terminal->out);
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        terminal_print(watch->terminal, STYLE_BOLD, "%s%s", i ? "  " : "", KEYS[i][0]);
        fprintf(watch->terminal->out, " %s", KEYS[i][1]);
    }
    fflush(watch->terminal->out);
}

static void say(const struct watch *watch, const char *text)
{
    putc('\n', watch->terminal->out);
    terminal_wrap(watch->terminal, text, 0, 0);
    print_footer(watch);
}

/* --- What runs -------------------------------------------------------------------------------- */

static void stop(struct watch *watch)
{
    if (watch->running)
        process_end(watch->running);
    watch->running = 0;
}

static void start(struct watch *watch, const char *verb)
{
    const struct course *course = watch->request->course;
    struct path self = path_real("/proc/self/exe"), number = path_of("%d", watch->lesson.number);
    const char *words[] = {self.text,
                           verb,
                           number.text,
                           "--course",
                           course->root.text,
                           "--build",
                           course->build.text,
                           "--device",
                           watch->request->device,
                           NULL};
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct process_spec spec = {
        .argv = words, .fds = {nothing, STDOUT_FILENO, STDERR_FILENO}, .fd_count = 3};
    fflush(watch->terminal->out);
    watch->running = process_start(&spec);
    watch->is_check = strcmp(verb, "check") == 0;
    close(nothing);
    if (watch->running < 0) {
        watch->running = 0;
        say(watch, "no process can be started: this machine is out of memory or processes");
    }
}

static void begin_check(struct watch *watch)
{
    stop(watch);
    watched_open(&watch->file, watch->lesson.exercise.text);
    clear_screen(watch);
    terminal_print(watch->terminal, STYLE_DIM, "watching lesson %d, %s: saved files are checked\n",
                   watch->lesson.number, watch->lesson.title);
    if (watch->file.is_there) {
        start(watch, "check");
        return;
    }
    char text[400];
    snprintf(text, sizeof text,
             "exercises/%s/%s.cu is not there, or is no plain file. It is checked as soon as it "
             "is; make reset-lesson%d brings it back as it was shipped.",
             watch->lesson.key, watch->lesson.slug, watch->lesson.number);
    say(watch, text);
}

static bool has_ended(pid_t pid)
{
    siginfo_t seen = {0};
    return waitid(P_PID, (id_t)pid, &seen, WEXITED | WNOHANG | WNOWAIT) != 0 || seen.si_pid == pid;
}

/* What ran has ended: its output is on the screen. */
static void finish(struct watch *watch)
{
    int status = process_end(watch->running);
    struct lesson next;
    watch->running = 0;
    if (!watch->is_check || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        print_footer(watch);
    else if (find_next(watch->request->course, watch->lesson.number, &next))
        say(watch, path_of("Lesson %d is passed. n goes on to lesson %d, %s; nothing else does.",
                           watch->lesson.number, next.number, next.title)
                       .text);
    else
        say(watch, "That was the last lesson.");
}

/* --- Keys ------------------------------------------------------------------------------------- */

static void go_on(struct watch *watch)
{
    struct lesson next;
    if (find_next(watch->request->course, watch->lesson.number, &next)) {
        watch->lesson = next;
        begin_check(watch);
    } else if (!watch->running)
        say(watch, "This is the last lesson.");
}

static void suspend(struct watch *watch)
{
    stop(watch);
    keyboard_suspend();
    begin_check(watch);
}

/* Those that leave what runs alone; they wait until it has ended. */
static const char *verb_of(int key)
{
    switch (key) {
    case 'h': return "hint";
    case 'd': return "diff";
    case 'p': return "profile";
    case 'l': return "status";
    default: return NULL;
    }
}

static void press(struct watch *watch, int key)
{
    switch (key) {
    case 'q':
    case KEY_INTERRUPT:
    case KEY_END: watch->ends = true; return;
    case 'r': begin_check(watch); return;
    case 'n': go_on(watch); return;
    case KEY_SUSPEND: suspend(watch); return;
    }
    const char *verb = verb_of(key);
    if (!verb || watch->running)
        return;
    fputs("\n\n", watch->terminal->out);
    start(watch, verb);
}

static void watch_until_end(struct watch *watch)
{
    begin_check(watch);
    while (!watch->ends && !process_interrupted()) {
        int key = keyboard_key(LOOK_EACH_MS);
        if (watched_saved(&watch->file))
            begin_check(watch);
        if (watch->running && has_ended(watch->running))
            finish(watch);
        if (key != KEY_NONE)
            press(watch, key);
    }
    stop(watch);
}

int quest_watch(const struct watch_request *request, const struct terminal *terminal)
{
    char reason[300];
    struct watch watch = {.request = request, .terminal = terminal};
    if (!request->lesson)
        find_lesson(request->course, &watch.lesson);
    else if (!course_lesson(request->course, request->lesson, &watch.lesson, reason,
                            sizeof reason)) {
        fprintf(stderr, "warpquest: %s\n", reason);
        return EXIT_USAGE;
    }
    if (!isatty(STDOUT_FILENO) || !keyboard_open()) {
        fputs("watching needs a terminal, for its keys and its screen. Without one: make "
              "check-lesson1\n",
              stderr);
        return EXIT_USAGE;
    }
    watch_until_end(&watch);
    keyboard_close();
    putc('\n', terminal->out);
    return process_interrupted() ? EXIT_INTERRUPTED : 0;
}
