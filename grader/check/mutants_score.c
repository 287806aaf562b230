/* mutants_score.c - what the mutants' fates say about the judge. */
#include "check/mutants.h"

#include "check/record.h"

#include <stdio.h>
#include <string.h>

static const double BAR = 0.98; /* the share to be caught of the mutants that change behaviour */

enum { MOST_KINDS = 32 };

struct tally {
    const char *kind;
    unsigned fates[MUTANT_FATES];
};

static unsigned count_kinds(const struct mutants *mutants, struct tally tallies[MOST_KINDS])
{
    unsigned kinds = 0;
    for (size_t i = 0; i < mutants->count; i++) {
        const char *kind = record_text(mutants->list[i].mutation, "kind");
        unsigned k = 0;
        while (k < kinds && strcmp(tallies[k].kind, kind) != 0)
            k++;
        if (k == MOST_KINDS)
            continue;
        if (k == kinds)
            tallies[kinds++] = (struct tally){.kind = kind};
        tallies[k].fates[mutants->list[i].fate]++;
    }
    return kinds;
}

static void print_kinds(const struct mutants *mutants)
{
    struct tally tallies[MOST_KINDS];
    unsigned kinds = count_kinds(mutants, tallies);
    FILE *out = mutants->terminal->out;
    fprintf(out, "\n  %-10s %7s %9s %10s %10s %10s\n", "kind", "caught", "survives", "equivalent",
            "not judged", "stillborn");
    for (unsigned k = 0; k < kinds; k++) {
        const unsigned *fates = tallies[k].fates;
        fprintf(out, "  %-10s %7u %9u %10u %10u %10u\n", tallies[k].kind, fates[MUTANT_CAUGHT],
                fates[MUTANT_SURVIVOR], fates[MUTANT_EQUIVALENT], fates[MUTANT_NOT_JUDGED],
                fates[MUTANT_STILLBORN]);
    }
}

static void print_mutant(const struct mutants *mutants, const struct mutant *mutant)
{
    FILE *out = mutants->terminal->out;
    const json_t *mutation = mutant->mutation;
    fprintf(out, "  %s:%d:%d  %s, number %d on such a line  (build/mutants/%s/%.16s.cu)\n",
            mutant->entry, record_integer(mutation, "at"), record_integer(mutation, "column"),
            record_text(mutation, "kind"), record_integer(mutation, "nth"), mutants->lesson.key,
            mutant->key);
    fprintf(out, "      %s\n      \"%s\" -> \"%s\"\n", record_text(mutation, "line"),
            record_text(mutation, "old"), record_text(mutation, "new"));
}

/* Those of one fate, each with what explains it. */
static unsigned print_fate(const struct mutants *mutants, enum mutant_fate fate,
                           const char *heading)
{
    unsigned found = 0;
    for (size_t i = 0; i < mutants->count; i++) {
        const struct mutant *mutant = &mutants->list[i];
        if (mutant->fate != fate)
            continue;
        if (found++ == 0)
            fprintf(mutants->terminal->out, "\n%s\n", heading);
        print_mutant(mutants, mutant);
        if (fate == MUTANT_EQUIVALENT)
            terminal_wrap(mutants->terminal, mutant->why, 6, 0);
        if (fate == MUTANT_NOT_JUDGED)
            fprintf(mutants->terminal->out, "      %s: %s\n", verdict_name(mutant->verdict),
                    mutant->reason);
    }
    return found;
}

/* A mutant that is caught cannot be equivalent: one of the two is wrong. */
static unsigned print_contradictions(const struct mutants *mutants)
{
    unsigned found = 0;
    for (size_t i = 0; i < mutants->count; i++) {
        const struct mutant *mutant = &mutants->list[i];
        if (mutant->fate != MUTANT_CAUGHT || !mutant->why)
            continue;
        if (found++ == 0)
            fprintf(mutants->terminal->out,
                    "\nEquivalent, says equivalents.json, and yet caught:\n");
        print_mutant(mutants, mutant);
        fprintf(mutants->terminal->out, "      %s: %s\n", verdict_name(mutant->verdict),
                mutant->reason);
    }
    return found;
}

/* The survivors in the form of equivalents.json, without the reason, which a reader must write. */
static void write_survivors(const struct mutants *mutants)
{
    struct path path = path_of("%s/survivors.json", mutants->folder.text);
    json_t *list = json_array();
    for (size_t i = 0; i < mutants->count; i++) {
        const struct mutant *mutant = &mutants->list[i];
        const json_t *mutation = mutant->mutation;
        if (mutant->fate == MUTANT_SURVIVOR)
            json_array_append_new(
                list,
                json_pack("{s:s, s:s, s:s, s:s, s:s, s:O, s:s}", "entry", mutant->entry, "kind",
                          record_text(mutation, "kind"), "line", record_text(mutation, "line"),
                          "old", record_text(mutation, "old"), "new", record_text(mutation, "new"),
                          "nth", json_object_get(mutation, "nth"), "why", ""));
    }
    if (json_array_size(list) > 0 && record_write(list, path.text))
        fprintf(mutants->terminal->out, "\nThey are also in %s, to be copied from.\n", path.text);
    json_decref(list);
}

int mutants_conclude(const struct mutants *mutants)
{
    unsigned fates[MUTANT_FATES] = {0};
    FILE *out = mutants->terminal->out;
    for (size_t i = 0; i < mutants->count; i++)
        fates[mutants->list[i].fate]++;
    print_kinds(mutants);
    print_fate(mutants, MUTANT_EQUIVALENT, "Equivalent, and why:");
    print_fate(mutants, MUTANT_NOT_JUDGED, "Not judged:");
    print_fate(mutants, MUTANT_SURVIVOR,
               "Survivors. Each is a hole in the judge, or belongs in equivalents.json:");
    write_survivors(mutants);
    unsigned contradictions = print_contradictions(mutants);
    unsigned behave = fates[MUTANT_CAUGHT] + fates[MUTANT_SURVIVOR];
    double score = behave ? (double)fates[MUTANT_CAUGHT] / behave : 0;
    bool pass = score >= BAR && contradictions == 0 && fates[MUTANT_NOT_JUDGED] == 0;
    fprintf(out,
            "\n%s: lesson %d: %u of %u mutants that change behaviour are caught, score %.3f "
            "(bar %.2f)%s;\n",
            pass ? "PASS" : "FAIL", mutants->lesson.number, fates[MUTANT_CAUGHT], behave, score,
            BAR, mutants->count < mutants->all ? ", of a sample" : ", of all");
    fprintf(out, "      %u equivalent, %u not judged, %u do not compile\n",
            fates[MUTANT_EQUIVALENT], fates[MUTANT_NOT_JUDGED], fates[MUTANT_STILLBORN]);
    return pass ? 0 : 1;
}
