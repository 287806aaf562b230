// What live figures are made of: controls with a label and a unit, readings, drawings, and the code
// that is run. Every control is the browser's own, so keys and readers of screens work.

const LIVE_FIGURES = {}; // name: (panel, machine, guarded) => {}; each figure's script adds itself
// A figure's words in the language of the page: Korean ones are in ko.js.
function liveText(figure, english) {
  return typeof LIVE_KO === "undefined" ? english : {...english, ...LIVE_KO[figure]};
}

const UI_TEXT = liveText("ui", {
  device: "Run by the simulated device in this page; times are modelled for an NVIDIA H200.",
  refused: "The device says:",
  source: "The kernel",
  instructions: "Its PTX instructions",
});

function element(name, attributes = {}, ...inside) {
  const isDrawing = element.drawn.has(name);
  const made = isDrawing ? document.createElementNS("http://www.w3.org/2000/svg", name)
                         : document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    made.setAttribute(key, value);
  made.append(...inside);
  return made;
}
element.drawn = new Set(["svg", "rect", "path", "line", "circle", "g", "text", "title"]);

// A picture of that size in its own units, which takes the width there is. words tell what is seen.
function drawing(width, height, words) {
  return element("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words});
}

// A slider over whole numbers, or over choices when these are given: [[value, words], ...].
function slider({name, label, from, to, value, unit = "", step = 1, words = String}, changed) {
  const input = element("input", {type: "range", name, min: from, max: to, step, value});
  const output = element("output");
  const show = () => {
    output.textContent = `${words(Number(input.value))}${unit && ` ${unit}`}`;
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => {
    show();
    changed();
  });
  show();
  return {element: element("label", {class: "control"}, element("span", {}, label), input, output),
          get value() { return Number(input.value); },
          set value(to) { input.value = to; show(); },
          set to(most) { input.max = most; show(); }};
}

function choice({name, label, options, value}, changed) {
  const select = element("select", {name}, ...options.map(([key, words]) =>
    element("option", key === value ? {value: key, selected: ""} : {value: key}, words)));
  select.addEventListener("change", changed);
  return {element: element("label", {class: "control"}, element("span", {}, label), select),
          get value() { return select.value; }};
}

const rowLabel = words => element("p", {class: "row-label"}, words);
const controls = (...all) => element("div", {class: "controls"}, ...all.map(one => one.element));
const liveTitle = words => element("p", {class: "live-title"}, words);

function button(words, pressed) {
  const made = element("button", {type: "button"}, words);
  made.addEventListener("click", pressed);
  return made;
}

// What a launch gives, if no fault has ended it.
function withoutFault(answer) {
  if (answer.result.fault)
    throw new Refused(answer.result.fault.message);
  return answer;
}

// Named values: readings.show({key: [label, text], ...}). Each can be found by its key.
function readings() {
  const list = element("dl", {class: "readings", "aria-live": "polite"});
  return {element: list, show(values) {
    list.replaceChildren(...Object.entries(values).map(([key, [label, text]]) =>
      element("div", {}, element("dt", {}, label), element("dd", {"data-key": key}, text))));
  }};
}

// Three digits, and the unit's prefix.
function withPrefix(value, unit, base = 1) {
  const prefixes = ["n", "\u00b5", "m", "", "k", "M", "G", "T"];
  let size = value * base, at = 3;
  while (size !== 0 && size < 0.9995 && at > 0) { size *= 1000; at--; }
  while (size >= 999.5 && at < prefixes.length - 1) { size /= 1000; at++; }
  return `${Number(size.toPrecision(3))} ${prefixes[at]}${unit}`;
}
const timeText = ns => withPrefix(ns, "s", 1e-9);
const bytesText = bytes => withPrefix(bytes, "B");
const shareText = share => `${Number((100 * share).toPrecision(3))} %`;
const plainNumber = value => Number(value.toPrecision(3)).toString();

// Lines of text with their numbers, [[number, text], ...]; mark(number) shows where one is, and
// brings it into view where the whole does not fit.
function numberedLines(lines, words, kind = "kernel") {
  const items = lines.map(([number, text]) =>
    element("span", {"data-line": number}, `${text || " "}\n`));
  const code = element("pre", {class: kind, tabindex: 0, "aria-label": words}, ...items);
  return {element: code, mark(number) {
    for (const item of items)
      item.classList.toggle("at", Number(item.dataset.line) === number);
    const at = code.querySelector(".at");
    if (at && code.scrollHeight > code.clientHeight)
      code.scrollTop = at.offsetTop - code.offsetTop - code.clientHeight / 2;
  }};
}

function sourceLines(text, first, last) {
  const lines = text.split("\n").slice(first - 1, last);
  return numberedLines(lines.map((line, i) => [first + i, line]), UI_TEXT.source);
}

// The instructions that ran, in the program's order.
function instructions(result) {
  const lines = result.ops.map(op => [op.ptx_line, op.ptx]);
  return numberedLines(lines, UI_TEXT.instructions, "kernel ptx");
}

// Where the function called name is in the text: the numbers of its first and last lines.
function linesOf(text, name) {
  const lines = text.split("\n");
  const first = lines.findIndex(line =>
    /__(global|device)__/.test(line) && line.includes(` ${name}(`));
  return [first + 1, lines.findIndex((line, i) => i > first && line.startsWith("}")) + 1];
}

// Calls run when nothing has been asked for so many ms.
function delayed(run, ms) {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, ms);
  };
}

async function startLive(figure, offer) {
  const refusal = element("p", {class: "refusal", role: "status"});
  const panel = element("div", {class: "live"});
  figure.append(panel);
  const [name, image] = [figure.dataset.live, figure.dataset.image];
  const guarded = run => () => {
    try {
      refusal.textContent = "";
      panel.classList.remove("is-refused");
      run();
    } catch (error) {
      if (!(error instanceof Refused))
        throw error;
      panel.classList.add("is-refused");
      refusal.textContent = `${UI_TEXT.refused} ${error.message}`;
    }
  };
  if (!document.getElementById("live-style"))
    document.head.append(element("style", {id: "live-style"}, await unpackedText("live.css")));
  const machine = await Machine.open(image);
  await LIVE_FIGURES[name](panel, machine, guarded);
  panel.append(refusal, element("p", {class: "device"}, UI_TEXT.device));
  figure.live = machine;
  figure.classList.add("is-live");
  offer.remove();
  panel.querySelector("select, input")?.focus({preventScroll: true});
}
