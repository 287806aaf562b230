/* keyboard.c - see keyboard.h. */
#include "lib/keyboard.h"

#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;

static bool take_keys(void)
{
    struct termios now = before;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    return tcsetattr(STDIN_FILENO, TCSANOW, &now) == 0;
}

bool keyboard_open(void)
{
    return tcgetattr(STDIN_FILENO, &before) == 0 && take_keys();
}

void keyboard_close(void)
{
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static int read_key(void)
{
    unsigned char key;
    return read(STDIN_FILENO, &key, 1) == 1 ? key : KEY_END;
}

static bool has_key(int most_ms)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, most_ms) == 1;
}

int keyboard_key(int most_ms)
{
    enum { ESCAPE = 27 };
    int key = has_key(most_ms) ? read_key() : KEY_NONE;
    if (key != ESCAPE)
        return key;
    while (has_key(0) && read_key() != KEY_END) /* an arrow is three characters at once */
        continue;
    return KEY_NONE;
}

void keyboard_suspend(void)
{
    keyboard_close();
    kill(0, SIGTSTP);
    take_keys();
}
