-- glossary.lua - the first use of a word of the field, on each page, leads to what it means.
--
-- The words are the definition list of lessons/site/glossary.md. A word may have other forms:
-- [Warp]{forms="warps"}. A word is looked for in running text only: not in headings, code, links
-- and tables.
--
-- A translated entry names the English one, [뱅크]{of="Bank"}, and has its anchor. In Korean a
-- word may end in particles, which stay outside of the link, but not a form that ends in "!"; and
-- the first use is followed by the English term in brackets, from site/terms.csv.

local files = require "files"
local terms = require "terms"
local words = require "words"

local glossary = {used = {}}

local PATH = "lessons/site/glossary.md"

function glossary.anchor(term)
  return "term-" .. term:lower():gsub("[^%w]+", "-")
end

-- What an entry is called in English: its own words, or those it says it translates.
local function english_of(inlines)
  local english
  pandoc.walk_block(pandoc.Plain(inlines), {Span = function(span)
    english = english or span.attributes.of
  end})
  return english or pandoc.utils.stringify(inlines)
end

-- The head of an entry on the glossary's own page.
function glossary.entry(inlines)
  local english = english_of(inlines)
  local head = {pandoc.Span(pandoc.utils.stringify(inlines),
                            pandoc.Attr(glossary.anchor(english)))}
  if not words.is_english() then
    head[2] = pandoc.Span({pandoc.Str(" " .. english)}, pandoc.Attr("", {"english"},
                                                                     {{"lang", "en"}}))
  end
  return head
end

