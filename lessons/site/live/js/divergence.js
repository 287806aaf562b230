// The live figure of lesson 3: one warp, step by step, with the lanes that are on.
LIVE_FIGURES.divergence = (() => {
  const TEXT = liveText("divergence", {
    title: "A warp, step by step",
    kernel: "Kernel", kernels: [["sides", "if and else"], ["lengths", "a loop of unequal lengths"],
                                ["shuffles", "a sum by shuffles"]],
    period: "Pattern repeats after", few: "of them on one side",
    longest: "of them go the whole way",
    turns: "Turns of the loop", threads: n => `${n} thread${n === 1 ? "" : "s"}`,
    step: "Step of warp 0", first: "To the first step", back: "One step back",
    next: "One step on", last: "To the last step", play: "Play", stop: "Stop",
    steps: (at, all) => `${at} of ${all}`,
    time: "time runs to the right, lane 0 is at the top: filled where a lane is on",
    strip: "the 32 lanes in this step", on: "Lanes on",
    state: "State", together: "all lanes together", met: "the paths have met: all lanes again",
    waits: n => `${n} lanes wait at the meeting point`, parted: "the warp parts here",
    ended: n => `${n} lanes have ended`, exchange: d => `lane t reads lane t + ${d}`,
    average: "Lanes on, on average", issued: "Instructions of a warp",
    diverged: "Branches that part",
    modelled: "Modelled time", launch: "a launch of 262,144 threads in 1024 blocks of 256",
    seen: (on, all) => `${on} of 32 lanes are on in this step, of ${all} steps in all.`,
  });
  const LANES = 32, WIDTH = 704, ROW = 6, BLOCKS = 1024, BLOCK = 256, PITCH = 22;

  const bits = mask => Array.from({length: LANES}, (_, lane) => mask >>> lane & 1);
  const count = mask => bits(mask).reduce((sum, bit) => sum + bit, 0);

  // Which side of the kernel's if a line is on: 1, 2 or 0 for neither.
  function sideOf(source, [first, last]) {
    const lines = source.split("\n");
    const isInside = i => i >= first && i < last;
    const begin = lines.findIndex((text, i) => isInside(i) && /^ +if .*\{$/.test(text));
    const middle = lines.findIndex((text, i) => isInside(i) && text.includes("} else {"));
    const end = lines.findIndex((text, i) => i > middle && text === "    }");
    return line => middle < 0 || line <= begin + 1 || line > end ? 0 : line <= middle + 1 ? 1 : 2;
  }

  function drawTime(picture, steps, side) {
    const cell = Math.min(WIDTH / steps.length, 14), paths = ["", "", ""];
    const wide = (cell * 0.9).toFixed(2);
    steps.forEach((step, i) => bits(step.active).forEach((on, lane) => {
      if (on)
        paths[side(step.line)] +=
          `M${(i * cell).toFixed(2)} ${lane * ROW}h${wide}v${ROW - 1}h-${wide}z`;
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
        parts.push(element("line", {class: "edge", x1: x + distance * PITCH, y1: 2, x2: x,
                                    y2: 40}));
      parts.push(element("rect", {class: kind, x: x - 8, y: 40, width: 16, height: 16, rx: 2}));
    }
    picture.replaceChildren(...parts);
  }

  // How far away the lane is that a shuffle reads: what was last moved to the register that tells.
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

  const keyed = (key, sign, words, pressed) => {
    const made = button(sign, pressed);
    made.dataset.key = key;
    made.setAttribute("aria-label", words);
    made.title = words;
    return made;
  };

  class Figure {
    constructor(panel, machine, guarded) {
      this.machine = machine;
      this.steps = [];
      this.quick = guarded(() => this.runWarp());
      this.slow = delayed(guarded(() => this.runAll()), 60);
      this.makeControls();
      this.makeRest(panel);
      this.quick();
      this.slow();
    }

    makeControls() {
      const changed = () => {
        this.quick();
        this.slow();
      };
      this.kernel = choice({name: "kernel", label: TEXT.kernel, options: TEXT.kernels}, () => {
        this.adapt();
        changed();
      });
      this.period = slider({name: "period", label: TEXT.period, from: 1, to: 64, value: 2,
                            words: TEXT.threads}, () => {
        this.few.to = this.period.value;
        changed();
      });
      this.few = slider({name: "few", label: TEXT.few, from: 0, to: 2, value: 1,
                         words: TEXT.threads}, changed);
      this.turns = slider({name: "turns", label: TEXT.turns, from: 1, to: 8, value: 3}, changed);
      this.scrub = slider({name: "step", label: TEXT.step, from: 0, to: 1, value: 0,
                           words: at => TEXT.steps(at + 1, this.steps.length)}, () => this.show());
      this.player = keyed("play", "\u25b6", TEXT.play, () => this.play());
      this.buttons = element("div", {class: "buttons"},
        keyed("first", "\u21e4", TEXT.first, () => this.go(0)),
        keyed("back", "\u2190", TEXT.back, () => this.go(this.scrub.value - 1)),
        keyed("next", "\u2192", TEXT.next, () => this.go(this.scrub.value + 1)),
        keyed("last", "\u21e5", TEXT.last, () => this.go(this.steps.length - 1)), this.player);
    }

    makeRest(panel) {
      this.time = drawing(WIDTH, LANES * ROW, TEXT.time);
      this.strip = drawing(WIDTH, 58, "");
      this.now = readings();
      this.whole = readings();
      this.modelled = readings();
      this.source = element("div", {class: "codes"});
      panel.append(
        liveTitle(TEXT.title), controls(this.kernel, this.turns, this.period, this.few),
        rowLabel(TEXT.time), this.time, this.scrub.element, this.buttons, rowLabel(TEXT.strip),
        this.strip, this.now.element, this.source, this.whole.element, rowLabel(TEXT.launch),
        this.modelled.element);
    }

    // Only what the kernel has.
    adapt() {
      for (const control of [this.period, this.few, this.turns])
        control.element.hidden = this.kernel.value === "shuffles";
      this.few.element.firstChild.textContent =
        this.kernel.value === "lengths" ? TEXT.longest : TEXT.few;
    }

    go(to) {
      this.scrub.value = Math.min(Math.max(to, 0), this.steps.length - 1);
      this.show();
    }

    play() {
      if (this.timer) {
        this.stop();
        return;
      }
      this.player.textContent = "\u25a0";
      this.player.setAttribute("aria-label", TEXT.stop);
      this.timer = setInterval(() => {
        if (this.scrub.value + 1 < this.steps.length)
          this.go(this.scrub.value + 1);
        else
          this.stop();
      }, 350);
    }

    stop() {
      clearInterval(this.timer);
      this.timer = undefined;
      this.player.textContent = "\u25b6";
      this.player.setAttribute("aria-label", TEXT.play);
    }

    show() {
      const at = this.scrub.value, step = this.steps[at], on = count(step.active);
      const distance = distanceOf(this.steps, at);
      this.moveCursor(at);
      drawStrip(this.strip, step, this.side, distance);
      this.strip.setAttribute("aria-label", TEXT.seen(on, this.steps.length));
      this.shown.mark(step.line);
      this.ptx.mark(step.ptx_line);
      this.now.show({on: [TEXT.on, `${on} / ${LANES}`],
                     state: [TEXT.state, stateOf(this.steps, at, distance)]});
    }

    run(blocks, block, watch) {
      const {machine} = this, kernel = this.kernel.value;
      machine.begin();
      const x = machine.allocate(4 * blocks * block), y = machine.allocate(4 * blocks * block);
      machine.fill(x, blocks * block);
      const numbers = [this.period, this.few, this.turns].map(control => int(control.value));
      return withoutFault(machine.launch({
        kernel, grid: [blocks], block: [block], watch,
        parameters: [long(x), long(y), ...kernel === "shuffles" ? [] : numbers]}));
    }

    runWarp() {
      this.stop();
      const {result, steps} = this.run(1, LANES, [0, 0, 0]), totals = result.totals;
      const source = this.machine.source, lines = linesOf(source, this.kernel.value);
      this.steps = steps;
      this.side = sideOf(source, lines);
      this.shown = sourceLines(source, ...lines);
      this.ptx = instructions(result);
      this.source.replaceChildren(this.shown.element, this.ptx.element);
      this.moveCursor = drawTime(this.time, steps, this.side);
      this.scrub.to = steps.length - 1;
      this.go(this.scrub.value || steps.findIndex(step => step.mask !== step.live) - 1);
      this.whole.show({
        average: [TEXT.average, `${plainNumber(totals.thread_inst / totals.warp_inst)} / ${LANES}`],
        issued: [TEXT.issued, String(totals.warp_inst)],
        diverged: [TEXT.diverged, String(totals.divergent_branches)],
      });
    }

    runAll() {
      const {result} = this.run(BLOCKS, BLOCK);
      this.modelled.show({modelled_ns: [TEXT.modelled, timeText(result.modelled_ns)]});
    }
  }

  return (...given) => new Figure(...given);
})();
