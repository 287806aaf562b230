-- boxes.lua - the boxes of the notes.
--
--     ::: predict        a question to answer before reading on; `::: answer` in it is folded
--     ::: myth           what people say, then `::: truth`
--     ::: {.mistake entry="slow/chunk_per_thread"}
--                        an entry of the corpus: its own words, its verdict, what the judge says to
--                        it; the text in the box, if there is any, stands between them
--     ::: {.folded title="One way to write it"}     anything that is not wanted at once

local files = require "files"
local judge = require "judge"
local svg = require "svg"
local words = require "words"

local boxes = {}

local function html(text, ...)
  return pandoc.RawBlock("html", select("#", ...) > 0 and string.format(text, ...) or text)
end

local function put(list, blocks)
  for _, block in ipairs(blocks) do
    list[#list + 1] = block
  end
end

-- The blocks of a box without, and those of its one inner box of that class.
local function split(div, class)
  local outside, inside = {}, nil
  for _, block in ipairs(div.content) do
    if block.t == "Div" and block.classes:includes(class) then
      inside = block.content
    else
      outside[#outside + 1] = block
    end
  end
  if not inside then
    files.fail("::: " .. div.classes[1], 'a box "%s" has no "::: %s" in it', div.classes[1], class)
  end
  return outside, inside
end

local function predict(div)
  local question, answer = split(div, "answer")
  local result = {html('<aside class="predict"><p class="kind">%s</p>', words.say "predict")}
  put(result, question)
  result[#result + 1] = html("<details><summary>%s</summary>", words.say "compare")
  put(result, answer)
  result[#result + 1] = html "</details></aside>"
  return result
end

local function myth(div)
  local claim, truth = split(div, "truth")
  local result = {html('<aside class="myth"><p class="kind">%s</p><div class="claim">',
                       words.say "myth")}
  put(result, claim)
  result[#result + 1] = html('</div><p class="kind">%s</p><div class="truth">', words.say "truth")
  put(result, truth)
  result[#result + 1] = html "</div></aside>"
  return result
end

local GATES = {safety = true, numerics = true, counters = true, utilization = true}

local function mistake(div)
  local entry = judge.entry(div.attributes.entry or "")
  local result = {
    html('<div class="mistake"><p class="head"><code>%s</code> <b>%s</b><span>%s%s</span></p>',
         svg.escape(div.attributes.entry), entry.verdict,
         GATES[entry.gate] and words.say("stopped_" .. entry.gate) or "",
         entry.line and words.say("names_line", {n = entry.line}) or ""),
    pandoc.Para {judge.span(entry.about)},
  }
  put(result, div.content)
  if entry.mistake then
    result[#result + 1] = html('<blockquote class="judge" data-says="%s">',
                                svg.escape(words.say "judge_says"))
    result[#result + 1] = pandoc.Para {judge.span(judge.says("mistake:" .. entry.mistake))}
    result[#result + 1] = html "</blockquote>"
  end
  result[#result + 1] = html "</div>"
  return result
end

local function folded(div)
  local result = {html('<details class="folded"><summary>%s</summary>',
                       svg.escape(div.attributes.title or words.say "more"))}
  put(result, div.content)
  result[#result + 1] = html "</details>"
  return result
end

local MAKE = {predict = predict, myth = myth, mistake = mistake, folded = folded}

boxes.filter = {
  Div = function(div)
    local make = MAKE[div.classes[1]]
    return make and make(div)
  end,
}

return boxes
