// words.mjs - every word of a live figure has its Korean one, of the same kind: words.mjs JS-FOLDER
import fs from "node:fs";
import vm from "node:vm";

const folder = process.argv[2];
const english = {};
const context = vm.createContext({
  LIVE_FIGURES: {},
  liveText(figure, words) { return english[figure] = words; },
});
const run = name => vm.runInContext(fs.readFileSync(`${folder}/${name}`, "utf8"), context);
for (const name of fs.readdirSync(folder))
  if (!["ko.js", "machine.js", "ui.js", "playground.js"].includes(name))
    run(name);
run("ko.js");
const korean = vm.runInContext("LIVE_KO", context);

let words = 0, failed = false;
function fail(text) {
  console.log(`  FAIL  words of live figures: ${text}`);
  failed = true;
}
const kind = value => Array.isArray(value) ? value.map(([key]) => key).join() : typeof value;
for (const [figure, table] of Object.entries(english))
  for (const [key, value] of Object.entries(table)) {
    words++;
    if (kind(korean[figure]?.[key]) !== kind(value))
      fail(`ko.js has no ${figure}.${key}, or another kind of it`);
  }
for (const [figure, table] of Object.entries(korean))
  for (const key of Object.keys(table))
    if (figure !== "ui" && !(key in (english[figure] ?? {})))
      fail(`${figure}.${key} of ko.js is in no figure`);
if (words === 0)
  fail("none were found");
if (!failed)
  console.log(`  ok    words of live figures: ${words} of ${words} in Korean`);
process.exit(failed ? 1 : 0);
