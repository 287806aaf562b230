// What a page does when one touches it. Without scripts it can be read all the same: answers are
// folded, code is selected by hand.
addEventListener("beforeprint", () =>
  document.querySelectorAll("details").forEach(details => { details.open = true; }));

// What the page says of its own, in its language: strings.csv, through filter/words.lua.
function say(key, values = {}) {
  const text = JSON.parse(document.getElementById("texts").textContent)[key];
  return text.replace(/{(\w+)}/g, (whole, name) => values[name] ?? whole);
}

addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("pre").forEach(addCopyButton);
  document.querySelectorAll("fieldset.question").forEach(prepareQuestion);
});

// --- Code --------------------------------------------------------------------------------------

function addCopyButton(pre) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = say("copy");
  button.addEventListener("click", async () => {
    button.textContent = await copy(pre.textContent) ? say("copied") : say("copy_by_hand");
    setTimeout(() => { button.textContent = say("copy"); }, 2000);
  });
  const around = document.createElement("div");
  around.className = "code";
  pre.replaceWith(around);
  around.append(pre, button);
}

// A page that was opened from the disk may have no clipboard.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// --- Questions ---------------------------------------------------------------------------------
// What was answered is kept in this browser alone, if it keeps anything for pages from the disk.

const ANSWERS = "warpquest-answers";

function answersSoFar() {
  try {
    return JSON.parse(localStorage.getItem(ANSWERS)) ?? {};
  } catch {
    return {};
  }
}

function keepAnswer(key, answer) {
  try {
    localStorage.setItem(ANSWERS, JSON.stringify({...answersSoFar(), [key]: answer}));
  } catch { /* it is shown, and forgotten */ }
}

// A fraction may be written as 3/4, and with a decimal comma.
function numberOf(text) {
  const parts = text.trim().replace(",", ".").split("/");
  const numbers = parts.map(part => part.trim() === "" ? NaN : Number(part));
  return numbers.length === 2 ? numbers[0] / numbers[1] : numbers.length === 1 ? numbers[0] : NaN;
}

function isRight(question, answer) {
  const right = Number(question.dataset.right);
  return Math.abs(numberOf(answer) - right) <= Math.abs(right) * 0.005;
}

function judge(question, answer) {
  const output = question.querySelector("output");
  const isNumber = !question.querySelector("input[type=radio]");
  const right = isRight(question, answer);
  question.classList.toggle("right", right);
  question.classList.toggle("wrong", !right);
  if (isNumber && Number.isNaN(numberOf(answer)))
    output.textContent = say("type_a_number");
  else
    output.textContent = right ? say("right") : say("not_yet");
  question.querySelector("details").open = right;
}

function prepareQuestion(question, index) {
  const page = location.pathname.split("/").pop();
  const key = `${page}#${index + 1}:${question.dataset.right}`;
  const before = answersSoFar()[key];
  const field = question.querySelector("input[type=text]");
  const answer = given => {
    judge(question, given);
    keepAnswer(key, given);
  };
  question.addEventListener("change", event => {
    if (event.target.type === "radio")
      answer(event.target.value);
  });
  question.querySelector("button:not(.copy)")?.addEventListener("click", () => answer(field.value));
  field?.addEventListener("keydown", event => {
    if (event.key === "Enter")
      answer(field.value);
  });
  if (before === undefined)
    return;
  const chosen = question.querySelector(`input[value="${CSS.escape(before)}"]`);
  if (chosen)
    chosen.checked = true;
  else if (field)
    field.value = before;
  judge(question, before);
}
