-- notes.lua - from the Markdown of a lesson to its page: this filter runs the others in order.
--
-- Pandoc hands over the parsed page with these in its metadata (see lessons/build.mk):
--     page      what is rendered, "lessons/01_coalescing/notes.md"
--     lesson    "01_coalescing"; empty for the front page and the glossary
--     lessons   all lessons' folders, in order
--     build     where what is built lies
--     language  the language of the page: "en", or "ko" for lessons/01_coalescing/notes.ko.md
--     translated  the sources that have a translation
--     live      there if figures can be touched: the machine was compiled for the page
--
-- Read next: quote.lua for code, numbers.lua and literals.lua for measurements, figures.lua for
-- pictures, judge.lua for what the grader says, boxes.lua and questions.lua for the boxes,
-- glossary.lua, lessons.lua, page.lua and search.lua; words.lua for what is not English.

package.path = PANDOC_SCRIPT_FILE:gsub("[^/]*$", "") .. "?.lua;" .. package.path

local boxes = require "boxes"
local figures = require "figures"
local files = require "files"
local glossary = require "glossary"
local judge = require "judge"
local lessons = require "lessons"
local literals = require "literals"
local map = require "map"
local numbers = require "numbers"
local page = require "page"
local questions = require "questions"
local quote = require "quote"
local particles = require "particles"
local report = require "report"
local translation = require "translation"
local words = require "words"

local stringify = pandoc.utils.stringify

local name -- of the page, without ending

local start = {
  Meta = function(meta)
    files.page = stringify(meta.page)
    words.language = stringify(meta.language or "en")
    words.set_translated(stringify(meta.translated or ""))
    numbers.build = stringify(meta.build)
    numbers.lesson, judge.lesson = stringify(meta.lesson or ""), stringify(meta.lesson or "")
    name = numbers.lesson ~= "" and numbers.lesson or files.page:match("([^/.]+)[^/]*%.md$")
    figures.are_live = meta.live ~= nil
    lessons.set(stringify(meta.lessons))
    files.text(files.page)
  end,
}

-- A term of the glossary can be linked to.
local terms = {
  DefinitionList = function(list)
    if name ~= "glossary" then
      return nil
    end
    for _, item in ipairs(list.content) do
      item[1] = glossary.entry(item[1])
    end
    return list
  end,
}

local mark_terms = {
  Pandoc = function(document)
    if numbers.lesson ~= "" then
      local page = pandoc.walk_block(pandoc.Div(document.blocks), glossary.new_filter())
      return pandoc.Pandoc(page.content, document.meta)
    end
  end,
}

local finish = {
  Pandoc = function(document)
    return page.finish(document, name)
  end,
}

-- A filter that works on pages of one kind only.
local function where(holds, filter)
  local result = {}
  for element, work in pairs(filter) do
    result[element] = function(...) return holds() and work(...) or nil end
  end
  return result
end

local function is_translation()
  return not words.is_english()
end

-- A translation has no number that the English has not, so its literals are looked at there.
return {start, translation.filter, where(words.is_english, literals.filter), page.covers, terms,
        map.filter, report.filter, judge.filter, figures.filter, quote.filter, questions.filter,
        boxes.filter, numbers.filter, lessons.filter, mark_terms,
        where(is_translation, particles.filter), finish}
