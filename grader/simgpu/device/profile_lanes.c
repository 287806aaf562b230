/* profile_lanes.c - the timeline as one self-contained page: lanes of engines, streams and host
 * threads over time, as SVG, and above them what is worth knowing.
 *
 * The drawing has a unit for each ns. It is stretched to the page's width; the script, which the
 * page can do without, zooms in on a part and says which one that is.
 */
#include "profile.h"

#include "markup.h"
#include "timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of one lane that may be drawn; more would make the page slow, and the trace has them all. */
enum { MOST_BOXES = 20000, LANE = 22, BOX = 16 };

extern const char page_css[]; /* page.c */

static const char LANES_CSS[] =
    ".lanes{display:grid;grid-template-columns:max-content 1fr;column-gap:.8rem;font-size:13px}"
    ".lanes div{height:22px;line-height:22px;white-space:nowrap}"
    ".lanes svg{cursor:ew-resize}"
    ".kernel{fill:var(--used)}.up{fill:#3c9d5d}.down{fill:#b8862b}.set{fill:#8a6fc4}"
    ".event{fill:var(--dim)}.call{fill:var(--lane)}.paged{stroke:rgb(var(--hot));"
    "stroke-width:2;vector-effect:non-scaling-stroke}";

static const char SCRIPT[] =
    "const s=document.querySelector('svg.time'),all=s.viewBox.baseVal.width,"
    "h=s.viewBox.baseVal.height,says=document.getElementById('part');"
    "let x=0,w=all;function show(){w=Math.min(all,Math.max(1,w));x=Math.min(all-w,Math.max(0,x));"
    "s.setAttribute('viewBox',`${x} 0 ${w} ${h}`);"
    "says.textContent=`from ${(x/1e3).toFixed(2)} to ${((x+w)/1e3).toFixed(2)} us`}"
    "s.addEventListener('wheel',e=>{e.preventDefault();const r=s.getBoundingClientRect(),"
    "at=(e.clientX-r.left)/r.width,n=w*Math.exp(e.deltaY*.002);x+=(w-Math.min(all,n))*at;w=n;"
    "show()},{passive:false});"
    "s.addEventListener('pointermove',e=>{if(!e.buttons)return;"
    "x-=e.movementX/s.getBoundingClientRect().width*w;show()});"
    "s.addEventListener('dblclick',()=>{x=0;w=all;show()});show()";

/* --- Lanes ------------------------------------------------------------------------------------ */

enum lane_kind { LANE_KERNELS, LANE_UP, LANE_DOWN, LANE_STREAM, LANE_THREAD };

struct lane {
    enum lane_kind kind;
    uint64_t process, number; /* of a stream, or a thread */
};

struct lanes {
    const struct profile *profile;
    const struct timeline_view *view;
    FILE *stream;
    struct lane *list;
    size_t count;
    double span_ns;
};

static void add_lane(struct lanes *lanes, enum lane_kind kind, uint64_t process, uint64_t number)
{
    for (size_t i = 0; i < lanes->count; i++)
        if (lanes->list[i].kind == kind && lanes->list[i].process == process &&
            lanes->list[i].number == number)
            return;
    lanes->list[lanes->count++] = (struct lane){kind, process, number};
}

