-- korean.lua - claims about what the filters do to a page in Korean: the first use of a term is
-- followed by the English one, whatever particle it has; and what has no translation is remembered.
-- It prints the claims that do not hold.
package.path = "lessons/site/filter/?.lua;" .. package.path

local files = require "files"
local glossary = require "glossary"
local words = require "words"

files.page = "grader/tests/notes/korean.lua"
words.language = "ko"
words.set_translated "lessons/site/glossary.md"

local wrong = false

local function claim(what, said, wanted)
  if said ~= wanted then
    io.stdout:write(string.format('%s: it says "%s", not "%s"\n', what, tostring(said), wanted))
    wrong = true
  end
end

-- Of one page, so a term that was used is not followed by the English again.
local USES = {
  {"워프는 레인마다", "워프(warp)는 레인(lane)마다"},
  {"그 워프가", "그 워프가"},
  {"“뱅크 충돌”이다.", "“뱅크 충돌(bank conflict)”이다."},
  {"글로벌 메모리에서", "글로벌 메모리(global memory)에서"},
  {"로드가 병합된다", "로드가 병합된다"},
  {"병합된 로드", "병합된(coalesced) 로드"},
  {"타일링과 타일러", "타일링과 타일러"},
  {"*섹터*를", "섹터(sector)를"},
}

local function check_uses()
  local filter = glossary.new_filter()
  for _, use in ipairs(USES) do
    local document = pandoc.read(use[1], "markdown-smart")
    local said = pandoc.walk_block(pandoc.Div(document.blocks), filter)
    claim(use[1], pandoc.utils.stringify(said), use[2])
  end
end

local function check_words()
  claim("a count", words.count("drawn_sectors", 3, {share = 100}), "섹터 3개, 그중 100% 사용")
  claim("a unit", words.unit "µs", "µs")
  claim("a unit that is a word", words.unit "sectors", "섹터")
  local text, is_translated = words.phrase "nobody ever said this"
  claim("an unknown sentence", text, "nobody ever said this")
  claim("an unknown sentence is translated", is_translated, false)
  claim("what is missing", words.missing[1], "nobody ever said this")
  claim("its mark", words.marked("nobody ever said this", function(t) return t end),
        '<span lang="en" class="untranslated">nobody ever said this</span>')
end

-- A translation has the numbers of its sentence, but for 4.3 million, which is 430만.
local function check_phrases()
  for _, row in ipairs(files.csv "lessons/site/phrases.csv") do
    local there = not row.en:find "million" and row.en or ""
    for number in there:gmatch "%d[%d,.]*" do
      local digits = number:gsub("[,.]+$", "")
      if not row.ko:find(digits, 1, true) then
        claim(row.en, row.ko, "something with " .. digits)
      end
    end
  end
end

check_uses()
check_words()
check_phrases()
os.exit(not wrong)
