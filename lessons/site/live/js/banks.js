// The live figure of lesson 2: which banks a warp's load from shared memory falls into.
LIVE_FIGURES.banks = (() => {
  const TEXT = liveText("banks", {
    title: "A load from shared memory of your choice",
    pitch: "Pitch, from lane to lane", first: "The first lane's word",
    width: "Each lane reads", words: n => `${n} word${n === 1 ? "" : "s"}`, word: n => `word ${n}`,
    widths: [["1", "one word: float"], ["2", "two words: float2"], ["4", "four words: float4"]],
    grid: "32 banks from left to right, a row is 32 words: filled where a lane reads",
    wavefronts: "Wavefronts a request", ideal: "Without conflicts", time: "Modelled time",
    ratio: "Words a wavefront", launch: (blocks, times) =>
      `a launch of ${blocks} blocks of 256 threads, each of which reads ${times} times`,
    seen: (words, wavefronts) => `The warp reads ${words} words in ${wavefronts} wavefronts.`,
  });
  const BANKS = 32, WORD = 4, WORDS = 1408, CELL = 22, ROW = 7;
  const BLOCKS = 132, BLOCK = 256, TIMES = 256;

  function draw(picture, request) {
    const parts = [], rows = WORDS / BANKS;
    for (let bank = 0; bank < BANKS; bank++)
      parts.push(element("rect", {class: bank % 2 ? "bank odd" : "bank", x: bank * CELL, y: 0,
                                  width: CELL, height: rows * ROW}));
    request.address.forEach(address => {
      for (let i = 0; address !== null && i < request.bytes / WORD; i++) {
        const word = address / WORD + i;
        parts.push(element("rect", {class: "on", x: word % BANKS * CELL + 1, width: CELL - 2,
                                    y: Math.floor(word / BANKS) * ROW + 0.5, height: ROW - 1}));
      }
    });
    picture.replaceChildren(...parts);
  }

  return (panel, machine, guarded) => {
    const changed = () => { quick(); slow(); };
    const width = choice({name: "width", label: TEXT.width, options: TEXT.widths}, changed);
    const pitch = slider({name: "pitch", label: TEXT.pitch, from: 0, to: 40, value: 32,
                          words: TEXT.words}, changed);
    const first = slider({name: "first", label: TEXT.first, from: 0, to: 31, value: 0,
                          words: TEXT.word}, changed);
    const picture = drawing(BANKS * CELL, WORDS / BANKS * ROW, "");
    const counted = readings(), modelled = readings(), source = element("div", {class: "codes"});
    panel.append(liveTitle(TEXT.title),
                 controls(width, pitch, first), rowLabel(TEXT.grid), picture,
                 counted.element, rowLabel(TEXT.launch(BLOCKS, TIMES)), modelled.element, source);
    const kernel = () => width.value === "1" ? "banks" : `banks_${width.value}`;

    function run(blocks, block, times, watch) {
      machine.begin();
      const out = machine.allocate(4 * blocks * block);
      return withoutFault(machine.launch({
        kernel: kernel(), grid: [blocks], block: [block], watch,
        parameters: [long(out), int(pitch.value), int(first.value), int(times)]}));
    }
    const quick = guarded(() => {
      const {result, steps} = run(1, BANKS, 1, [0, 0, 0]), loads = result.totals.shared_load;
      const load = steps.find(step => step.space === "shared" && step.ptx.startsWith("ld."));
      draw(picture, load);
      const wavefronts = plainNumber(loads.wavefronts / loads.requests);
      picture.setAttribute("aria-label", TEXT.seen(loads.bytes / WORD, wavefronts));
      counted.show({
        wavefronts: [TEXT.wavefronts, wavefronts],
        ideal: [TEXT.ideal, plainNumber(loads.ideal_wavefronts / loads.requests)],
        ratio: [TEXT.ratio, plainNumber(loads.bytes / WORD / loads.wavefronts)],
      });
      const shown = sourceLines(machine.source, ...linesOf(machine.source, kernel()));
      shown.mark(load.line);
      const ptx = instructions(result);
      source.replaceChildren(shown.element, ptx.element);
      ptx.mark(load.ptx_line);
    });
    const slow = delayed(guarded(() => {
      const {result} = run(BLOCKS, BLOCK, TIMES);
      modelled.show({modelled_ns: [TEXT.time, timeText(result.modelled_ns)]});
    }), 60);
    quick();
    slow();
  };
})();
