// The live figure of lesson 1: which sectors a warp's load touches, by stride, offset and width.
LIVE_FIGURES.coalescing = (() => {
  const TEXT = {
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
  };
  const LANES = 32, SECTOR = 32, WORD = 4, ARRAY_GAP = 64;
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
    const left = 76, right = 690, bottom = 150, top = 12, most = 33;
    const times = new Map();
    let series;
    return (name, stride, ns) => {
      if (name !== series)
        times.clear();
      series = name;
      times.set(stride, ns);
      const ceiling = 1.1 * Math.max(...times.values());
      const x = at => left + (right - left) * at / most, y = at => bottom - (bottom - top) * at / ceiling;
      const ticks = [0, 1, 2, 4, 8, 16, 24, 32].map(at => element("text",
        {class: "tick", x: x(at), y: bottom + 20, "text-anchor": "middle"}, String(at)));
      const dots = [...times].map(([at, value]) => element("circle",
        {class: at === stride ? "dot now" : "dot", cx: x(at), cy: y(value), r: at === stride ? 7 : 4}));
      picture.replaceChildren(
        element("line", {class: "grid", x1: left, x2: right, y1: bottom, y2: bottom}), ...ticks,
        element("line", {class: "grid", x1: left, x2: right, y1: y(ns), y2: y(ns)}),
        element("text", {class: "tick", x: left - 6, y: y(ns) + 5, "text-anchor": "end"}, timeText(ns)),
        element("text", {class: "tick", x: (left + right) / 2, y: bottom + 42, "text-anchor": "middle"},
                TEXT.x), ...dots);
    };
  }

  return (panel, machine, guarded) => {
    let sweeping;
    const changed = () => {
      clearTimeout(sweeping);
      quick();
      slow();
    };
    const pattern = choice({name: "pattern", label: TEXT.pattern, options: TEXT.patterns}, () => {
      adapt();
      changed();
    });
    const width = choice({name: "width", label: TEXT.width, options: TEXT.widths}, changed);
    const stride = slider({name: "stride", label: TEXT.stride, from: 0, to: 33, value: 2,
                           unit: TEXT.floats}, changed);
    const offset = slider({name: "offset", label: TEXT.offset, from: 0, to: 8, value: 0,
                           unit: TEXT.floats}, changed);
    const picture = drawing(WIDTH, HEIGHT, "");
    const counted = readings(), modelled = readings();
    const curve = drawing(WIDTH, 196, TEXT.chart), note = chartOf(curve);
    const curveLabel = element("p", {class: "row-label"}, TEXT.chart);
    // From one stride to the next that the width allows.
    const sweep = button(TEXT.sweep, () => {
      const by = pattern.value === "strided" ? Number(width.value) : 1;
      const next = () => {
        quick();
        time();
        if (stride.value + by > 33)
          return;
        stride.value += by;
        sweeping = setTimeout(next, 0);
      };
      clearTimeout(sweeping);
      offset.value = 0;
      stride.value = 0;
      next();
    });
    sweep.dataset.key = "sweep";
    const buttons = element("div", {class: "buttons"}, sweep);
    const source = element("div");
    panel.append(liveTitle(TEXT.title),
                 element("div", {class: "controls"}, pattern.element, width.element, stride.element,
                         offset.element),
                 element("p", {class: "row-label"}, TEXT.lanes), picture,
                 element("p", {class: "row-label"}, TEXT.sectors), counted.element,
                 element("p", {class: "row-label"}, TEXT.launch(THREADS.toLocaleString("en"), BLOCKS)),
                 modelled.element, curveLabel, curve, buttons, source);
    const kernel = () => pattern.value !== "strided" || width.value === "1"
      ? pattern.value : `strided_${width.value}`;

    function adapt() {
      width.element.hidden = pattern.value !== "strided";
      for (const part of [stride.element, curveLabel, curve, buttons])
        part.style.display = pattern.value === "arrays" ? "none" : "";
      stride.element.firstChild.textContent =
        pattern.value === "structures" ? TEXT.structure : TEXT.stride;
    }

    // So many blocks; x has room for what they read, and the arrays lie one after another.
    function run(blocks, block, watch) {
      machine.begin();
      const threads = blocks * block, wide = Number(width.value);
      const apart = threads + ARRAY_GAP;
      const floats = pattern.value === "arrays" ? 3 * apart : threads * Math.max(stride.value, 4);
      const x = machine.allocate(4 * (floats + 16));
      const out = machine.allocate(4 * threads * wide);
      const second = pattern.value === "arrays" ? apart : stride.value;
      return machine.launch({kernel: kernel(), grid: [blocks], block: [block], watch,
                             parameters: [long(x), long(out), int(second), int(offset.value)]});
    }

    const fault = result => {
      if (result.fault)
        throw new Refused(result.fault.message);
    };
    const quick = guarded(() => {
      const {result, steps} = run(1, LANES, [0, 0, 0]);
      fault(result);
      const load = steps.find(step => step.space === "global");
      const [sectors, used] = draw(picture, load);
      picture.setAttribute("aria-label", TEXT.seen(sectors, shareText(used)));
      const loads = result.totals.global_load, stores = result.totals.global_store;
      counted.show({
        load_sectors: [TEXT.requests, plainNumber(loads.sectors / loads.requests)],
        used: [TEXT.used, shareText(loads.bytes / (loads.sectors * SECTOR))],
        store_sectors: [TEXT.stores, plainNumber(stores.sectors / stores.requests)],
      });
      const shown = sourceLines(machine.source, ...linesOf(machine.source, kernel()));
      shown.mark(load.line);
      source.replaceChildren(shown.element);
    });
    const time = guarded(() => {
      const {result} = run(BLOCKS, BLOCK);
      fault(result);
      const asked = result.totals.global_load.bytes + result.totals.global_store.bytes;
      modelled.show({
        modelled_ns: [TEXT.time, timeText(result.modelled_ns)],
        rate: [TEXT.rate, withPrefix(asked / result.modelled_ns * 1e9, "B/s")],
        dram_read: [TEXT.moved, bytesText(result.dram_read_bytes)],
        bound: [TEXT.bound, result.bound],
      });
      note(`${kernel()} ${offset.value}`, stride.value, result.modelled_ns);
    });
    const slow = delayed(time, 60);
    adapt();
    quick();
    slow();
  };
})();
