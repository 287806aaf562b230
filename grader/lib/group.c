/* group.c - see group.h. Names and rules of the files: the kernel's Documentation/admin-guide,
 * cgroup-v2. */
#include "lib/group.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char NAME[] = "warpquest-"; /* then who made it, and which one */

/* --- Files of a group ------------------------------------------------------------------------- */

static bool say(const char *folder, const char *file, const char *words)
{
    struct path path = path_of("%s/%s", folder, file);
    int fd = open(path.text, O_WRONLY | O_CLOEXEC);
    size_t bytes = strlen(words);
    bool said = fd >= 0 && write(fd, words, bytes) == (ssize_t)bytes;
    if (fd >= 0)
        close(fd);
    return said;
}

/* Does the folder delegate that controller to groups below? */
static bool hands_down(const char *folder, const char *controller)
{
    struct path path = path_of("%s/cgroup.subtree_control", folder);
    char words[512] = " ", wanted[32];
    FILE *file = fopen(path.text, "re");
    size_t got = file ? fread(words + 1, 1, sizeof words - 3, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i < got; i++)
        if (words[1 + i] == '\n')
            words[1 + i] = ' ';
    words[1 + got] = ' ';
    snprintf(wanted, sizeof wanted, " %s ", controller);
    return strstr(words, wanted) != NULL;
}

bool group_enter(const char *folder)
{
    return say(folder, "cgroup.procs", "0");
}

/* Tried by a child that enters it. */
static bool can_be_entered(const char *folder)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(!group_enter(folder));
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && status == 0;
}

/* --- Ending ----------------------------------------------------------------------------------- */

/* Kernels before 5.14 have no cgroup.kill. */
static void kill_each(const char *folder)
{
    struct path path = path_of("%s/cgroup.procs", folder);
    FILE *file = fopen(path.text, "re");
    int pid;
    while (file && fscanf(file, "%d", &pid) == 1)
        if (pid > 0)
            kill(pid, SIGKILL);
    if (file)
        fclose(file);
}

/* A group can be removed once the last of its processes has been reaped. */
static void end_and_remove(const char *folder)
{
    enum { TRIES = 1000 };
    for (int i = 0; i < TRIES && rmdir(folder) != 0 && errno != ENOENT; i++) {
        if (!say(folder, "cgroup.kill", "1"))
            kill_each(folder);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

void group_close(struct group *group)
{
    if (group->folder.text[0])
        end_and_remove(group->folder.text);
    group->folder.text[0] = '\0';
}

/* What killed graders have left: groups of processes that no longer exist. */
static void remove_left(const char *above)
{
    DIR *list = opendir(above);
    struct dirent *entry;
    while (list && (entry = readdir(list))) {
        int maker = 0;
        if (strncmp(entry->d_name, NAME, strlen(NAME)) == 0)
            maker = atoi(entry->d_name + strlen(NAME));
        if (maker > 0 && kill(maker, 0) != 0 && errno == ESRCH)
            end_and_remove(path_of("%s/%s", above, entry->d_name).text);
    }
    if (list)
        closedir(list);
}

/* --- Making ----------------------------------------------------------------------------------- */

static bool limit(const char *folder, const char *file, uint64_t most)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)most);
    return most == 0 || say(folder, file, text);
}

bool group_open_in(struct group *group, const char *above, const struct group_limits *limits)
{
    static unsigned count;
    *group = (struct group){.limits = hands_down(above, "memory") && hands_down(above, "pids")};
    remove_left(above);
    group->folder = path_of("%s/%s%d-%u", above, NAME, (int)getpid(), count++);
    if (mkdir(group->folder.text, 0755) != 0) {
        group->folder.text[0] = '\0';
        return false;
    }
    const char *folder = group->folder.text;
    if (group->limits) {
        group->limits = limit(folder, "memory.max", limits->memory_bytes) &&
                        limit(folder, "pids.max", limits->tasks);
        say(folder, "memory.swap.max", "0"); /* where there is swap */
        say(folder, "memory.oom.group", "1");
    }
    if (can_be_entered(folder))
        return true;
    group_close(group);
    return false;
}

/* --- Where ------------------------------------------------------------------------------------ */

/* Where cgroup v2 is mounted, if this line of mountinfo (proc(5)) says so. */
static bool is_mounted(char *line, struct path *place)
{
    char *rest = strstr(line, " - cgroup2 ");
    char root[PATH_MAX], at[PATH_MAX];
    if (!rest || sscanf(line, "%*s %*s %*s %4095s %4095s", root, at) != 2)
        return false;
    *place = path_of("%s", at);
    return strcmp(root, "/") == 0; /* another root hides where our own group is */
}

static bool find_mounted(struct path *place)
{
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    FILE *file = fopen("/proc/self/mountinfo", "re");
    while (file && !found && getline(&line, &room, file) > 0)
        found = is_mounted(line, place);
    free(line);
    if (file)
        fclose(file);
    return found;
}

/* Our own group's folder. */
static bool find_own(const struct path *mounted, struct path *own)
{
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && !found && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        found = strncmp(line, "0::", 3) == 0;
        if (found)
            *own = path_of("%s%s", mounted->text, line + 3);
    }
    free(line);
    if (file)
        fclose(file);
    return found;
}

bool group_open(struct group *group, const struct group_limits *limits)
{
    struct path mounted, own,
        asked = path_of("%s", getenv("WARPQUEST_CGROUP") ? getenv("WARPQUEST_CGROUP") : "");
    const char *places[3] = {asked.text[0] == '/' ? asked.text : NULL, NULL, NULL};
    if (find_mounted(&mounted)) {
        places[1] = find_own(&mounted, &own) ? own.text : NULL;
        places[2] = mounted.text;
    }
    for (int i = 0; i < 3; i++)
        if (places[i] && hands_down(places[i], "memory") && hands_down(places[i], "pids") &&
            group_open_in(group, places[i], limits))
            return true;
    for (int i = 0; i < 3; i++)
        if (places[i] && group_open_in(group, places[i], limits))
            return true;
    *group = (struct group){.limits = false};
    return false;
}
