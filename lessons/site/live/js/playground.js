// The playground: any PTX, its parameters and launch, run under every check.
LIVE_FIGURES.playground = (() => {
  const TEXT = {
    title: "A kernel of your own", example: "Begin with", ptx: "PTX", kernel: "Kernel",
    parameters: "Parameters, one to a line", blocks: "Blocks, x and y",
    threads: "Threads of a block",
    shared: "Dynamic shared memory, bytes", run: "Run", time: "Modelled time", bound: "Bound by",
    found: "Found", nothing: "no fault, no race, no read of what was never written",
    issued: "Instructions of warps", lanes: "Lanes on, on average", registers: "Registers a thread",
    read: "Read from device memory", line: n => `line ${n}`, times: n => `${n} times`,
    columns: ["line", "runs", "lanes on", "sectors or wavefronts a request", "modelled time",
              "PTX"],
    values: (name, shown) => `The first values of parameter ${name}: ${shown}`,
    bad: text =>
      `A parameter is "floats 4096", "ints 64", "int 5", "long 5" or "float 0.5", not "${text}".`,
    numbers: "Blocks, threads and bytes are whole numbers.",
  };
  const CHECKS = 7; // SIM_CHECK_ALL
  const EXAMPLES = {
    saxpy: ["floats 65536\nfloats 65536\nfloats 65536\nfloat 2\nint 65536", [256, 1], 256],
    past_the_end: ["floats 65500\nfloats 65500\nfloats 65500\nfloat 2\nint 65500", [256, 1], 256],
    no_barrier: ["floats 16384\nfloats 64", [64, 1], 256],
    histogram: ["floats 65536\nints 64", [256, 1], 256],
    transpose: ["floats 65536\nfloats 65536\nint 256", [8, 32], 256],
  };

  // One kernel of the PTX that nvcc made, with what stands before the first.
  function ptxOf(text, kernel) {
    const parts = text.split(/(?=\.visible \.entry )/);
    const head = parts[0].slice(parts[0].indexOf(".version")).split(/\n\s*\/\//)[0].trimEnd();
    const one = parts.find(part => part.startsWith(`.visible .entry ${kernel}(`));
    return `${head}\n\n${one.slice(0, one.lastIndexOf("\n}") + 2)}\n`;
  }

  // The machine names lines as .loc says, so each instruction gets that of its own line; unless the
  // text has its own.
  function withLines(text) {
    if (/^\s*\.loc/m.test(text))
      return text;
    const lines = text.split("\n").map((line, i) =>
      /^\s+@?[!%\w].*;/.test(line) ? ` .loc 1 ${i + 1} 0 ${line}` : line);
    return `${lines.join("\n")}\n.file 1 "PTX"\n`;
  }

  const wholeNumber = text => {
    if (!/^\s*\d+\s*$/.test(text))
      throw new Refused(TEXT.numbers);
    return Number(text);
  };

  const wholeNumbers = text => text.trim().split(/\s+/).map(wholeNumber);

  // Memory for a parameter, or its value; buffers remember where it is.
  function parameterOf(machine, text, buffers) {
    const [kind, value] = text.trim().split(/\s+/), number = Number(value);
    if (value === undefined || Number.isNaN(number))
      throw new Refused(TEXT.bad(text));
    if (kind === "floats" || kind === "ints") {
      const address = machine.allocate(4 * wholeNumber(value));
      if (kind === "floats" && buffers.length === 0)
        machine.fill(address, number);
      buffers.push({kind, address, count: number});
      return long(address);
    }
    const make = {int, long, float}[kind];
    if (!make || (kind !== "float" && !Number.isInteger(number)))
      throw new Refused(TEXT.bad(text));
    return make(number);
  }

  function valuesOf(machine, {kind, address, count}) {
    const bytes = machine.read(address, 4 * Math.min(count, 8)), view = new DataView(bytes.buffer);
    return Array.from({length: bytes.length / 4}, (_, i) =>
      kind === "ints" ? view.getInt32(4 * i, true) : plainNumber(view.getFloat32(4 * i, true)));
  }

  function rowOf(op) {
    const access = op.memory?.requests ? op.memory.sectors / op.memory.requests
      : op.shared?.requests ? op.shared.wavefronts / op.shared.requests : null;
    const ns = op.modelled_ns.reduce((sum, part) => sum + part, 0);
    return [op.line || "", op.executions, plainNumber(op.lanes_on / op.executions),
            access === null ? "" : plainNumber(access), timeText(ns),
            op.ptx.replace(/^\.loc 1 \d+ 0 /, "")];
  }

  function table(ops) {
    const row = (cells, kind) =>
      element("tr", {}, ...cells.map(cell => element(kind, {}, String(cell))));
    return element("div", {class: "wide", tabindex: 0}, element("table", {class: "counts"},
      element("thead", {}, row(TEXT.columns, "th")),
      element("tbody", {}, ...ops.map(op => row(rowOf(op), "td")))));
  }

  function foundIn(result) {
    const all = [...result.fault ? [result.fault] : [], ...result.findings];
    return all.length === 0 ? TEXT.nothing : element("ul", {}, ...all.map(one => element("li", {},
      `${one.title}: ${one.message}${one.line ? ` (${TEXT.line(one.line)})` : ""}`)));
  }

  const field = (name, label, value) => {
    const input = element("input", {type: "text", name, value});
    const around = element("label", {class: "control"}, element("span", {}, label), input);
    return {input, element: around};
  };
  const area = (name, label, rows) => {
    const input = element("textarea", {name, rows, spellcheck: "false"});
    return {element: element("label", {class: "area"}, element("span", {}, label), input), input};
  };

  return async (panel, machine, guarded) => {
    LIVE_DATA["playground.text"] ??= await unpackedText("playground.ptx");
    const example = choice({name: "example", label: TEXT.example, options:
      Object.keys(EXAMPLES).map(name => [name, name])}, () => begin());
    const ptx = area("ptx", TEXT.ptx, 16), parameters = area("parameters", TEXT.parameters, 5);
    const kernel = field("kernel", TEXT.kernel, ""), blocks = field("blocks", TEXT.blocks, "");
    const threads = field("threads", TEXT.threads, ""), shared = field("shared", TEXT.shared, "0");
    const found = readings(), totals = readings(), values = element("p", {class: "row-label"});
    const counts = element("div");
    const start = button(TEXT.run, () => run());
    start.dataset.key = "run";

    function begin() {
      const [words, grid, block] = EXAMPLES[example.value];
      ptx.input.value = ptxOf(LIVE_DATA["playground.text"], example.value);
      parameters.input.value = words;
      kernel.input.value = example.value;
      blocks.input.value = grid.join(" ");
      threads.input.value = block;
      shared.input.value = 0;
      run();
    }

    const run = guarded(() => {
      machine.begin();
      const buffers = [];
      machine.load(new TextEncoder().encode(withLines(ptx.input.value)));
      const given = parameters.input.value.split("\n").filter(text => text.trim() !== "")
        .map(text => parameterOf(machine, text, buffers));
      const {result} = machine.launch({
        kernel: kernel.input.value.trim(), grid: wholeNumbers(blocks.input.value),
        block: wholeNumbers(threads.input.value),
        shared: wholeNumber(shared.input.value), checks: CHECKS, parameters: given});
      found.show({found: [TEXT.found, foundIn(result)]});
      totals.show(result.totals ? {
        modelled_ns: [TEXT.time, timeText(result.modelled_ns)], bound: [TEXT.bound, result.bound],
        issued: [TEXT.issued, result.totals.warp_inst.toLocaleString("en")],
        lanes: [TEXT.lanes, plainNumber(result.totals.thread_inst / result.totals.warp_inst)],
        read: [TEXT.read, bytesText(result.dram_read_bytes)],
      } : {});
      const last = buffers.at(-1);
      values.textContent = last && !result.fault
        ? TEXT.values(buffers.length, valuesOf(machine, last).join(", ")) : "";
      counts.replaceChildren(result.ops ? table(result.ops) : "");
    });
    panel.append(liveTitle(TEXT.title),
                 controls(example, kernel, blocks, threads, shared), parameters.element,
                 ptx.element,
                 element("div", {class: "buttons"}, start), found.element, totals.element, values,
                 counts);
    begin();
  };
})();
