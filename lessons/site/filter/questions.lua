-- questions.lua - questions that the page checks (page.js), without a script too: the answer is
-- folded.
--
--     ::: question                       ::: {.question answer="12"}
--     How many sectors?                  How many sectors?
--
--     - [ ] 4                            ::: answer
--     - [x] 8                            Because.
--                                        :::
--     ::: answer                         :::
--     Because.
--     :::
--     :::
--
-- A list of choices, one of them right, or a number as the answer.

local files = require "files"
local svg = require "svg"
local words = require "words"

-- How many a page has, and how many words are in them.
local questions = {count = 0, words = 0}

local function html(text, ...)
  return pandoc.RawBlock("html", select("#", ...) > 0 and string.format(text, ...) or text)
end

local function fail(what)
  files.fail("question", "a question %s", what)
end

-- Pandoc makes "[ ]" and "[x]" a ballot box, and a space.
local BOXES = {["☐"] = false, ["☒"] = true}

local function choice_of(item)
  local inlines = item[1] and item[1].content
  local box = inlines and inlines[1] and inlines[1].t == "Str" and inlines[1].text
  if #item ~= 1 or BOXES[box] == nil then
    fail 'has a choice that does not begin with "[ ]" or "[x]"'
  end
  inlines:remove(1)
  inlines:remove(1)
  return {inlines = inlines, is_right = BOXES[box]}
end

local function choices_of(list)
  local choices, right = {}, nil
  for i, item in ipairs(list.content) do
    choices[i] = choice_of(item)
    if choices[i].is_right and right then
      fail "has two right choices"
    end
    right = right or (choices[i].is_right and i)
  end
  if not right then
    fail "has no right choice"
  end
  return choices, right
end

-- What is asked, the choices if there are any, and the answer.
local function parts_of(div)
  local parts = {asked = {}}
  for _, block in ipairs(div.content) do
    if block.t == "BulletList" then
      parts.choices, parts.right = choices_of(block)
    elseif block.t == "Div" and block.classes:includes "answer" then
      parts.answer = block.content
    else
      table.insert(parts.asked, block)
    end
  end
  if not parts.answer then
    fail 'has no "::: answer" in it'
  end
  if not parts.choices and not tonumber(div.attributes.answer or "") then
    fail 'has neither choices nor answer="a number"'
  end
  return parts
end

local function put_choices(result, parts)
  for i, choice in ipairs(parts.choices) do
    local inlines = choice.inlines
    inlines:insert(1, pandoc.RawInline("html", string.format(
      '<label><input type="radio" name="question-%d" value="%d"> <span>', questions.count, i)))
    inlines:insert(pandoc.RawInline("html", "</span></label>"))
    table.insert(result, pandoc.Plain(inlines))
  end
end

local function put_number(result)
  table.insert(result, html(
    '<p class="number"><label>%s <input type="text" inputmode="decimal" size="8" ' ..
    'autocomplete="off"></label> <button type="button">%s</button></p>', words.say "your_number",
    words.say "check"))
end

local function question(div)
  local parts = parts_of(div)
  questions.count = questions.count + 1
  questions.words = questions.words + select(2, pandoc.utils.stringify(div):gsub("%S+", ""))
  local result = {html('<fieldset class="question" data-right="%s"><legend class="kind">' ..
                       '%s</legend>',
                       svg.escape(parts.right or div.attributes.answer),
                       words.say("question", {n = questions.count}))}
  for _, block in ipairs(parts.asked) do
    table.insert(result, block)
  end
  if parts.choices then
    put_choices(result, parts)
  else
    put_number(result)
  end
  table.insert(result, html('<output role="status"></output><details><summary>%s</summary>',
                            words.say "answer"))
  for _, block in ipairs(parts.answer) do
    table.insert(result, block)
  end
  table.insert(result, html "</details></fieldset>")
  return result
end

questions.filter = {
  Div = function(div)
    return div.classes:includes "question" and question(div) or nil
  end,
}

return questions
