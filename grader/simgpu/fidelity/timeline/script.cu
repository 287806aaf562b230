/* script.cu - reads a program's text. */
#include "script.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

/* The words that are left, and whose they are. */
struct reading {
    const char *name;
    std::vector<std::string> words;
    size_t at;
    bool captures;
};

[[noreturn]] static void give_up(const struct reading *reading, const std::string &word)
{
    fprintf(stderr, "timeline: program %s: \"%s\" makes no sense as word %zu; see script.h.\n",
            reading->name, word.c_str(), reading->at);
    exit(2);
}

static std::string next(struct reading *reading)
{
    if (reading->at == reading->words.size())
        give_up(reading, "the end");
    return reading->words[reading->at++];
}

static long number(struct reading *reading, long most)
{
    std::string word = next(reading);
    char *end;
    long value = strtol(word.c_str(), &end, 10);
    long unit = *end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : 1;
    if (end == word.c_str() || end[unit > 1] || value < 0 || value * unit > most)
        give_up(reading, word);
    return value * unit;
}

static int stream(struct reading *reading)
{
    if (reading->words[reading->at] != "legacy")
        return (int)number(reading, STREAMS - 1);
    reading->at++;
    return LEGACY;
}

static bool is_pinned(struct reading *reading)
{
    std::string word = next(reading);
    if (word != "pinned" && word != "paged")
        give_up(reading, word);
    return word == "pinned";
}

static void read_step(struct reading *reading, struct step *step)
{
    enum { MOST_BYTES = 256 << 20, MOST_AMOUNT = 1 << 20 };
    static const std::map<std::string, enum verb> VERBS = {
        {"up", UP},         {"down", DOWN}, {"put", PUT},   {"get", GET},     {"move", MOVE},
        {"set", SET},       {"run", RUN},   {"wait", WAIT}, {"record", RECORD}, {"sync", SYNC},
        {"graph", GRAPH},   {"end", END},   {"play", PLAY}};
    std::string word = next(reading);
    if (!VERBS.count(word))
        give_up(reading, word);
    step->verb = VERBS.at(word);
    if (step->verb == SYNC && reading->words[reading->at] == "all") {
        reading->at++;
        step->verb = SYNC_ALL;
    }
    if (step->verb == RECORD)
        step->event = (int)number(reading, EVENTS - 1);
    bool has_stream = step->verb != PUT && step->verb != GET && step->verb != SYNC_ALL &&
                      step->verb != END;
    step->stream = step->verb == PUT || step->verb == GET ? LEGACY : -1;
    if (has_stream)
        step->stream = stream(reading);
    if (step->verb == WAIT)
        step->event = (int)number(reading, EVENTS - 1);
    if (step->verb == UP || step->verb == DOWN || step->verb == PUT || step->verb == GET)
        step->pinned = is_pinned(reading);
    if (step->verb <= SET)
        step->bytes = (size_t)number(reading, MOST_BYTES);
    if (step->verb == RUN) {
        step->kernel = next(reading);
        step->amount = (int)number(reading, MOST_AMOUNT);
    }
}

/* Up to the end, or to the bracket that closes. */
static void read_all(struct reading *reading, std::vector<struct step> *steps)
{
    while (reading->at < reading->words.size() && reading->words[reading->at] != ")") {
        size_t from = reading->at;
        if (from + 2 < reading->words.size() && reading->words[from + 1] == "x") {
            long times = number(reading, 1000);
            reading->at += 2;
            size_t body = reading->at;
            for (long i = 0; i < times; i++) {
                reading->at = body;
                read_all(reading, steps);
            }
            next(reading);
            continue;
        }
        struct step step = {};
        read_step(reading, &step);
        for (size_t i = from; i < reading->at; i++)
            step.text += (i > from ? " " : "") + reading->words[i];
        reading->captures = step.verb == GRAPH || (reading->captures && step.verb != END);
        step.captured = reading->captures;
        steps->push_back(step);
    }
}

/* A synchronisation leaves nothing in a stream. */
static void mark_last(std::vector<struct step> *steps)
{
    bool seen[LANES] = {};
    for (size_t i = steps->size(); i-- > 0;) {
        struct step *step = &(*steps)[i];
        if (step->captured || step->verb == SYNC || step->verb == END || step->stream < 0)
            continue;
        step->is_last = !seen[step->stream];
        seen[step->stream] = true;
    }
}

std::vector<struct step> script_read(const char *name, const char *script)
{
    struct reading reading = {name, {}, 0, false};
    std::vector<struct step> steps;
    std::string spaced;
    for (const char *at = script; *at; at++)
        spaced += *at == ';' ? std::string(" ") : std::string(1, *at);
    std::istringstream words(spaced);
    for (std::string word; words >> word;)
        reading.words.push_back(word);
    read_all(&reading, &steps);
    mark_last(&steps);
    return steps;
}
