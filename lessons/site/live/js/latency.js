// The live figure of lesson 0: how many warps are resident, how much they ask for at once, and how
// long it takes to read the same bytes.
LIVE_FIGURES.latency = (() => {
  const TEXT = liveText("latency", {
    title: "How much is in flight, and how long the same bytes take",
    threads: "Threads of a block", shared: "Shared memory of a block",
    loads: "Loads in flight, a thread",
    thread: n => `${n} threads`, kib: n => `${n} KiB`, load: n => `${n}`,
    slots: "the 64 warp slots of one multiprocessor, by block: filled where a warp is resident",
    warps: "Warps resident", blocks: "Blocks resident", limit: "Limited by",
    registers: "Registers a thread",
    flight: "Bytes asked for at once, a multiprocessor", time: "Modelled time",
    rate: "Read from device memory", bound: "Bound by",
    launch: (bytes, blocks) => `a launch that reads ${bytes} with ${blocks} blocks`,
    seen: (warps, blocks) => `${warps} of 64 warps are resident, in ${blocks} blocks.`,
  });
  const SLOTS = 64, LANES = 32, FLOATS = 1 << 22, CELL = 44, COLUMNS = 16;

  function draw(picture, warps, each) {
    picture.replaceChildren(...Array.from({length: SLOTS}, (_, slot) => element("rect", {
      class: slot < warps ? `side-${1 + Math.floor(slot / each) % 2}` : "waits",
      x: slot % COLUMNS * CELL + 2, y: Math.floor(slot / COLUMNS) * 22 + 2, width: CELL - 4,
      height: 18, rx: 3})));
  }

  return (panel, machine, guarded) => {
    const changed = delayed(() => update(), 20);
    const loads = slider({name: "loads", label: TEXT.loads, from: 0, to: 3, value: 0,
                          words: n => TEXT.load(2 ** n)}, changed);
    const threads = slider({name: "threads", label: TEXT.threads, from: 5, to: 10, value: 8,
                            words: n => TEXT.thread(2 ** n)}, changed);
    const shared = slider({name: "shared", label: TEXT.shared, from: 0, to: 48, value: 0,
                           words: TEXT.kib}, changed);
    const picture = drawing(CELL * COLUMNS, 88, ""), resident = readings(), modelled = readings();
    const launch = element("p", {class: "row-label"}), source = element("div");
    panel.append(liveTitle(TEXT.title), controls(loads, threads, shared), rowLabel(TEXT.slots),
                 picture, resident.element, launch, modelled.element, source);

    const update = guarded(() => {
      machine.begin();
      const each = 2 ** loads.value, block = 2 ** threads.value, kernel = `ask_${each}`;
      const grid = FLOATS / each / block;
      const x = machine.allocate(4 * FLOATS), out = machine.allocate(4 * FLOATS / each);
      const {result} = withoutFault(machine.launch({
        kernel, grid: [grid], block: [block], shared: 1024 * shared.value,
        parameters: [long(x), long(out)]}));
      const blocks = result.blocks_per_multiprocessor, warps = blocks * block / LANES;
      draw(picture, warps, block / LANES);
      picture.setAttribute("aria-label", TEXT.seen(warps, blocks));
      resident.show({
        warps: [TEXT.warps, `${warps} / ${SLOTS}`], blocks: [TEXT.blocks, String(blocks)],
        limit: [TEXT.limit, result.occupancy_limit],
        registers: [TEXT.registers, String(result.registers)],
        flight: [TEXT.flight, bytesText(warps * LANES * 4 * each)],
      });
      launch.textContent = TEXT.launch(bytesText(4 * FLOATS), grid.toLocaleString("en"));
      modelled.show({
        modelled_ns: [TEXT.time, timeText(result.modelled_ns)],
        rate: [TEXT.rate, withPrefix(result.dram_read_bytes / result.modelled_ns * 1e9, "B/s")],
        bound: [TEXT.bound, result.bound],
      });
      const shown = sourceLines(machine.source, ...linesOf(machine.source, kernel));
      source.replaceChildren(shown.element);
    });
    update();
  };
})();
