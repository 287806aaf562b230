-- page.lua - what a page has besides its text: its place among the lessons, its reading time, where
-- it teaches which item of the curriculum, and what it was made from.
--
-- `covers="D03 C19"` on a span or a box says that these items of lessons/site/curriculum.csv are
-- taught in that sentence, or by that box. Each becomes an invisible anchor, so an item has an
-- address: 01_coalescing.html#D03. `make curriculum` compares the anchors with the list.

local files = require "files"
local glossary = require "glossary"
local lessons = require "lessons"
local numbers = require "numbers"
local questions = require "questions"
local search = require "search"
local translation = require "translation"
local words = require "words"

local page = {items = {}}

-- Korean has fewer words for the same text, since particles and verbs are parts of them.
local WORDS_A_MINUTE = {en = 220, ko = 175}

-- --- Items of the curriculum -------------------------------------------------------------------

local function is_item(name)
  for _, row in ipairs(files.csv("lessons/site/curriculum.csv", name)) do
    if row.item == name then
      return true
    end
  end
end

local function anchors(element)
  local result = {}
  for item in (element.attributes.covers or ""):gmatch("%S+") do
    if not is_item(item) then
      files.fail(element.attributes.covers, "lessons/site/curriculum.csv has no item %s", item)
    end
    if not page.items[item] then -- an id stands once on a page: where the item comes first
      page.items[item] = true
      page.items[#page.items + 1] = item
      local anchor = '<span class="item" id="' .. item .. '"></span>'
      result[#result + 1] = pandoc.RawInline("html", anchor)
    end
  end
  element.attributes.covers = nil
  return result
end

local function with_anchors(inlines, found)
  for i = #found, 1, -1 do
    table.insert(inlines, 1, found[i])
  end
  return inlines
end

page.covers = {
  Header = function(header)
    local covers = header.attributes.covers
    if #anchors(header) > 0 then
      files.fail(covers, 'covers="%s" is on a heading: put it at the sentence that says it', covers)
    end
  end,
  Span = function(span)
    local found = anchors(span)
    if #found > 0 then
      return pandoc.Span(with_anchors(span.content, found), span.attr)
    end
  end,
  Div = function(div)
    local found = anchors(div)
    if #found > 0 then
      return {pandoc.Plain(found), div}
    end
  end,
}

-- --- Headings and tables -----------------------------------------------------------------------

page.furniture = {
  Header = function(header)
    if header.level == 2 and header.identifier ~= "" then
      header.content:insert(pandoc.RawInline("html", string.format(
        ' <a class="anchor" href="#%s" aria-label="%s">#</a>', header.identifier,
        words.say "section_link")))
      return header
    end
  end,
  Table = function(table)
    return {pandoc.RawBlock("html", '<div class="wide">'), table,
            pandoc.RawBlock("html", "</div>")}
  end,
}

-- --- The page as a whole -----------------------------------------------------------------------

-- Of the text; questions take as long as one likes to think.
local function minutes_of(blocks)
  local prose = pandoc.walk_block(pandoc.Div(blocks), {CodeBlock = function() return {} end})
  local count = select(2, pandoc.utils.stringify(prose):gsub("%S+", ""))
  for _, block in ipairs(prose.content) do -- stringify leaves no space between blocks
    count = count + 1
  end
  return math.max(1, math.ceil((count - questions.words) / WORDS_A_MINUTE[words.language]))
end

local function link_to(lesson)
  return lesson and {href = lessons.address(lesson), number = tostring(lesson.number),
                     title = lesson.title}
end

-- The page's sections, for finding one's way on it.
local function contents_of(blocks)
  local items = {}
  for _, block in ipairs(blocks) do
    if block.t == "Header" and block.level == 2 then
      items[#items + 1] = {pandoc.Plain {pandoc.Link(pandoc.utils.stringify(block.content),
                                                     "#" .. block.identifier)}}
    end
  end
  return #items > 1 and pandoc.MetaBlocks {pandoc.BulletList(items)} or nil
end

-- What the scripts say, as JSON.
local function texts()
  local parts = {}
  for key, text in pairs(words.all "script_") do
    parts[#parts + 1] = search.json(key) .. ":" .. search.json(text)
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

-- The English source of a page.
local function source_of(name)
  return name:match("^%d") and "lessons/" .. name .. "/notes.md" or "lessons/site/" .. name .. ".md"
end

-- The same page in the other language, if there is one.
local function other_language(name)
  local english = source_of(name)
  if words.is_english() then
    return words.is_translated(english) and
           {href = "ko/" .. name .. ".html", lang = "ko", name = words.say("language", nil, "ko")}
  end
  return {href = "../" .. name .. ".html", lang = "en", name = words.say("language", nil, "en")}
end

-- Everything the template wants to know that the front matter does not say.
local function complete(meta, minutes, name)
  local all, here = {}, lessons[numbers.lesson]
  for i, lesson in ipairs(lessons) do
    local link = link_to(lesson)
    link.current = lesson == here and "page" or nil
    all[i] = link
    if lesson == here then
      meta.number = tostring(lesson.number)
      meta.before, meta.behind = link_to(lessons[i - 1]), link_to(lessons[i + 1])
    end
  end
  meta.lessons, meta.language, meta.say = all, words.language, words.all "page_"
  meta.other = other_language(name) or nil
  meta.texts = pandoc.MetaInlines {pandoc.RawInline("html", texts())}
  meta.lesson_name = here and words.say("lesson", {n = here.number})
  meta.effort = words.say(questions.count > 0 and "effort_questions" or "effort",
                          {minutes = minutes, questions = questions.count})
  return meta
end

local function write(path, text)
  local handle = io.open(path, "w")
  if not handle then
    files.fail("", "cannot write %s", path)
  end
  handle:write(text)
  handle:close()
end

-- For `make curriculum` and the tests: a line a fact.
local function facts(minutes)
  local lines = {"minutes\t" .. minutes}
  for _, item in ipairs(page.items) do
    lines[#lines + 1] = "item\t" .. item
  end
  for _, term in ipairs(glossary.used) do
    lines[#lines + 1] = "term\t" .. term
  end
  for key, path in pairs(numbers.missing) do
    lines[#lines + 1] = "missing\t" .. key .. "\t" .. path
  end
  for _, id in ipairs(translation.behind) do
    lines[#lines + 1] = "behind\t" .. id .. "\t" .. files.page
  end
  for _, english in ipairs(words.missing) do
    lines[#lines + 1] = "untranslated\t" .. english
  end
  table.sort(lines)
  return table.concat(lines, "\n") .. "\n"
end

-- For make: the page again whenever one of these has changed. Files that are gone are no error.
local function dependencies(target)
  return target .. ": " .. table.concat(files.read, " ") .. "\n" ..
         table.concat(files.read, ":\n") .. ":\n"
end

-- The last step: page.furniture is applied here, since the contents want headings without it.
function page.finish(document, name)
  local minutes = minutes_of(document.blocks)
  local data = words.data(numbers.build) .. "/" .. name
  write(data .. ".sections",
        search.sections(document.blocks, name, pandoc.utils.stringify(document.meta.title)))
  document.meta = complete(document.meta, minutes, name)
  if numbers.lesson ~= "" then
    document.meta.contents = contents_of(document.blocks)
  end
  document.blocks = pandoc.walk_block(pandoc.Div(document.blocks), page.furniture).content
  for _, block in ipairs(numbers.listing()) do
    document.blocks:insert(block)
  end
  write(data .. ".facts", facts(minutes))
  write(data .. ".d", dependencies(words.pages(numbers.build) .. "/" .. name .. ".html"))
  return document
end

return page
