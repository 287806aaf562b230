// The live figure of lesson 3: one warp, step by step, with the lanes that are on.
LIVE_FIGURES.divergence = (() => {
  const TEXT = {
    title: "A warp, step by step",
    kernel: "Kernel", kernels: [["sides", "if and else"], ["lengths", "a loop of unequal lengths"],
                                ["shuffles", "a sum by shuffles"]],
    period: "Pattern repeats after", few: "of them on one side", longest: "of them go the whole way",
    turns: "Turns of the loop", threads: n => `${n} thread${n === 1 ? "" : "s"}`,
    step: "Step of warp 0", first: "To the first step", back: "One step back",
    next: "One step on", last: "To the last step", play: "Play", stop: "Stop",
    steps: (at, all) => `${at} of ${all}`,
    time: "time runs to the right, lane 0 is at the top: filled where a lane is on",
    strip: "the 32 lanes in this step", on: "Lanes on",
    state: "State", together: "all lanes together", met: "the paths have met: all lanes again",
    waits: n => `${n} lanes wait at the meeting point`, parted: "the warp parts here",
    ended: n => `${n} lanes have ended`, exchange: d => `lane t reads lane t + ${d}`,
    average: "Lanes on, on average", issued: "Instructions of a warp", diverged: "Branches that part",
    modelled: "Modelled time", launch: "a launch of 262,144 threads in 1024 blocks of 256",
    seen: (on, all) => `${on} of 32 lanes are on in this step, of ${all} steps in all.`,
  };
  const LANES = 32, WIDTH = 704, ROW = 6, BLOCKS = 1024, BLOCK = 256, PITCH = 22;

  const bits = mask => Array.from({length: LANES}, (_, lane) => mask >>> lane & 1);
  const count = mask => bits(mask).reduce((sum, bit) => sum + bit, 0);

  // Which side of the kernel's if a line is on: 1, 2 or 0 for neither.
  function sideOf(source, [first, last]) {
    const lines = source.split("\n");
    const begin = lines.findIndex((text, i) => i >= first && i < last && /^ +if .*\{$/.test(text));
    const middle = lines.findIndex((text, i) => i >= first && i < last && text.includes("} else {"));
    const end = lines.findIndex((text, i) => i > middle && text === "    }");
    return line => middle < 0 || line <= begin + 1 || line > end ? 0 : line <= middle + 1 ? 1 : 2;
  }

  function drawTime(picture, steps, side) {
    const cell = Math.min(WIDTH / steps.length, 14), paths = ["", "", ""];
    steps.forEach((step, i) => bits(step.active).forEach((on, lane) => {
      if (on)
        paths[side(step.line)] +=
          `M${(i * cell).toFixed(2)} ${lane * ROW}h${(cell * 0.9).toFixed(2)}v${ROW - 1}h${(-cell * 0.9).toFixed(2)}z`;
    }));
    const cursor = element("rect", {class: "cursor", y: 0, width: cell, height: LANES * ROW});
    picture.replaceChildren(
      element("rect", {class: "ground", width: cell * steps.length, height: LANES * ROW}),
      ...paths.map((d, i) => element("path", {class: `side-${i}`, d})), cursor);
    return at => cursor.setAttribute("x", at * cell);
  }

  // The lanes of one step; of a shuffle, who reads whom.
  function drawStrip(picture, step, side, distance) {
    const parts = [], on = bits(step.active), live = bits(step.live);
    for (let lane = 0; lane < LANES; lane++) {
      const x = lane * PITCH + PITCH / 2;
      const kind = on[lane] ? `side-${side(step.line)}` : live[lane] ? "waits" : "ended";
      if (distance && lane + distance < LANES)
        parts.push(element("line", {class: "edge", x1: x + distance * PITCH, y1: 2, x2: x, y2: 40}));
      parts.push(element("rect", {class: kind, x: x - 8, y: 40, width: 16, height: 16, rx: 2}));
    }
    picture.replaceChildren(...parts);
  }

  // How far away the lane is that a shuffle reads: what was last moved to the register that says so.
  function distanceOf(steps, at) {
    const [, register] = /^shfl\.sync\.down\.b32 [^,]+, [^,]+, (%\w+)/.exec(steps[at].ptx) ?? [];
    const move = steps.slice(0, at).findLast(step => step.ptx.startsWith(`mov.u32 ${register}, `));
    return register && move ? Number(move.ptx.split(", ")[1]) : 0;
  }

  function stateOf(steps, at, distance) {
    const step = steps[at], before = steps[at - 1], after = steps[at + 1];
    if (distance)
      return TEXT.exchange(distance);
    if (step.mask !== step.live)
      return TEXT.waits(count(step.live) - count(step.mask));
    if (after && after.mask !== after.live && after.live === step.live)
      return TEXT.parted;
    if (before && before.mask !== before.live && before.live === step.live)
      return TEXT.met;
    return count(step.live) < LANES ? TEXT.ended(LANES - count(step.live)) : TEXT.together;
  }

  return (panel, machine, guarded) => {
    let steps = [], side = () => 0, moveCursor, shown, ptx, timer;
    const changed = () => { quick(); slow(); };
    const kernel = choice({name: "kernel", label: TEXT.kernel, options: TEXT.kernels}, () => {
      for (const control of [period, few, turns])
        control.element.hidden = kernel.value === "shuffles";
      few.element.firstChild.textContent = kernel.value === "lengths" ? TEXT.longest : TEXT.few;
      changed();
    });
    const period = slider({name: "period", label: TEXT.period, from: 1, to: 64, value: 2,
                           words: TEXT.threads}, () => { few.to = period.value; changed(); });
    const few = slider({name: "few", label: TEXT.few, from: 0, to: 2, value: 1,
                        words: TEXT.threads}, changed);
    const turns = slider({name: "turns", label: TEXT.turns, from: 1, to: 8, value: 3}, changed);
    const scrub = slider({name: "step", label: TEXT.step, from: 0, to: 1, value: 0,
                          words: at => TEXT.steps(at + 1, steps.length)}, () => show());
    const time = drawing(WIDTH, LANES * ROW, ""), strip = drawing(WIDTH, 58, "");
    const now = readings(), whole = readings(), modelled = readings(), source = element("div", {class: "codes"});

    function go(to) {
      scrub.value = Math.min(Math.max(to, 0), steps.length - 1);
      show();
    }
    function stop() {
      clearInterval(timer);
      timer = undefined;
      play.textContent = "\u25b6";
      play.setAttribute("aria-label", TEXT.play);
    }
    const keyed = (key, sign, words, pressed) => {
      const made = button(sign, pressed);
      made.dataset.key = key;
      made.setAttribute("aria-label", words);
      made.title = words;
      return made;
    };
    const play = keyed("play", "\u25b6", TEXT.play, () => {
      if (timer) {
        stop();
        return;
      }
      play.textContent = "\u25a0";
      play.setAttribute("aria-label", TEXT.stop);
      timer = setInterval(() => scrub.value + 1 < steps.length ? go(scrub.value + 1) : stop(), 350);
    });
    const buttons = element("div", {class: "buttons"},
      keyed("first", "\u21e4", TEXT.first, () => go(0)),
      keyed("back", "\u2190", TEXT.back, () => go(scrub.value - 1)),
      keyed("next", "\u2192", TEXT.next, () => go(scrub.value + 1)),
      keyed("last", "\u21e5", TEXT.last, () => go(steps.length - 1)), play);

    function show() {
      const at = scrub.value, step = steps[at], on = count(step.active);
      moveCursor(at);
      const distance = distanceOf(steps, at);
      drawStrip(strip, step, side, distance);
      strip.setAttribute("aria-label", TEXT.seen(on, steps.length));
      shown.mark(step.line);
      ptx.mark(step.ptx_line);
      now.show({on: [TEXT.on, `${on} / ${LANES}`],
                state: [TEXT.state, stateOf(steps, at, distance)]});
    }

    function run(blocks, block, watch) {
      machine.begin();
      const x = machine.allocate(4 * blocks * block), y = machine.allocate(4 * blocks * block);
      machine.fill(x, blocks * block);
      const parameters = [long(x), long(y)];
      if (kernel.value !== "shuffles")
        parameters.push(int(period.value), int(few.value), int(turns.value));
      return machine.launch({kernel: kernel.value, grid: [blocks], block: [block], watch,
                             parameters});
    }
    const quick = guarded(() => {
      stop();
      const answer = run(1, LANES, [0, 0, 0]), totals = answer.result.totals;
      steps = answer.steps;
      const lines = linesOf(machine.source, kernel.value);
      side = sideOf(machine.source, lines);
      shown = sourceLines(machine.source, ...lines);
      ptx = instructions(answer.result);
      source.replaceChildren(shown.element, ptx.element);
      moveCursor = drawTime(time, steps, side);
      time.setAttribute("aria-label", TEXT.time);
      scrub.to = steps.length - 1;
      go(scrub.value || steps.findIndex(step => step.mask !== step.live) - 1);
      whole.show({
        average: [TEXT.average, `${plainNumber(totals.thread_inst / totals.warp_inst)} / ${LANES}`],
        issued: [TEXT.issued, String(totals.warp_inst)],
        diverged: [TEXT.diverged, String(totals.divergent_branches)],
      });
    });
    const slow = delayed(guarded(() => {
      const {result} = run(BLOCKS, BLOCK);
      modelled.show({modelled_ns: [TEXT.modelled, timeText(result.modelled_ns)]});
    }), 60);
    panel.append(liveTitle(TEXT.title),
                 element("div", {class: "controls"}, kernel.element, turns.element, period.element, few.element),
      element("p", {class: "row-label"}, TEXT.time), time, scrub.element, buttons,
      element("p", {class: "row-label"}, TEXT.strip), strip, now.element, source, whole.element,
      element("p", {class: "row-label"}, TEXT.launch), modelled.element);
    quick();
    slow();
  };
})();
