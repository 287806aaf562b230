// The live figure of lesson 2's tiles: what a block loads, stage by stage between its barriers.
LIVE_FIGURES.tiles = (() => {
  const TEXT = liveText("tiles", {
    title: "A block, from barrier to barrier",
    kernel: "Kernel", kernels: [["product", "no tiles"], ["tiles_8", "tiles of 8 \u00d7 8"],
      ["tiles_16", "tiles of 16 \u00d7 16"], ["one_barrier", "8 \u00d7 8, one barrier a turn"]],
    stage: "Stage", stages: (at, all) => `${at} of ${all}`, 
    back: "One stage back", next: "One stage on",
    matrices: "A, B and C: filled where the block loads or stores in this stage; framed: its C",
    shared: "shared memory, s_a and s_b: strong where words are written, pale where they are read",
    loaded: "Floats loaded from global memory", written: "Words written to shared memory",
    read: "Words read from shared memory", stored: "Floats stored",
    all: (side, launch) => `a product of ${side} \u00d7 ${side}, all of its blocks`,
    asked: "Asked of global memory", needed: "A and B have", barriers: "Barriers of blocks",
    time: "Modelled time", found: "Found", nothing: "no race",
    seen: (loaded, read) =>
      `The block loads ${loaded} floats from global memory and reads ${read} words.`,
  });
  const SIDE = 32, LARGE = 128, WORD = 4, CELL = 6.6, GAP = 22, LANES = 32, RACES = 1;
  const SIDE_OF = {product: 8, tiles_8: 8, tiles_16: 16, one_barrier: 8}; // of a block

  // All warps' steps, by how many barriers their warp had passed.
  function stagesOf(warps) {
    const stages = [];
    for (const steps of warps) {
      let passed = 0;
      for (const step of steps) {
        stages[passed] ??= {loads: [], stores: [], writes: [], reads: [], steps: []};
        const kind = `${step.space} ${step.ptx.split(".")[0].replace(/^@!?%\w+ /, "")}`;
        const list = {"global ld": "loads", "global st": "stores", "shared st": "writes",
                      "shared ld": "reads"}[kind];
        if (list)
          stages[passed][list].push(...wordsOf(step));
        stages[passed].steps.push(step);
        passed += step.ptx.startsWith("bar");
      }
    }
    return stages;
  }

  function wordsOf({address, bytes}) {
    return address.filter(at => at !== null).flatMap(at =>
      Array.from({length: bytes / WORD}, (_, i) => at / WORD + i));
  }

  // A square of cells, with those of words marked.
  function square(side, left, top, words, kind, name) {
    const wide = CELL - 0.8, whole = side * CELL;
    const d = [...new Set(words)].map(word => {
      const x = left + word % side * CELL, y = top + Math.floor(word / side) * CELL;
      return `M${x} ${y}h${wide}v${wide}h-${wide}z`;
    });
    return [element("rect", {class: "ground", x: left, y: top, width: whole, height: whole}),
            element("path", {class: kind, d: d.join("")}),
            element("text", {class: "tick", x: left, y: top - 5}, name)];
  }

  function draw(matrices, shared, stage, kernel) {
    const size = SIDE * SIDE, tile = SIDE_OF[kernel], wide = SIDE * CELL + GAP, top = 22;
    const ofA = stage.loads.filter(word => word < size);
    const ofB = stage.loads.filter(word => word >= size).map(word => word - size);
    matrices.replaceChildren(
      ...square(SIDE, 0, top, ofA, "side-1", "A"), ...square(SIDE, wide, top, ofB, "side-2", "B"),
      ...square(SIDE, 2 * wide, top, stage.stores, "side-0", "C"),
      element("rect", {class: "cursor", x: 2 * wide, y: top, width: tile * CELL,
                       height: tile * CELL}));
    const place = [["s_a", 0, "side-1"], ["s_b", tile * tile, "side-2"]];
    shared.replaceChildren(...kernel === "product" ? [] : place.flatMap(([name, from, kind], i) => {
      const inside = list => list.map(word => word - from)
        .filter(word => word >= 0 && word < tile * tile);
      const written = inside(stage.writes), read = inside(stage.reads);
      return square(tile, i * wide, top, written.length ? written : read,
                    written.length ? kind : `${kind} faint`, name);
    }));
    shared.style.display = kernel === "product" ? "none" : "";
  }

  return (panel, machine, guarded) => {
    let stages = [], shown;
    const kernel = choice({name: "kernel", label: TEXT.kernel, options: TEXT.kernels}, () => {
      scrub.value = 0;
      quick();
      slow();
    });
    const scrub = slider({name: "stage", label: TEXT.stage, from: 0, to: 1, value: 0,
                          words: at => TEXT.stages(at + 1, stages.length)}, () => show());
    const matrices = drawing(704, 22 + SIDE * CELL, ""), shared = drawing(704, 130, "");
    const now = readings(), all = readings(), source = element("div");
    const go = by => {
      scrub.value = Math.min(Math.max(scrub.value + by, 0), stages.length - 1);
      show();
    };
    const buttons = element("div", {class: "buttons"});
    const ways = [["back", "\u2190", TEXT.back, -1], ["next", "\u2192", TEXT.next, 1]];
    for (const [key, sign, words, by] of ways) {
      const made = button(sign, () => go(by));
      made.dataset.key = key;
      made.setAttribute("aria-label", words);
      buttons.append(made);
    }
    panel.append(liveTitle(TEXT.title), controls(kernel, scrub), buttons, rowLabel(TEXT.matrices),
                 matrices, rowLabel(TEXT.shared), shared, now.element, source,
                 rowLabel(TEXT.all(LARGE)), all.element);

    function show() {
      const stage = stages[scrub.value];
      draw(matrices, shared, stage, kernel.value);
      matrices.setAttribute("aria-label", TEXT.seen(stage.loads.length, stage.reads.length));
      shown.mark(stage.steps.find(step => step.space)?.line);
      now.show({
        loaded: [TEXT.loaded, String(stage.loads.length)],
        written: [TEXT.written, String(stage.writes.length)],
        read: [TEXT.read, String(stage.reads.length)],
        stored: [TEXT.stored, String(stage.stores.length)],
      });
    }

    // A and B lie in one buffer, so that an address tells which of them was read.
    function run(side, {watch, checks = 0, blocks} = {}) {
      machine.begin();
      const tile = SIDE_OF[kernel.value], count = blocks ?? side / tile;
      const bytes = WORD * side * side;
      const both = machine.allocate(2 * bytes), to = machine.allocate(bytes);
      machine.fill(both, 2 * side * side);
      return machine.launch({
        kernel: kernel.value, grid: [count, count], block: [tile, tile], watch, checks,
        parameters: [long(both), long(both + bytes), long(to), int(side)]});
    }
    const quick = guarded(() => {
      const warps = SIDE_OF[kernel.value] ** 2 / LANES;
      stages = stagesOf(Array.from({length: warps}, (_, warp) =>
        run(SIDE, {watch: [0, 0, warp], blocks: 1}).steps));
      const name = kernel.value === "product" ? "product" : "by_tiles";
      shown = sourceLines(machine.source, ...linesOf(machine.source, name));
      source.replaceChildren(shown.element);
      scrub.to = stages.length - 1;
      show();
    });
    const slow = delayed(guarded(() => {
      const found = run(SIDE, {checks: RACES}).result.findings;
      const {result} = run(LARGE);
      all.show({
        asked: [TEXT.asked, bytesText(result.totals.global_load.bytes)],
        needed: [TEXT.needed, bytesText(2 * WORD * LARGE * LARGE)],
        barriers: [TEXT.barriers, String(result.totals.barriers)],
        modelled_ns: [TEXT.time, timeText(result.modelled_ns)],
        found: [TEXT.found, found.length ? `${found[0].title}: ${found[0].message}` : TEXT.nothing],
      });
    }), 60);
    quick();
    slow();
  };
})();
