// The live figure of lesson 5: which elements are kept, and which of them share a counter.
LIVE_FIGURES.dropout = (() => {
  const TEXT = liveText("dropout", {
    title: "Whose counter is used twice?",
    recipe: "Counter",
    recipes: [["0", "(step << 32) ^ layer ^ offset"], ["1", "words of their own"]],
    seed: "Seed", step: "Step", first: "First element", p: "p, the share that is dropped",
    layer: "Layer", element: "Element",
    firsts: [["0", "0"], ["1024", "1024"], [String(2 ** 32), "2^32"]],
    grid: "8 layers from top to bottom, 32 elements from left to right: filled where one is kept",
    uses: "Elements with this counter", word: "Its random word", kept: "It is",
    counter: "Its counter",
    key: "Its key", yes: "kept", no: "dropped", share: "Kept of all 256",
    shared: "Elements that share a counter",
    mark: "framed: the chosen element, and all that have its counter and key, and so its word",
    seen: (uses, kept) =>
      `${kept} of 256 elements are kept; ${uses} have the chosen one's counter.`,
  });
  const LAYERS = 8, ELEMENTS = 32, USE_BYTES = 32, CELL = 22;

  function usesOf(bytes) {
    const view = new DataView(bytes.buffer);
    return Array.from({length: LAYERS * ELEMENTS}, (_, i) => {
      const at = n => view.getUint32(i * USE_BYTES + 4 * n, true);
      return {counter: [0, 1, 2, 3].map(at), key: [4, 5].map(at), word: at(6), kept: at(7) === 1,
              name: [0, 1, 2, 3, 4, 5].map(at).join(" ")};
    });
  }

  function draw(picture, uses, chosen) {
    picture.replaceChildren(...uses.map((use, i) => element("rect", {
      class: `${use.kept ? "side-2" : "dropped"}${use.name === chosen.name ? " same" : ""}` +
        `${use === chosen ? " chosen" : ""}`,
      x: i % ELEMENTS * CELL + 3, y: Math.floor(i / ELEMENTS) * CELL + 3, width: CELL - 6,
      height: CELL - 6, rx: 2})));
  }

  return (panel, machine, guarded) => {
    const changed = delayed(() => update(), 10);
    const recipe = choice({name: "recipe", label: TEXT.recipe, options: TEXT.recipes}, changed);
    const first = choice({name: "first", label: TEXT.first, options: TEXT.firsts}, changed);
    const seed = slider({name: "seed", label: TEXT.seed, from: 0, to: 4095, value: 2026}, changed);
    const step = slider({name: "step", label: TEXT.step, from: 0, to: 100, value: 1}, changed);
    const p = slider({name: "p", label: TEXT.p, from: 0, to: 95, value: 50, step: 5, unit: "%"},
                     changed);
    const layer = slider({name: "layer", label: TEXT.layer, from: 0, to: LAYERS - 1,
                          value: 1}, changed);
    const place = slider({name: "element", label: TEXT.element, from: 0, to: ELEMENTS - 1,
                          value: 5}, changed);
    const picture = drawing(ELEMENTS * CELL, LAYERS * CELL, "");
    const told = readings(), all = readings(), source = element("div");
    panel.append(liveTitle(TEXT.title),
                 controls(recipe, first, seed, step, p), rowLabel(TEXT.grid), picture,
                 rowLabel(TEXT.mark), all.element, controls(layer, place), told.element, source);

    const update = guarded(() => {
      machine.begin();
      const out = machine.allocate(USE_BYTES * LAYERS * ELEMENTS);
      machine.launch({kernel: "masks", grid: [LAYERS], block: [ELEMENTS], parameters: [
        long(out), long(seed.value), long(step.value), long(Number(first.value)),
        int(Number(recipe.value)), int(Math.floor(p.value / 100 * 2 ** 32))]});
      const uses = usesOf(machine.read(out, USE_BYTES * LAYERS * ELEMENTS));
      const chosen = uses[layer.value * ELEMENTS + place.value];
      const same = uses.filter(use => use.name === chosen.name).length;
      const kept = uses.filter(use => use.kept).length;
      const isShared = use => uses.some(one => one !== use && one.name === use.name);
      const sharing = uses.filter(isShared).length;
      draw(picture, uses, chosen);
      picture.setAttribute("aria-label", TEXT.seen(same, kept));
      told.show({
        uses: [TEXT.uses, String(same)], kept: [TEXT.kept, chosen.kept ? TEXT.yes : TEXT.no],
        word: [TEXT.word, String(chosen.word)], counter: [TEXT.counter, chosen.counter.join(", ")],
        key: [TEXT.key, chosen.key.join(", ")],
      });
      all.show({share: [TEXT.share, String(kept)],
                shared: [TEXT.shared, `${sharing} / ${uses.length}`]});
      const shown = sourceLines(machine.source, ...linesOf(machine.source, "masks"));
      source.replaceChildren(shown.element);
    });
    update();
  };
})();
