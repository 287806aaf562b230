/* in_terminal.c - runs a program in a terminal of its own, as somebody who types.
 *
 *     in_terminal ROWS COLUMNS PROGRAM [ARGUMENT...] <script
 *
 * Lines of the script:
 *     type KEYS           \e, \r and ^C (a letter after a caret) as usual
 *     see SECONDS TEXT    wait until it has written TEXT since the last one that was seen
 *     signal NUMBER       to the program's process group
 *     resize ROWS COLUMNS
 *     do COMMAND          a shell's
 *     end SECONDS STATUS  wait for its end, with this exit status
 * All that it writes goes to standard output. The exit status is 0 when the script came to its end,
 * and the terminal's settings at the end are those of the beginning; else 1, with a sentence.
 */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BYTES = 1 << 20 };

static char screen[MOST_BYTES];
static size_t written, seen;
static int terminal;
static pid_t program;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What the program writes within that time; false when it wrote nothing. */
static bool read_some(int most_ms)
{
    struct pollfd output = {.fd = terminal, .events = POLLIN};
    if (poll(&output, 1, most_ms) != 1 || written == MOST_BYTES - 1)
        return false;
    ssize_t got = read(terminal, screen + written, MOST_BYTES - 1 - written);
    if (got > 0)
        fwrite(screen + written, 1, (size_t)got, stdout);
    written += got > 0 ? (size_t)got : 0;
    return got > 0;
}

static bool see(double seconds, const char *text)
{
    double end = now() + seconds;
    for (;;) {
        char *found = strstr(screen + seen, text);
        if (found) {
            seen = (size_t)(found - screen) + strlen(text);
            return true;
        }
        if (now() > end)
            return false;
        read_some(50);
    }
}

static bool type(const char *keys)
{
    for (; *keys; keys++) {
        char key = *keys;
        if ((key == '\\' || key == '^') && keys[1]) {
            keys++;
            key = keys[-1] == '^' ? (char)(*keys & 31) : *keys == 'e' ? '\033' : '\r';
        }
        if (write(terminal, &key, 1) != 1)
            return false;
    }
    return true;
}

static bool end(double seconds, int wanted)
{
    double until = now() + seconds;
    int status = 0;
    while (waitpid(program, &status, WNOHANG) != program) {
        read_some(20);
        if (now() > until)
            return false;
    }
    while (read_some(100))
        continue;
    int got = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (got != wanted)
        fprintf(stderr, "its exit status is %d\n", got);
    program = 0;
    return got == wanted;
}

static bool resize(const char *text)
{
    struct winsize size = {0};
    return sscanf(text, "%hu %hu", &size.ws_row, &size.ws_col) == 2 &&
           ioctl(terminal, TIOCSWINSZ, &size) == 0;
}

static bool obey(char *line)
{
    char *word = strtok(line, " "), *rest = strtok(NULL, "");
    char *text = rest;
    if (!word || !rest)
        return false;
    if (strcmp(word, "type") == 0)
        return type(rest);
    if (strcmp(word, "resize") == 0)
        return resize(rest);
    if (strcmp(word, "do") == 0)
        return system(rest) == 0;
    double number = strtod(rest, &text);
    if (strcmp(word, "signal") == 0)
        return kill(-program, (int)number) == 0;
    if (strcmp(word, "see") == 0)
        return see(number, text + 1);
    return strcmp(word, "end") == 0 && end(number, atoi(text));
}

static bool follow_script(void)
{
    char line[1000], shown[1000];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        strcpy(shown, line);
        if (*line && !obey(line)) {
            fprintf(stderr, "it did not do so: %s\n", shown);
            return false;
        }
    }
    return true;
}

static bool has_settings(const struct termios *before)
{
    struct termios after;
    return tcgetattr(terminal, &after) == 0 && after.c_lflag == before->c_lflag &&
           after.c_iflag == before->c_iflag && after.c_oflag == before->c_oflag;
}

int main(int count, char **words)
{
    struct winsize size = {.ws_row = (unsigned short)atoi(count > 3 ? words[1] : "0"),
                           .ws_col = (unsigned short)atoi(count > 3 ? words[2] : "0")};
    struct termios before;
    if (size.ws_row == 0)
        return EXIT_FAILURE;
    program = forkpty(&terminal, NULL, NULL, &size);
    if (program == 0) {
        execvp(words[3], words + 3);
        _exit(127);
    }
    tcgetattr(terminal, &before);
    bool followed = follow_script();
    bool restored = has_settings(&before);
    if (followed && !restored)
        fprintf(stderr, "the terminal is not as it was\n");
    if (program > 0)
        kill(-program, SIGKILL);
    return followed && restored ? EXIT_SUCCESS : EXIT_FAILURE;
}
