// Finds the sections of all notes that have every word that was asked for. The words of the
// sections are in this page (filter/search.lua), so it works offline.
addEventListener("DOMContentLoaded", () => {
  const sections = JSON.parse(document.getElementById("sections").textContent);
  const field = document.querySelector("main input[type=search]");
  const search = () => show(find(sections, field.value), field.value);
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.addEventListener("input", search);
  field.form.addEventListener("submit", event => event.preventDefault());
  field.focus();
  search();
});

const MOST_RESULTS = 30;

function wordsOf(text) {
  return text.toLowerCase().split(/\s+/).filter(word => word);
}

// A title that has all words counts most, then words side by side, then how often they occur.
function scoreOf(section, words, phrase) {
  const title = `${section.section} ${section.page}`.toLowerCase(), text = section.text.toLowerCase();
  if (!words.every(word => title.includes(word) || text.includes(word)))
    return 0;
  const often = words.reduce((sum, word) => sum + text.split(word).length - 1, 0);
  return 1 + Math.min(often, 50) + (words.every(word => title.includes(word)) ? 1000 : 0) +
    (text.includes(phrase) ? 100 : 0);
}

function find(sections, asked) {
  const words = wordsOf(asked), phrase = words.join(" ");
  if (words.length === 0)
    return [];
  return sections.map(section => ({section, score: scoreOf(section, words, phrase)}))
    .filter(found => found.score > 0).sort((a, b) => b.score - a.score)
    .map(found => found.section);
}

// Some words around the first of those that were asked for.
function excerptOf(text, words) {
  const lower = text.toLowerCase(), phrase = lower.indexOf(words.join(" "));
  const at = phrase >= 0 ? phrase : Math.max(0, ...words.map(word => lower.indexOf(word)));
  const start = text.lastIndexOf(" ", Math.max(0, at - 60)) + 1;
  const end = text.indexOf(" ", at + 120);
  return (start > 0 ? "… " : "") + text.slice(start, end < 0 ? undefined : end) +
    (end < 0 ? "" : " …");
}

function marked(text, words) {
  const parts = document.createElement("p");
  const pattern = words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  text.split(new RegExp(`(${pattern})`, "i")).forEach((part, i) => {
    const element = document.createElement(i % 2 ? "mark" : "span");
    element.textContent = part;
    parts.append(element);
  });
  return parts;
}

function resultOf(section, words) {
  const item = document.createElement("li"), link = document.createElement("a");
  link.href = section.href;
  link.textContent = section.section ? `${section.page}: ${section.section}` : section.page;
  item.append(link, marked(excerptOf(section.text, words), words));
  return item;
}

function show(found, asked) {
  const words = wordsOf(asked), list = document.getElementById("results");
  const shown = found.slice(0, MOST_RESULTS);
  list.replaceChildren(...shown.map(section => resultOf(section, words)));
  document.getElementById("count").textContent = words.length === 0 ? ""
    : found.length === 0 ? say("none", {asked: asked.trim()})
    : found.length > MOST_RESULTS ? say("best", {shown: MOST_RESULTS, all: found.length})
    : found.length === 1 ? say("found_1") : say("found", {all: found.length});
}