-- The marks before a word, the word, and the marks after it. A curly mark is three bytes, some of
-- which are parts of Hangul, too.
local function split_marks(text)
  local head, body = text:match("^([%(\"']*)(.*)$")
  for _, mark in ipairs {"“", "‘"} do
    if body:sub(1, #mark) == mark then
      head, body = head .. mark, body:sub(#mark + 1)
    end
  end
  local tail, found = "", nil
  repeat
    found = body:match("[%)\"'%.,;:!%?]$") or body:match("”$") or body:match("’$")
    tail, body = (found or "") .. tail, body:sub(1, #body - #(found or ""))
  until not found
  return head, body, tail
end

-- "shared memory" as it is looked up: words in lower case, without what is around them.
local function bare(word)
  return (select(2, split_marks(word)):lower())
end

-- What stands in brackets at the first use, in a translation: of a form that is a term of its own,
-- that term; of one that only has another ending, the entry's.
local function beside_of(form, term, english)
  if words.is_english() then
    return nil
  end
  local row = terms.translated(form) or form:sub(1, #term) == term and terms.find(english)
  return row and row.beside ~= "" and row.beside or nil
end

-- A word that is an entry's only one may have particles; its first syllable will do for looking up.
local function first_of(word)
  return words.is_english() and word or word:match("^[%z\1-\127\194-\244][\128-\191]*")
end

local function add(by_first, word, entry)
  local key = first_of(word)
  by_first[key] = by_first[key] or {}
  table.insert(by_first[key], entry)
end

-- Particles, and what a copula begins with: all that may follow a Korean noun without a space.
local PARTICLES = {}
for particle in ([[은 는 이 가 을 를 의 에 에서 에는 에서는 에서도 에도 와 과 와는 과는 도 만 마다 까지 부터 보다 로 으로
    로는 으로는 로도 으로도 나 이나 라 이라 라면 이라면 다 이다 란 이란 며 이며 인 일 들 들은 들이 들을 들의 들에 들로 하나 둘
    마다의 만큼 처럼 끼리]]):gmatch("%S+") do
  PARTICLES[particle] = true
end

-- What of text follows word: "" or a particle, perhaps after a quotation mark that ends there; nil
-- when it is another word.
local function after_word(text, word)
  if words.is_english() then
    return bare(text) == word and "" or nil
  end
  local rest = bare(text):sub(1, #word) == word and bare(text):sub(#word + 1)
  local particle = rest and rest:gsub("^”", ""):gsub("^’", "")
  return particle and (particle == "" or PARTICLES[particle]) and rest or nil
end

-- Entries by the first word of each form; an entry has its words, its term and its definition.
local function read_entries()
  local by_first = {}
  local text = files.text(words.path(PATH))
  for _, block in ipairs(pandoc.read(text, "markdown").blocks) do
    for _, item in ipairs(block.t == "DefinitionList" and block.content or {}) do
      local term = pandoc.utils.stringify(item[1])
      local forms, english = {term}, english_of(item[1])
      pandoc.walk_block(pandoc.Plain(item[1]), {Span = function(span)
        for form in (span.attributes.forms or ""):gmatch("%s*([^,]+)") do
          forms[#forms + 1] = form
        end
      end})
      for _, form in ipairs(forms) do
        local parts = {}
        for word in form:gmatch("[^%s!]+") do
          parts[#parts + 1] = word:lower()
        end
        local entry = {words = parts, term = term, anchor = glossary.anchor(english),
                       beside = beside_of((form:gsub("!", "")), term, english),
                       is_whole = form:match("!$"), meaning = pandoc.utils.stringify(item[2][1])}
        add(by_first, parts[1], entry)
      end
    end
  end
  for _, list in pairs(by_first) do
    table.sort(list, function(a, b) return #a.words > #b.words end)
  end
  return by_first
end

-- How many inlines from `at` on are the words of entry; nil when they are others.
local function matches(inlines, at, entry)
  local last = at
  for i, word in ipairs(entry.words) do
    local inline = inlines[last]
    local after = inline and inline.t == "Str" and after_word(inline.text, word)
    if not after or (after ~= "" and (i < #entry.words or entry.is_whole)) then
      return nil
    end
    if i < #entry.words then
      local between = inlines[last + 1]
      if not between or (between.t ~= "Space" and between.t ~= "SoftBreak") or
         inline.text:match("[%.,;:!%?%)]$") then
        return nil
      end
      last = last + 2
    end
  end
  return last - at + 1
end

-- The inlines of a use as a link, with the punctuation around them left outside.
local function link(inlines, at, count, entry)
  local content, before, behind = {}, "", ""
  for i = at, at + count - 1 do
    content[#content + 1] = inlines[i]
  end
  local head, text, marks = split_marks(content[1].text)
  before, content[1] = head, pandoc.Str(count > 1 and text .. marks or text)
  local _, body, tail = split_marks(content[#content].text)
  if count == 1 then
    body, tail = text, marks
  end
  behind, content[#content] = tail, pandoc.Str(body)
  local rest = after_word(body, entry.words[#entry.words])
  content[#content] = pandoc.Str(body:sub(1, #body - #rest))
  local address = (words.is_english() or words.is_translated(PATH)) and "" or "../"
  local result = pandoc.Link(content, address .. "glossary.html#" .. entry.anchor, entry.meaning,
                             pandoc.Attr("", {"term"}))
  local english = entry.beside and "(" .. entry.beside .. ")" or ""
  return before, result, english .. rest .. behind
end

-- Running text inside of running text; what the grader says is not ours to link.
local WITHIN = {Span = true, Emph = true, Strong = true}

local function is_text(inline)
  return WITHIN[inline.t] and
         (inline.t ~= "Span" or #inline.classes == 0)
end

-- The entry that begins at a place, if the page has not used it yet, and how many inlines it takes.
local function entry_at(by_first, inlines, at)
  local inline = inlines[at]
  for _, entry in ipairs(inline.t == "Str" and by_first[first_of(bare(inline.text))] or {}) do
    local count = not glossary.used[entry.term] and matches(inlines, at, entry)
    if count then
      return entry, count
    end
  end
end

-- Inlines with the first uses in them as links.
local function linked(by_first, old)
  local new, at = {}, 1
  while at <= #old do
    local entry, count = entry_at(by_first, old, at)
    if entry then
      glossary.used[entry.term] = true
      glossary.used[#glossary.used + 1] = entry.term
      local before, result, behind = link(old, at, count, entry)
      if before ~= "" then new[#new + 1] = pandoc.Str(before) end
      new[#new + 1] = result
      if behind ~= "" then new[#new + 1] = pandoc.Str(behind) end
    else
      if is_text(old[at]) then
        old[at].content = linked(by_first, old[at].content)
      end
      new[#new + 1] = old[at]
    end
    at = at + (count or 1)
  end
  return new
end

function glossary.new_filter()
  local by_first = read_entries()
  return {
    Para = function(para)
      return pandoc.Para(linked(by_first, para.content))
    end,
  }
end

return glossary
