// The live figure of lesson 0's roofline: bytes and operations of your choice, and where they land.
LIVE_FIGURES.roofline = (() => {
  const TEXT = liveText("roofline", {
    title: "Your bytes, your operations",
    times: "Operations for each float read", stride: "Groups of four floats read stand",
    operations: n => String(n),
    apart: n => n === 1 ? "side by side" : `${n} apart`,
    chart: "dots: launches of yours; lines: what the device allows",
    intensity: "Operations a byte asked for", rate: "Reached", share: "Of what the roof allows",
    time: "Modelled time", bound: "Bound by", clear: "Forget the dots",
    launch: threads => `a launch of ${threads} threads, each of which reads four floats and ` +
      "writes four; some of its blocks run, and stand for all",
    x: "operations a byte (logarithmic)", y: "operations a second (logarithmic)",
    slope: "copy rate", roof: "FP32 units",
    seen: (rate, intensity) => `${rate} at ${intensity} operations a byte.`,
  });
  const BLOCKS = 8192, SAMPLE = 64, BLOCK = 256, THREADS = BLOCKS * BLOCK;
  const WIDTH = 704, HEIGHT = 330, LEFT = 76, BOTTOM = 292, RIGHT = 690, TOP = 14;
  const X = [0.2, 128], Y = [3e11, 1e14]; // what the axes span
  const along = (value, [from, to], a, b) =>
    a + (b - a) * Math.log(value / from) / Math.log(to / from);
  const x = value => along(value, X, LEFT, RIGHT);
  const y = value => along(value, Y, BOTTOM, TOP);
  const FLOATS = 4, BYTES = 4 * FLOATS; // of a thread, read and written
  const operationsOf = times => 2 * times; // a multiply-add is two

  function axes() {
    const parts = [];
    for (const at of [0.25, 1, 4, 16, 64])
      parts.push(element("line", {class: "grid", x1: x(at), x2: x(at), y1: TOP, y2: BOTTOM}),
                 element("text", {class: "tick", x: x(at), y: BOTTOM + 16, "text-anchor": "middle"},
                         String(at)));
    for (const [at, words] of [[1e12, "1 T"], [1e13, "10 T"], [1e14, "100 T"]])
      parts.push(element("line", {class: "grid", x1: LEFT, x2: RIGHT, y1: y(at), y2: y(at)}),
                 element("text", {class: "tick", x: LEFT - 6, y: y(at) + 4, "text-anchor": "end"},
                         words));
    parts.push(element("text", {class: "tick", x: (LEFT + RIGHT) / 2, y: HEIGHT - 4,
                                "text-anchor": "middle"}, TEXT.x));
    return parts;
  }

  function roof({copy_bytes_per_s: slope, fp32_per_s: flat}) {
    const ridge = flat / slope;
    const d = `M${x(X[0])} ${y(X[0] * slope)}L${x(ridge)} ${y(flat)}H${RIGHT}`;
    return [element("path", {class: "roof", d}),
            element("text", {class: "tick", x: x(0.7), y: y(0.7 * slope) + 34},
                    TEXT.slope),
            element("text", {class: "tick", x: RIGHT, y: y(flat) - 7, "text-anchor": "end"},
                    TEXT.roof)];
  }

  return (panel, machine, guarded) => {
    const dots = [], device = machine.device();
    const changed = delayed(() => update(), 40);
    const times = slider({name: "times", label: TEXT.times, from: 0, to: 8, value: 3,
                          words: n => TEXT.operations(operationsOf(2 ** n))}, changed);
    const stride = slider({name: "stride", label: TEXT.stride, from: 1, to: 4, value: 1,
                           words: TEXT.apart}, changed);
    const picture = drawing(WIDTH, HEIGHT, ""), told = readings(), source = element("div");
    const clear = button(TEXT.clear, () => { dots.length = 0; update(); });
    clear.dataset.key = "clear";
    panel.append(liveTitle(TEXT.title),
                 controls(times, stride), rowLabel(TEXT.chart), picture,
                 element("div", {class: "buttons"}, clear),
                 rowLabel(TEXT.launch(THREADS.toLocaleString("en"))), told.element, source);

    function show(dot) {
      if (!dots.some(one => one.key === dot.key))
        dots.push(dot);
      picture.replaceChildren(...axes(), ...roof(device), ...dots.map(one => element("circle", {
        class: one.key === dot.key ? "dot now" : "dot", cx: x(one.intensity), cy: y(one.rate),
        r: one.key === dot.key ? 7 : 4})));
      picture.setAttribute("aria-label",
                           TEXT.seen(withPrefix(dot.rate, "FLOP/s"), plainNumber(dot.intensity)));
    }

    const update = guarded(() => {
      machine.begin();
      const turns = 2 ** times.value;
      const from = machine.allocate(BYTES * THREADS * stride.value);
      const to = machine.allocate(BYTES * THREADS);
      const {result} = withoutFault(machine.launch({
        kernel: "intensity", sample: SAMPLE, grid: [BLOCKS], block: [BLOCK],
        parameters: [long(from), long(to), int(turns), int(stride.value)]}));
      const asked = result.totals.global_load.bytes + result.totals.global_store.bytes;
      const operations = operationsOf(turns) * FLOATS * THREADS;
      const intensity = operations / asked, rate = operations / result.modelled_ns * 1e9;
      show({key: `${turns} ${stride.value}`, intensity, rate});
      const allowed = Math.min(intensity * device.copy_bytes_per_s, device.fp32_per_s);
      told.show({
        intensity: [TEXT.intensity, `${plainNumber(intensity)} / B`],
        rate: [TEXT.rate, withPrefix(rate, "FLOP/s")],
        share: [TEXT.share, shareText(rate / allowed)],
        modelled_ns: [TEXT.time, timeText(result.modelled_ns)], bound: [TEXT.bound, result.bound],
      });
      source.replaceChildren(
        sourceLines(machine.source, ...linesOf(machine.source, "intensity")).element);
    });
    update();
  };
})();
