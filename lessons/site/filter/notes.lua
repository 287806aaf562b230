-- notes.lua - from the Markdown of a lesson to its page: this filter runs the others in order.
--
-- Pandoc hands over the parsed page with these in its metadata (see lessons/build.mk):
--     page      what is rendered, "lessons/01_coalescing/notes.md"
--     lesson    "01_coalescing"; empty for the front page and the glossary
--     lessons   all lessons' folders, in order
--     build     where what is built lies
--
-- Read next: quote.lua for code, numbers.lua and literals.lua for measurements, figures.lua for
-- pictures, judge.lua for what the grader says, boxes.lua and questions.lua for the boxes,
-- glossary.lua, lessons.lua, page.lua and search.lua.

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
local report = require "report"

local stringify = pandoc.utils.stringify

local name -- of the page, without ending

local start = {
  Meta = function(meta)
    files.page = stringify(meta.page)
    numbers.build = stringify(meta.build)
    numbers.lesson, judge.lesson = stringify(meta.lesson or ""), stringify(meta.lesson or "")
    name = numbers.lesson ~= "" and numbers.lesson or files.page:match("([^/]+)%.md$")
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
      item[1] = pandoc.Span(item[1], pandoc.Attr(glossary.anchor(stringify(item[1]))))
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

return {start, literals.filter, page.covers, terms, map.filter, report.filter, judge.filter,
        figures.filter, quote.filter, questions.filter, boxes.filter, numbers.filter,
        lessons.filter, mark_terms, finish}