static int by_place(const void *a, const void *b)
{
    const struct lane *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool find_lanes(struct lanes *lanes)
{
    const struct timeline_input *model = &lanes->view->model;
    lanes->list = calloc((size_t)model->item_count + model->call_count + 3, sizeof *lanes->list);
    if (!lanes->list)
        return false;
    for (enum lane_kind kind = LANE_KERNELS; kind <= LANE_DOWN; kind++)
        add_lane(lanes, kind, 0, 0);
    for (uint32_t i = 0; i < model->item_count; i++)
        add_lane(lanes, LANE_STREAM, lanes->view->pieces[i].process, lanes->view->pieces[i].stream);
    for (uint32_t i = 0; i < model->call_count; i++)
        add_lane(lanes, LANE_THREAD, lanes->view->acts[i].process, model->calls[i].thread);
    qsort(lanes->list, lanes->count, sizeof *lanes->list, by_place);
    return true;
}

static void put_name(const struct lanes *lanes, const struct lane *lane)
{
    static const char *const ENGINES[] = {"kernels", "copies to the device", "copies to the host"};
    fputs("<div>", lanes->stream);
    if (lane->kind <= LANE_DOWN)
        fputs(ENGINES[lane->kind], lanes->stream);
    else if (lane->kind == LANE_STREAM && lane->number < FIRST_STREAM)
        fputs(lane->number == STREAM_LEGACY ? "default stream" : "default stream of a thread",
              lanes->stream);
    else
        fprintf(lanes->stream, "%s %" PRIu64, lane->kind == LANE_STREAM ? "stream" : "host thread",
                lane->number);
    if (lane->kind > LANE_DOWN && lane->process != lanes->list[lanes->count - 1].process)
        fprintf(lanes->stream, " of process %" PRIu64, lane->process);
    fputs("</div>\n", lanes->stream);
}

/* --- Boxes ------------------------------------------------------------------------------------ */

static void put_box(const struct lanes *lanes, size_t row, const char *class, bool is_paged,
                    double start_ns, double end_ns, const char *name)
{
    fprintf(lanes->stream,
            "<rect class=\"%s%s\" x=\"%.0f\" y=\"%zu\" width=\"%.0f\" height=\"%d\"><title>", class,
            is_paged ? " paged" : "", start_ns, row * LANE + (LANE - BOX) / 2,
            fmax(end_ns - start_ns, 1), BOX);
    markup_text(lanes->stream, name);
    fprintf(lanes->stream, "%s: %.2f to %.2f us, %.2f us</title></rect>\n",
            is_paged ? " of pageable memory" : "", start_ns * 1e-3, end_ns * 1e-3,
            (end_ns - start_ns) * 1e-3);
}

static const char *class_of(enum timeline_kind kind)
{
    switch (kind) {
    case TIMELINE_KERNEL: return "kernel";
    case TIMELINE_UP: return "up";
    case TIMELINE_DOWN: return "down";
    case TIMELINE_MOVE:
    case TIMELINE_SET: return "set";
    default: return "event";
    }
}

static bool is_in(const struct lanes *lanes, uint32_t i, const struct lane *lane)
{
    const struct timeline_item *item = &lanes->view->model.items[i];
    switch (lane->kind) {
    case LANE_KERNELS: return timeline_computes(item);
    case LANE_UP: return item->kind == TIMELINE_UP;
    case LANE_DOWN: return item->kind == TIMELINE_DOWN;
    case LANE_STREAM:
        return lanes->view->pieces[i].process == lane->process &&
               lanes->view->pieces[i].stream == lane->number;
    default: return false;
    }
}

static void put_pieces(const struct lanes *lanes, size_t row)
{
    const struct timeline_view *view = lanes->view;
    unsigned drawn = 0;
    for (uint32_t i = 0; i < view->model.item_count && drawn < MOST_BOXES; i++) {
        const struct timeline_item *item = &view->model.items[i];
        const char *kernel = view->pieces[i].kernel;
        if (!is_in(lanes, i, &lanes->list[row]) || item->end_ns <= item->start_ns)
            continue;
        put_box(lanes, row, class_of(item->kind), item->is_paged, item->start_ns, item->end_ns,
                kernel ? profile_name(lanes->profile->device->history, kernel)
                       : timeline_kind_name(item->kind));
        drawn++;
    }
}

static void put_call(const struct lanes *lanes, size_t row, uint32_t i)
{
    const struct timeline_call *call = &lanes->view->model.calls[i];
    const struct timeline_act *act = &lanes->view->acts[i];
    char name[300];
    if (act->file)
        snprintf(name, sizeof name, "%s at %.160s:%u", timeline_act_name(act),
                 profile_base_name(act->file), act->line);
    else
        snprintf(name, sizeof name, "%s", timeline_act_name(act));
    put_box(lanes, row, "call", false, call->start_ns, call->end_ns, name);
}

static void put_calls(const struct lanes *lanes, size_t row)
{
    const struct timeline_view *view = lanes->view;
    unsigned drawn = 0;
    for (uint32_t i = 0; i < view->model.call_count && drawn < MOST_BOXES; i++)
        if (view->model.calls[i].thread == lanes->list[row].number &&
            view->model.calls[i].end_ns > view->model.calls[i].start_ns) {
            put_call(lanes, row, i);
            drawn++;
        }
}

/* --- The page --------------------------------------------------------------------------------- */

static void put_sums(const struct lanes *lanes, const struct simgpu_timeline *sums)
{
    const struct {
        const char *what;
        double time_ns;
    } rows[] = {{"all of it", sums->span_ns},
                {"kernels run", sums->compute_ns},
                {"copies to the device", sums->up_ns},
                {"copies to the host", sums->down_ns},
                {"copies beside kernels", sums->overlap_ns},
                {"neither works", sums->idle_ns}};
    fputs("<table>\n", lanes->stream);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fprintf(lanes->stream, "<tr><td>%s</td><td>%.2f us</td><td>%.1f %%</td></tr>\n",
                rows[i].what, rows[i].time_ns * 1e-3,
                sums->span_ns > 0 ? 100 * rows[i].time_ns / sums->span_ns : 0);
    fputs("</table>\n<p><b>", lanes->stream);
    markup_text(lanes->stream, sums->gap_says);
    fputs("</b></p>\n", lanes->stream);
    if (sums->is_cut)
        fputs("<p>There were more calls than are kept: these are the first ones.</p>\n",
              lanes->stream);
}

static void put_drawing(const struct lanes *lanes)
{
    fputs("<p class=\"dim\">The wheel zooms, dragging moves, a double click shows all: "
          "<span id=\"part\"></span>. A red edge: pageable memory.</p>\n"
          "<div class=\"lanes\"><div style=\"height:auto\">\n",
          lanes->stream);
    for (size_t i = 0; i < lanes->count; i++)
        put_name(lanes, &lanes->list[i]);
    fprintf(lanes->stream,
            "</div><svg class=\"time\" viewBox=\"0 0 %.0f %zu\" preserveAspectRatio=\"none\" "
            "style=\"height:%zupx\">\n",
            fmax(ceil(lanes->span_ns), 1), lanes->count * LANE, lanes->count * LANE);
    for (size_t row = 0; row < lanes->count; row++)
        if (lanes->list[row].kind == LANE_THREAD)
            put_calls(lanes, row);
        else
            put_pieces(lanes, row);
    fputs("</svg></div>\n", lanes->stream);
}

void profile_write_lanes(const struct profile *profile, FILE *stream)
{
    struct lanes lanes = {.profile = profile, .view = profile->timeline, .stream = stream};
    struct simgpu_timeline sums;
    timeline_sum_up(profile->timeline, &sums);
    lanes.span_ns = sums.span_ns;
    fprintf(stream,
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n<title>Timeline</title>\n"
            "<style>%s%s</style>\n<h1>Timeline of ",
            page_css, LANES_CSS);
    markup_text(stream, profile_base_name(profile->outcome.program[0]));
    fputs("</h1>\n<p class=\"dim\">All times are modelled, ", stream);
    markup_text(stream, profile->device_name);
    fputs("; what the host does between its calls takes none.</p>\n", stream);
    put_sums(&lanes, &sums);
    if (find_lanes(&lanes))
        put_drawing(&lanes);
    free(lanes.list);
    fprintf(stream, "<script>%s</script>\n</html>\n", SCRIPT);
}
