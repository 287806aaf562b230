-- judge.lua - the sentences the grader says, quoted from where the grader has them.
--
--     `hint:2`{.judge}                       the lesson's second hint
--     `mistake:chunk_per_thread`{.judge}     what is said about a mistake that was recognised
--     `bar:JUDGE_LOAD_EFFICIENCY`{.judge}    what a failed bar says; look:... what to look at then
--     `fault:MISALIGNED`{.judge}             what the simulated device calls a fault
--     `advice:MISALIGNED`{.judge}            what it advises then
--     `verdict:SLOW`{.judge}                 the sentence of a verdict
--
-- Judges are C, but their tables are plain initialisers: strings between braces.

local files = require "files"
local words = require "words"

local judge = {lesson = ""}

-- The text of a run of string literals that starts at `at`, joined as the compiler joins them.
local function strings_at(text, at)
  local parts = {}
  while true do
    local start = text:match('^%s*"()', at)
    if not start then
      break
    end
    local i = start
    while text:sub(i, i) ~= '"' do
      i = i + (text:sub(i, i) == "\\" and 2 or 1)
    end
    local piece = text:sub(start, i - 1):gsub("\\(.)", {n = "\n", ['"'] = '"', ["\\"] = "\\"})
    parts[#parts + 1] = piece
    at = i + 1
  end
  return #parts > 0 and table.concat(parts) or nil, at
end

-- The string behind the first match of a pattern that ends where the string begins.
local function string_behind(text, pattern)
  local _, finish = text:find(pattern)
  return finish and strings_at(text, finish + 1)
end

-- All of the judge's own C.
local function source()
  local text = ""
  local names = pandoc.pipe("ls", {"grader/judges/" .. judge.lesson}, "")
  for name in names:gmatch("[^\n]+%.[ch]\n") do
    local path = "grader/judges/" .. judge.lesson .. "/" .. name:sub(1, -2)
    text = text .. files.text(path, judge.lesson)
  end
  return text
end

local ASK = {}

function ASK.mistake(name)
  return string_behind(source(), '{%s*"' .. name .. '"%s*,%s*[%w_]+%s*,')
end

-- A bar's row, from its counter's name to the closing brace.
local function bar(name, field)
  local row = source():match("{%s*" .. name .. "%s*,(.-)}%s*,?\n%s*[{}]") or
              source():match("{%s*" .. name .. "%s*,(.-)}")
  return row and string_behind(row, "%." .. field .. "%s*=")
end

function ASK.bar(name)
  return bar(name, "message")
end

function ASK.look(name)
  return bar(name, "look_at")
end

function ASK.hint(number)
  local text = source()
  local _, at = text:find("HINTS%[%]%s*=%s*{")
  for count = 1, tonumber(number) do
    local hint
    hint, at = strings_at(text, at + 1)
    if not hint or count == tonumber(number) then
      return hint
    end
    at = text:find(",", at, true)
  end
end

local function fault(name, which)
  local text = files.text("grader/simgpu/machine/run/faults.def", name)
  local rest = text:match("SIM_FAULT%(" .. name .. ",%s*%d+,(.-)%)\n")
  if not rest then
    return nil
  end
  local title, at = strings_at(rest, 1)
  return which == "title" and title or strings_at(rest, at + 1)
end

function ASK.fault(name)
  return fault(name, "title")
end

function ASK.advice(name)
  return fault(name, "advice")
end

function ASK.verdict(name)
  return string_behind(files.text("grader/check/verdict.def", name),
                       "VERDICT%(" .. name .. ",%s*%d+,%s*%u+,")
end

-- The sentence for "mistake:name", and so on.
function judge.says(asked)
  local what, name = asked:match("^(%a+):([%w_]+)$")
  local sentence = what and ASK[what] and ASK[what](name)
  if not sentence then
    files.fail(asked, 'the judge of %s says nothing for "%s"', judge.lesson, asked)
  end
  return sentence
end

-- An entry of the corpus: what it is expected to get, and what its header says about it. A patch
-- has the same header.
function judge.entry(name)
  local stored = "grader/judges/" .. judge.lesson .. "/" .. name
  local path = stored .. (files.try(stored .. ".patch") and ".patch" or ".cu")
  local lines, about = files.lines(path, name), {}
  local expected = lines[1]:match("^// expect:%s*(.*)$")
  if not expected then
    files.fail(name, "%s does not begin with what it is expected to get", path)
  end
  for i = 2, #lines do
    local comment = lines[i]:match("^//%s?(.*)$")
    if not comment then
      break
    end
    about[#about + 1] = comment
  end
  return {path = path, verdict = expected:match("^(%u[%u_]*)"),
          gate = expected:match("^%u[%u_]*%s+(%l+)"), line = expected:match("line (%d+)"),
          mistake = expected:match("mistake ([%w_]+)"), about = table.concat(about, " ")}
end

-- Sentences of the grader have code in backquotes at most.
function judge.inlines(sentence)
  local blocks = pandoc.read((sentence:gsub("([*_<>$~^%[%]|\\])", "\\%1")), "markdown").blocks
  return blocks[1] and blocks[1].content or {}
end

-- A sentence of the grader in the page's language; the grader's own is a touch away.
function judge.span(sentence)
  local text, is_translated = words.phrase(sentence)
  local attributes = not is_translated and {lang = "en"} or
                     text ~= sentence and {title = sentence} or {}
  local class = is_translated and "says" or "untranslated"
  return pandoc.Span(judge.inlines(text), pandoc.Attr("", {class}, attributes))
end

judge.filter = {
  Code = function(code)
    if code.classes:includes "judge" then
      return judge.span(judge.says(code.text))
    end
  end,
}

return judge
