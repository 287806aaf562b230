/* ordinary.c - draws a name and descriptors. */
#include "runner/ordinary.h"

#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

enum { LEAST_LETTERS = 4, MOST_LETTERS = 11 };
/* Of the 256 descriptors that walls allow (check/examine/link.c). */
enum { FIRST_FD = 64, FDS = 128 };

static unsigned char drawn_byte(void)
{
    unsigned char byte = 0;
    return getrandom(&byte, sizeof byte, 0) == sizeof byte ? byte : 0;
}

void ordinary_name(int argc, char **argv)
{
    char word[MOST_LETTERS + 1] = "";
    size_t letters = LEAST_LETTERS + drawn_byte() % (MOST_LETTERS - LEAST_LETTERS + 1);
    for (size_t i = 0; i < letters; i++)
        word[i] = (char)('a' + drawn_byte() % 26);
    prctl(PR_SET_NAME, word);
    for (int i = 0; i < argc; i++) {
        size_t room = strlen(argv[i]);
        memset(argv[i], 0, room);
        if (i == 0)
            memcpy(argv[i], word, room < letters ? room : letters);
    }
}

bool ordinary_move(int at[RUNNER_FDS])
{
    for (int fd = 0; fd < RUNNER_FDS; fd++) {
        bool stays = fd < RUNNER_COMMANDS_FD || fd == RUNNER_DEVICE_FD;
        at[fd] = stays ? fd : fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD + drawn_byte() % FDS);
        if (!stays)
            close(fd);
    }
    return at[RUNNER_COMMANDS_FD] >= 0 && at[RUNNER_ANSWERS_FD] >= 0;
}
