-- map.lua - the front page's map of the quest: every lesson, what it asks, and what it wins.
--
-- What a lesson wins stands in its front matter, `gain: sectors a load | naive_key | best_key`:
-- a quantity, and the keys of two numbers in its numbers.csv.

local files = require "files"
local lessons = require "lessons"
local numbers = require "numbers"
local svg = require "svg"
local words = require "words"

-- Of a lesson that is not translated, the page in English.
local function page_data(lesson)
  return words.data(numbers.build, lessons.is_in_language(lesson) and words.language or "en")
end

local function minutes_of(lesson)
  local facts = files.try(page_data(lesson) .. "/" .. lesson.key .. ".facts") or ""
  return facts:match("minutes\t(%d+)")
end

local function gain_of(lesson)
  local what, before, after = (lesson.gain or ""):match("^(.-)%s*|%s*(%S+)%s*|%s*(%S+)$")
  if not what then
    return ""
  end
  local outer = numbers.lesson
  numbers.lesson = lesson.key
  local from, to = numbers.get(before, before), numbers.get(after, after)
  numbers.lesson = outer
  return string.format('<p class="gain"><b>%s</b> <span aria-label="%s">→</span> ' ..
                       '<b>%s</b> %s</p>',
                       from.text, words.say "becomes", to.text, svg.escape(what))
end

local function map()
  local steps = {}
  for _, lesson in ipairs(lessons) do
    local minutes = minutes_of(lesson)
    steps[#steps + 1] = string.format(
      '<li><a href="%s"><span class="stop">%d</span><b%s>%s</b></a><p>%s%s</p>%s</li>',
      lessons.address(lesson), lesson.number,
      lessons.is_in_language(lesson) and "" or ' lang="en" class="untranslated"',
      svg.escape(lesson.title), svg.escape(lesson.lead or ""),
      minutes and string.format(' <span class="minutes">%s</span>',
                               words.say("minutes", {n = minutes})) or "", gain_of(lesson))
  end
  return pandoc.RawBlock("html", '<ol class="map">\n' .. table.concat(steps, "\n") .. "\n</ol>")
end

return {
  filter = {
    Div = function(div)
      return div.classes:includes "map" and map() or nil
    end,
  },
}
