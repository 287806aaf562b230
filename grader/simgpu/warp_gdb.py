"""warp_gdb.py - gdb shows a warp of the simulated device: its splits, their lanes, the source line.

    make debug
    gdb -x grader/simgpu/warp_gdb.py --args build/debug/bin/simgpu run -- ./program
    (gdb) break warp_part
    (gdb) run
    (gdb) warp                 the warp of this frame; or: warp EXPRESSION

One line a split: `>` before the one that walks, what it waits for, its lanes (`#` walks, `.` not),
the line it comes to next, and the basic block at which it hands its lanes back. Read split.c first.
"""
import gdb

LANES = 32
NO_SPLIT = EXIT_BLOCK = 0xFFFFFFFF


def drawn(mask):
    return "".join("#" if mask >> lane & 1 else "." for lane in range(LANES))


def basic_block(index):
    return "the end" if index == EXIT_BLOCK else "block %d" % index


def next_line(split):
    """The file and line of the first instruction that the split runs next."""
    function, at = split["function"].dereference(), int(split["at"])
    if at >= int(function["block_count"]):
        return "its end"
    op = function["ops"][int(function["blocks"][at]["first"])]
    module = function["module"].dereference()
    line = module["lines"][int(module["ops"][int(op["id"])]["location"])]
    name = line["file"].string().rsplit("/", 1)[-1] if int(line["file"]) else "?"
    return "%s:%d" % (name, int(line["line"]))


def show_split(warp, index):
    split = warp["splits"][index]
    state = str(split["state"]).replace("SPLIT_", "").replace("_", " ").lower()
    mark = ">" if index == int(warp["current"]) else " "
    parent = int(split["parent"])
    print("%s %2d  %s  %-20s at %-24s joins %s%s" % (
        mark, index, drawn(int(split["mask"])), state, next_line(split),
        basic_block(int(split["join"])), "" if parent == NO_SPLIT else ", of split %d" % parent))


class Warp(gdb.Command):
    """warp [EXPRESSION]: the splits of a warp of the simulated device (default: `warp`)."""

    def __init__(self):
        super().__init__("warp", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        try:
            warp = gdb.parse_and_eval(argument or "warp")
        except gdb.error as error:
            raise gdb.GdbError("no warp here: %s (try: up, or warp EXPRESSION)" % error)
        if warp.type.code == gdb.TYPE_CODE_PTR:
            warp = warp.dereference()
        block = warp["block"].dereference()
        index = ",".join(str(int(block["index"][i])) for i in range(3))
        print("warp %d of block (%s): %s, %d instructions so far; lanes gone %s" % (
            int(warp["index"]), index, str(warp["status"]).replace("WARP_", "").lower(),
            int(warp["steps"]), drawn(int(warp["idle"]))))
        for i in range(int(warp["split_count"])):
            if "FREE" not in str(warp["splits"][i]["state"]):
                show_split(warp, i)


Warp()
