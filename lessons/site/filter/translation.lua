-- translation.lua - a translated page is whole: each section has what its English section has, the
-- same numbers, code, links, figures, questions and anchors, as many paragraphs, rows and points.
-- What differs stops the build. And it is of today's English: a section whose English has changed
-- since somebody read both (sections.lua) is not compared, but marked on the page, and `make notes`
-- lists it.

local files = require "files"
local sections = require "sections"
local terms = require "terms"
local words = require "words"

local translation = {behind = {}}

-- --- What a section has, apart from its sentences ------------------------------------------------

-- Of a figure's line, which field is a label that is translated; the others stay.
local LABELS = {request = 2, bar = 2, mark = 2, panel = 2, kernel = 2, levels = 4, line = 3, at = 2,
                ours = 2, row = 2, x = 1, y = 1, title = 1}

local function without_label(line)
  local name, value = line:match("^(%l+): (.*)$")
  local label = name and LABELS[name]
  if not label then
    return line
  end
  local fields = {}
  for field in (value .. "|"):gmatch("%s*(.-)%s*|") do
    fields[#fields + 1] = #fields + 1 == label and "" or field
  end
  return name .. ": " .. table.concat(fields, " | ")
end

-- Without code, and without the titles of what is elsewhere.
local function prose_of(blocks)
  local none = function() return {} end
  local plain = pandoc.walk_block(pandoc.Div(blocks), {
    Code = function() return pandoc.Str " " end, CodeBlock = none,
    Link = function(link) return link.target:match "^https:" and {} or nil end,
    Para = function(para) para.content:insert(pandoc.Str " ") return para end,
    Plain = function(para) para.content:insert(pandoc.Str " ") return para end,
    Header = function(head) return pandoc.Para {pandoc.Span(head.content), pandoc.Str " "} end,
  })
  return (pandoc.utils.stringify(plain))
end

local function counter()
  local counts = {}
  return counts, function(format, ...)
    local what = string.format(format, ...)
    counts[what] = (counts[what] or 0) + 1
  end
end

local function count_choices(list, count)
  for i, item in ipairs(list.content) do
    local box = item[1] and item[1].content and item[1].content[1]
    if box and box.text == "☒" then
      count("choice %d is the right one", i)
    end
    count "point of a list"
  end
end

local function count_attributes(element, count)
  for item in (element.attributes.covers or ""):gmatch("%S+") do
    count('covers="%s"', item)
  end
  for _, name in ipairs {"entry", "answer", "kind"} do
    if element.attributes[name] then
      count('%s="%s"', name, element.attributes[name])
    end
  end
end

-- Inline code stands as often as a language needs it, and a number may leave its unit to the words
-- around it (타일 `x`{.n .bare}개); the rest is counted.
local function contents_of(blocks)
  local counts, count = counter()
  local codes = {}
  local numbered = function() count "paragraph" end
  local list = function(list) count_choices(list, count) end
  pandoc.walk_block(pandoc.Div(blocks), {
    Code = function(code)
      if #code.classes > 0 then
        count("`%s`{.%s}", code.text, code.classes[1])
      else
        codes["`" .. code.text .. "`"] = 1
      end
    end,
    Link = function(link) count("link to %s", link.target) end,
    Span = function(span) count_attributes(span, count) end,
    Div = function(div)
      count("box %s", div.classes[1] or "")
      count_attributes(div, count)
    end,
    Header = function(header) count("heading #%s", header.identifier) end,
    Para = numbered, Plain = numbered, BulletList = list, OrderedList = list,
    Table = function(table)
      for _ in ipairs(pandoc.utils.to_simple_table(table).rows) do
        count "row of a table"
      end
    end,
    CodeBlock = function(block)
      for _, name in ipairs {"file", "function", "mark", "quest", "from", "to"} do
        count("code %s=%s", name, block.attributes[name] or "")
      end
      for line in block.text:gmatch("[^\n]+") do
        count("line %s", without_label(line))
      end
    end,
  })
  return counts, codes
end

-- --- Numbers in the prose ------------------------------------------------------------------------

local IN_WORDS = {["10"] = "ten", ["12"] = "twelve", ["15"] = "fifteen", ["16"] = "sixteen",
                  ["50"] = "fiftieth", ["100"] = "hundred", ["1000"] = "thousand"}

-- The numbers of two digits and more: 4 million, and 400만, are 4000000.
local function numbers_of(prose)
  local found = {}
  local function note(digits, rank)
    local value = tonumber((digits:gsub(",", "")))
    if value then
      found[string.format("%.10g", value * rank)] = 1
    end
    return " "
  end
  prose = prose:gsub("\u{202F}", " "):gsub("\u{A0}", " "):gsub("(%d) (%d%d%d)%f[%D]", "%1%2")
  prose = prose:gsub("([%d.]+) million", function(n) return note(n, 1e6) end)
  prose = prose:gsub("만큼", "큼"):gsub("%f[%w]([%d.]+)만", function(n) return note(n, 1e4) end)
  for digits in prose:gmatch("%d[%d,.]*") do
    note((digits:gsub("[,.]+$", "")), 1)
  end
  for digits in pairs(found) do
    if #digits < 2 then
      found[digits] = nil
    end
  end
  return found
end

-- --- Comparing -----------------------------------------------------------------------------------

local function fail(section, ...)
  files.fail(section.heading, "section #%s %s", section.id, string.format(...))
end

local function in_order(counts)
  local keys = {}
  for key in pairs(counts) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return ipairs(keys)
end

local function compare_counts(section, english, own)
  for _, what in in_order(english) do
    if own[what] ~= english[what] then
      fail(section, "has %d of these where the English has %d: %s", own[what] or 0, english[what],
           what)
    end
  end
  for _, what in in_order(own) do
    if not english[what] then
      fail(section, "has something that the English has not: %s", what)
    end
  end
end

local function compare_numbers(section, english, own)
  local there, here = numbers_of(english), numbers_of(own)
  for _, digits in in_order(here) do
    local word = IN_WORDS[digits]
    if not there[digits] and not (word and english:lower():find(word, 1, true)) then
      fail(section, "has the number %s, which the English has not", digits)
    end
  end
  for _, digits in in_order(there) do
    if not here[digits] then
      fail(section, "has no number %s, and the English has", digits)
    end
  end
end

local function compare(english, own)
  local there, here = pandoc.read(english.text, "markdown"), pandoc.read(own.text, "markdown")
  local counts, codes = contents_of(there.blocks)
  local own_counts, own_codes = contents_of(here.blocks)
  compare_counts(own, counts, own_counts)
  compare_counts(own, codes, own_codes)
  local prose, own_prose = prose_of(there.blocks), prose_of(here.blocks)
  compare_numbers(own, prose, own_prose)
  terms.check(own, prose, own_prose, fail)
end

local function check(english_path)
  local english, own = sections.read(english_path), sections.read(files.page)
  for _, section in ipairs(english) do
    local mine = own[section.id]
    if not mine or mine.of ~= section.hash then
      translation.behind[section.id] = mine and "changed" or "missing"
      table.insert(translation.behind, section.id)
    else
      compare(section, mine)
    end
  end
  for _, section in ipairs(own) do
    if not english[section.id] then
      fail(section, "is not in %s", english_path)
    end
  end
end

local function mark(blocks, key)
  blocks:insert(pandoc.RawBlock("html", '<p class="behind">' .. words.say(key) .. "</p>"))
end

-- The page with a note in each section that is behind, and at its end for each that is missing.
local function marked(document)
  local blocks = pandoc.List {}
  if translation.behind.top then
    mark(blocks, "behind")
  end
  for _, block in ipairs(document.blocks) do
    if block.t == "Header" then
      block.attributes.of = nil
    end
    blocks:insert(block)
    if block.t == "Header" and block.level == 2 and translation.behind[block.identifier] then
      mark(blocks, "behind")
    end
  end
  for _, id in ipairs(translation.behind) do
    if translation.behind[id] == "missing" then
      mark(blocks, "untranslated")
    end
  end
  return pandoc.Pandoc(blocks, document.meta)
end

translation.filter = {
  Pandoc = function(document)
    if words.is_english() then
      return nil
    end
    check((files.page:gsub("%." .. words.language .. "%.md$", ".md")))
    return marked(document)
  end,
}

return translation
