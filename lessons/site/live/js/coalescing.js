// The live figure of lesson 1: which sectors a warp's load touches, by stride, offset and width.
LIVE_FIGURES.coalescing = (() => {
  const TEXT = liveText("coalescing", {
    title: "A load and a store of your choice",
    pattern: "Each thread loads", width: "At once", stride: "Stride", offset: "Offset",
    floats: "floats", structure: "Size of a structure",
    patterns: [["strided", "one element"], ["structures", "3 fields of a structure"],
               ["arrays", "3 fields from 3 arrays"]],
    widths: [["1", "float"], ["2", "float2"], ["4", "float4"]],
    lanes: "32 lanes", sectors: "sectors of 32 bytes, filled where a lane asked",
    requests: "Sectors a request (loads)", used: "Fetched bytes used",
    stores: "Sectors a request (stores)", time: "Modelled time", moved: "Read from device memory",
    rate: "Bytes asked for, a second", bound: "Bound by",
    chart: "modelled time of that launch, by stride: a dot for each that was tried",
    sweep: "Try every stride", x: "stride, floats",
    seen: (sectors, used) => `32 lanes touch ${sectors} sectors and use ${used} of their bytes.`,
    launch: (threads, blocks) => `a launch of ${threads} threads in ${blocks} blocks of 256`,
  });
  const LANES = 32, SECTOR = 32, WORD = 4, ARRAY_GAP = 64, MOST = 33; // stride
  const BLOCKS = 4096, BLOCK = 256, THREADS = BLOCKS * BLOCK;
  const WIDTH = 704, PITCH = 22, CELL = 2.45, HEIGHT = 116, MEMORY = 84;

  // The sectors that a request touches, in order: number, and the words in use.
  function sectorsOf(request) {
    const found = new Map();
    for (const address of request.address)
      for (let byte = address; address !== null && byte < address + request.bytes; byte += WORD) {
        const number = Math.floor(byte / SECTOR);
        if (!found.has(number))
          found.set(number, {number, used: new Set()});
        found.get(number).used.add(byte % SECTOR / WORD);
      }
    return [...found.values()].sort((a, b) => a.number - b.number);
  }

  function place(sectors) {
    let x = 0;
    sectors.forEach((sector, i) => {
      x += i > 0 && sector.number !== sectors[i - 1].number + 1 ? 2 : 0;
      sector.x = x;
      x += SECTOR / WORD * CELL;
    });
    const shift = (WIDTH - x) / 2;
    for (const sector of sectors)
      sector.x += shift;
  }

  function draw(picture, request) {
    const sectors = sectorsOf(request), parts = [];
    place(sectors);
    const at = new Map(sectors.map(sector => [sector.number, sector]));
    request.address.forEach((address, lane) => {
      const x = lane * PITCH + PITCH / 2;
      parts.push(element("rect", {class: address === null ? "lane off" : "lane", x: x - 8, y: 2,
                                  width: 16, height: 14, rx: 2}));
      if (address === null)
        return;
      const sector = at.get(Math.floor(address / SECTOR));
      const to = sector.x + (address % SECTOR / WORD + request.bytes / WORD / 2) * CELL;
      parts.push(element("line", {class: "edge", x1: x, y1: 16, x2: to, y2: MEMORY}));
    });
    for (const sector of sectors) {
      for (const word of sector.used)
        parts.push(element("rect", {class: "on", x: sector.x + word * CELL, y: MEMORY, width: CELL,
                                    height: 22}));
      parts.push(element("rect", {class: "sector", x: sector.x, y: MEMORY,
                                  width: SECTOR / WORD * CELL, height: 22}));
    }
    picture.replaceChildren(...parts);
    const used = sectors.reduce((sum, sector) => sum + sector.used.size, 0) * WORD;
    return [sectors.length, used / (sectors.length * SECTOR)];
  }

  // Time against stride. Other patterns, widths and offsets start afresh.
  function chartOf(picture) {
    const left = 76, right = 690, bottom = 150, top = 12;
    const times = new Map();
    let series;
    return (name, stride, ns) => {
      if (name !== series)
        times.clear();
      series = name;
      times.set(stride, ns);
      const ceiling = 1.1 * Math.max(...times.values());
      const x = at => left + (right - left) * at / MOST;
      const y = at => bottom - (bottom - top) * at / ceiling;
      const ticks = [0, 1, 2, 4, 8, 16, 24, 32].map(at => element("text",
        {class: "tick", x: x(at), y: bottom + 20, "text-anchor": "middle"}, String(at)));
      const dots = [...times].map(([at, value]) => element("circle",
        {class: at === stride ? "dot now" : "dot", cx: x(at), cy: y(value),
         r: at === stride ? 7 : 4}));
      picture.replaceChildren(
        element("line", {class: "grid", x1: left, x2: right, y1: bottom, y2: bottom}), ...ticks,
        element("line", {class: "grid", x1: left, x2: right, y1: y(ns), y2: y(ns)}),
        element("text", {class: "tick", x: left - 6, y: y(ns) + 5, "text-anchor": "end"},
                timeText(ns)),
        element("text", {class: "tick", x: (left + right) / 2, y: bottom + 42,
                         "text-anchor": "middle"}, TEXT.x), ...dots);
    };
  }

  class Figure {
    constructor(panel, machine, guarded) {
      this.machine = machine;
      this.quick = guarded(() => this.runWarp());
      this.time = guarded(() => this.runAll());
      this.slow = delayed(this.time, 60);
      this.makeControls();
      this.makeRest(panel);
      this.adapt();
      this.quick();
      this.slow();
    }

    makeControls() {
      const changed = () => this.changed();
      this.pattern = choice({name: "pattern", label: TEXT.pattern, options: TEXT.patterns}, () => {
        this.adapt();
        this.changed();
      });
      this.width = choice({name: "width", label: TEXT.width, options: TEXT.widths}, changed);
      this.stride = slider({name: "stride", label: TEXT.stride, from: 0, to: MOST, value: 2,
                            unit: TEXT.floats}, changed);
      this.offset = slider({name: "offset", label: TEXT.offset, from: 0, to: 8, value: 0,
                            unit: TEXT.floats}, changed);
      const sweep = button(TEXT.sweep, () => this.sweep());
      sweep.dataset.key = "sweep";
      this.buttons = element("div", {class: "buttons"}, sweep);
    }

    makeRest(panel) {
      this.picture = drawing(WIDTH, HEIGHT, "");
      this.curve = drawing(WIDTH, 196, TEXT.chart);
      this.note = chartOf(this.curve);
      this.curveLabel = rowLabel(TEXT.chart);
      this.counted = readings();
      this.modelled = readings();
      this.source = element("div");
      panel.append(
        liveTitle(TEXT.title), controls(this.pattern, this.width, this.stride, this.offset),
        rowLabel(TEXT.lanes), this.picture, rowLabel(TEXT.sectors), this.counted.element,
        rowLabel(TEXT.launch(THREADS.toLocaleString("en"), BLOCKS)), this.modelled.element,
        this.curveLabel, this.curve, this.buttons, this.source);
    }

    changed() {
      clearTimeout(this.sweeping);
      this.quick();
      this.slow();
    }

    // Only what the pattern has.
    adapt() {
      const isArrays = this.pattern.value === "arrays";
      this.width.element.hidden = this.pattern.value !== "strided";
      for (const part of [this.stride.element, this.curveLabel, this.curve, this.buttons])
        part.style.display = isArrays ? "none" : "";
      this.stride.element.firstChild.textContent =
        this.pattern.value === "structures" ? TEXT.structure : TEXT.stride;
    }

    get floatsAtOnce() {
      return this.pattern.value === "strided" ? Number(this.width.value) : 1;
    }

    get kernel() {
      return this.floatsAtOnce === 1 ? this.pattern.value : `strided_${this.floatsAtOnce}`;
    }

    // From one stride to the next that the width allows.
    sweep() {
      const next = () => {
        this.quick();
        this.time();
        if (this.stride.value + this.floatsAtOnce > MOST)
          return;
        this.stride.value += this.floatsAtOnce;
        this.sweeping = setTimeout(next, 0);
      };
      clearTimeout(this.sweeping);
      this.offset.value = 0;
      this.stride.value = 0;
      next();
    }

    // So many blocks; x has room for what they read, and the arrays lie one after another.
    run(blocks, block, watch) {
      this.machine.begin();
      const threads = blocks * block, apart = threads + ARRAY_GAP;
      const isArrays = this.pattern.value === "arrays";
      const floats = isArrays ? 3 * apart : threads * Math.max(this.stride.value, 4);
      const x = this.machine.allocate(4 * (floats + 16));
      const out = this.machine.allocate(4 * threads * this.floatsAtOnce);
      const second = isArrays ? apart : this.stride.value;
      return withoutFault(this.machine.launch({
        kernel: this.kernel, grid: [blocks], block: [block], watch,
        parameters: [long(x), long(out), int(second), int(this.offset.value)]}));
    }

    runWarp() {
      const {result, steps} = this.run(1, LANES, [0, 0, 0]);
      const load = steps.find(step => step.space === "global");
      const [sectors, used] = draw(this.picture, load);
      this.picture.setAttribute("aria-label", TEXT.seen(sectors, shareText(used)));
      const loads = result.totals.global_load, stores = result.totals.global_store;
      this.counted.show({
        load_sectors: [TEXT.requests, plainNumber(loads.sectors / loads.requests)],
        used: [TEXT.used, shareText(loads.bytes / (loads.sectors * SECTOR))],
        store_sectors: [TEXT.stores, plainNumber(stores.sectors / stores.requests)],
      });
      const source = this.machine.source;
      const shown = sourceLines(source, ...linesOf(source, this.kernel));
      shown.mark(load.line);
      this.source.replaceChildren(shown.element);
    }

    runAll() {
      const {result} = this.run(BLOCKS, BLOCK);
      const asked = result.totals.global_load.bytes + result.totals.global_store.bytes;
      this.modelled.show({
        modelled_ns: [TEXT.time, timeText(result.modelled_ns)],
        rate: [TEXT.rate, withPrefix(asked / result.modelled_ns * 1e9, "B/s")],
        dram_read: [TEXT.moved, bytesText(result.dram_read_bytes)],
        bound: [TEXT.bound, result.bound],
      });
      this.note(`${this.kernel} ${this.offset.value}`, this.stride.value, result.modelled_ns);
    }
  }

  return (...given) => new Figure(...given);
})();
