/* sayings.c - what lesson 6 has to say of answers that a kernel's lesson does not have: files that
 * are kept, and products that a library computes. */
#include "check/judge_seen.h"
#include "judges/06_gemm/parts.h"

#include <math.h>
#include <string.h>

static bool says(const struct judge_evidence *e, const char *words)
{
    return e->verdict == VERDICT_WRONG && e->said && strstr(e->said, words);
}

static bool says_save_failed(const struct judge_evidence *e)
{
    return says(e, "the old file is not whole") || says(e, "took the other's file away") ||
           says(e, "lost its old one") || says(e, "lesson6_save did not say");
}

static bool says_believed(const struct judge_evidence *e)
{
    return says(e, "lesson6_load took a file") || says(e, "lesson6_load took an empty file");
}

static bool says_learned(const struct judge_evidence *e)
{
    return says(e, "and learned from it") || says(e, "and the context is another one");
}

static bool says_refused(const struct judge_evidence *e)
{
    return says(e, "lesson6_load refused a file") || says(e, "cannot be loaded");
}

static bool says_unsaved(const struct judge_evidence *e)
{
    return says(e, "does not save them");
}

static bool says_left(const struct judge_evidence *e)
{
    return says(e, "is left");
}

/* By more than another rounding. */
static bool is_product_wrong(const struct judge_evidence *e)
{
    return says(e, " wrong, first ") && !(fabs(e->got - e->want) <= 0x1p-6 * fabs(e->want));
}

static bool is_product_close(const struct judge_evidence *e)
{
    return says(e, " wrong, first ") && !is_product_wrong(e);
}

/* files.c: NO_FILE */
static bool is_no_file(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_LAUNCH_ERROR && e->error == cudaErrorFileNotFound;
}

/* Of a library that computes, no launch of one's own is refused. */
static bool is_turned_down(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_LAUNCH_ERROR && !is_no_file(e);
}

static bool leaves_workspace(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_OUT_OF_BOUNDS && e->said && strstr(e->said, ": the workspace: ");
}

static bool has_more_kernels(const struct judge_evidence *e)
{
    return e->verdict == VERDICT_SLOW && e->refused == JUDGE_LAUNCHES;
}

/* clang-format off */
static const struct judge_saying SAYINGS[] = {
    {1, says_save_failed,
     "A save may end after any byte, or not begin at all. At each of its steps, which file has "
     "the name that was given, is it whole, and who hears of a step that failed?"},
    {2, says_save_failed,
     "Usually the file is opened for writing under its own name (the old one is gone at once), "
     "or another one takes its place before it is whole, or a write's or fclose()'s answer is "
     "not looked at. If your fopen() for writing gets the name as it was given, it is the first."},
    {1, says_believed,
     "What in a file tells your load that it is whole, and of this library and device, and is "
     "that looked at before anything else is believed?"},
    {2, says_believed,
     "Each kind of damage needs a test of its own: a bit that is another a sum over all bytes, "
     "a file that is cut short or too long its length, one from elsewhere the contract's stamp. "
     "Usually the test for the one that is named is missing, or it does not cover all bytes."},
    {1, says_learned,
     "After a load that refuses, the context is to be as it was before. What does your load "
     "change before it knows that all of the file is good?"},
    {2, says_learned,
     "Usually plans go into the context while the file is still being read, or what the context "
     "had is dropped before. Put a mark at the line where your load is sure of the file: every "
     "change of the context that stands above it is the cause."},
    {3, says_learned,
     "Read into a table of its own, test all of it, and let it take effect in one step at the "
     "end; on each way out before that, free it and leave the context alone."},
    {1, says_refused,
     "What does your load compare, and which of it need not be the same for a file that is good?"},
    {2, says_refused,
     "Usually bytes are compared that were never set (padding in a struct), or the rest of a "
     "longer file stands after the new one, or something counts that may differ between two "
     "processes, as a pointer or the size of a workspace."},
    {1, says_unsaved,
     "Which plans does your save write: all that the context has, or those that calls have used?"},
    {2, says_unsaved,
     "Usually save goes through what calls have made or used, or load keeps its plans somewhere "
     "that save does not look. See whether a plan that was loaded passes through the same place "
     "as one that was made."},
    {3, says_unsaved,
     "Keep one table, to which a call and a load both add, and let save write every entry of "
     "it, used or not."},
    {1, says_left,
     "What does your code make, in lesson6_create() or in a call, and which line frees each of "
     "it?"},
    {2, says_left,
     "Usually destroy does not go through all plans, or one was replaced and not freed, or a "
     "call left on an error before it kept what it had made."},
    {1, is_product_wrong,
     "A library computes the product. Which description and which algorithm did this call give "
     "it, and for which problem were they made?"},
    {2, is_product_wrong,
     "Usually a plan of another problem was found (its key lacks something, or two values share "
     "bits), or the plan keeps what belongs to one call, such as the bias pointer or an "
     "alignment, or its description is wrong. In a fresh context only the last one is still "
     "wrong."},
    {3, is_product_wrong,
     "Make the same call in a fresh context. If it is wrong there, too, print all that the library "
     "is told of the product. If it is right there, print the key that is looked up and the one "
     "that is found: where they differ, a comparison is missing; where they are the same, the key "
     "lacks something that the two calls do not share."},
    {3, is_product_close,
     "Print what the library is told of this product: the type of its sums, the types of its "
     "matrices, the alignment that it may count on, the epilogue. What is computed after it, by a "
     "kernel of your own, starts from what it stored."},
    {1, is_no_file,
     "After lesson6_save had returned cudaSuccess, the case found no file at the path that it had "
     "given. In which case does your save return before it writes?"},
    {2, is_no_file,
     "Usually a save is left out because nothing is new since the last save or load. But it is the "
     "file that counts: this path may be another one, or the file may have been removed."},
    {1, is_turned_down,
     "Which line returned that error: one that passes on what the library said, and then of "
     "which description, algorithm, pointers and workspace, or one that says so itself?"},
    {2, is_turned_down,
     "Usually the library turned a product down (its algorithm wants more workspace than is given "
     "or pointers aligned to more than these, or it belongs to another description), or a line of "
     "yours refuses what it should take, or something before it failed. Print each call's status "
     "with the arguments it got: the first that is not 0 tells which."},
    {1, leaves_workspace,
     "The library was given more bytes of workspace than the context has. Which line says how many "
     "bytes that call may use, and where does its number come from?"},
    {2, leaves_workspace,
     "Usually a plan from a file, or from another context, is used with the workspace that it was "
     "made for, or the pointer was moved and the number of bytes was not. Compare the bytes that "
     "the call names with those that lesson6_create was given."},
    {3, leaves_workspace,
     "Keep with each plan how many bytes it wants (lt_check says so), compare that with what the "
     "context has before each use, and ask the library again where it is more."},
    {1, has_more_kernels,
     "The calls that are counted launch {value} kernels. Which of these computes no product, or "
     "only a part of one, and who asked for it?"},
    {3, has_more_kernels,
     "Let each call do all of its product in one lt_run(): all of m, n and k, bias and activation "
     "in the epilogue. A copy before it, if there is one, has to gain more than its launch takes."},
};
/* clang-format on */

const struct judge_sayings GEMM_SAYINGS = JUDGE_ROWS(SAYINGS);
