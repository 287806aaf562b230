-- literals.lua - a measurement that was typed into the prose is refused.
--
-- A number with a unit, or with a fraction, says something that was measured or looked up. It is
-- either `key`{.n}, a row of a table, or a row of lessons/site/literals.csv: constants of the
-- architecture, sizes in bytes, versions, and what the myths say, each with its source. A whole
-- number without a unit is free: it is a size or a count that the page itself chose. So are numbers
-- in words; no program tells "half of it" from a measurement.
--
-- Looked at are paragraphs, headings, tables, captions, and of figures the data and the alt text.

local files = require "files"

local literals = {}

local PATH = "lessons/site/literals.csv"

local UNITS = {}
for unit in ([[% µs ns ms s second seconds minutes GB/s TB/s MB/s TFLOP/s GFLOP/s GHz MHz
    B KB MB GB TB KiB MiB GiB byte bytes bit bits cycle cycles times registers]]):gmatch("%S+") do
  UNITS[unit] = true
end

local function is_listed(literal)
  for _, row in ipairs(files.csv(PATH)) do
    if row.literal == literal then
      return row.source ~= ""
    end
  end
end

local function refuse(literal)
  if not is_listed(literal) then
    files.fail(literal, '"%s" is typed: make it a row of numbers.csv, or of %s with its source',
               literal, PATH)
  end
end

-- "(4.3," is 4.3; of a word that is no number, what it is without the marks around it.
local function bare(word)
  return (word:gsub("^[%(%[“‘\"|,]+", ""):gsub("[%)%]”’\"|%.,;:!%?]+$", ""))
end

local function check_text(text)
  local words = {}
  for word in text:gsub("\u{A0}", " "):gsub("\u{202F}", " "):gmatch("%S+") do
    words[#words + 1] = word
  end
  for i, word in ipairs(words) do
    local number = bare(word)
    local unit = words[i + 1] and bare(words[i + 1]) or ""
    local joined = number:match("^%d[%d%.]*%-(%a+)$") or number:match("^%d[%d%.]*(%%)$")
    local is_number = number:match("^%d+$") or number:match("^%d*%.?%d+$")
    if joined and UNITS[joined] then
      refuse(number)
    elseif is_number and UNITS[unit] and number == word:gsub("^[%(“‘]+", "") then
      refuse(number .. " " .. unit)
    elseif number:match("^%d+%.%d+$") or number:match("^%d[%d%.]*e%-?%d+$") then
      refuse(number)
    end
  end
end

-- Text without code, whose numbers are the code's, and without what the other filters fill in.
local function text_of(inlines)
  local plain = pandoc.walk_block(pandoc.Plain(inlines), {
    Code = function() return pandoc.Str "code" end,
    Math = function() return pandoc.Str "math" end,
  })
  return pandoc.utils.stringify(plain)
end

local function check_block(block)
  check_text(text_of(block.content))
end

literals.filter = {
  Para = check_block,
  Plain = check_block,
  Header = check_block,
  Div = function(div)
    if not div.classes:includes "figure" then
      return
    end
    check_text(div.attributes.alt or "")
    local data = div.content[1]
    for line in (data and data.t == "CodeBlock" and data.text or ""):gmatch("[^\n]+") do
      if not line:match("^%s*for:") then
        check_text(line:match("|%s*(.*)$") or "") -- a label; before it are keys and formulas
      end
    end
  end,
}

return literals
