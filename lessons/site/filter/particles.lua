-- particles.lua - a Korean particle after a word that the build fills in: 27.3을, but 27.4를. Which
-- of its two forms is right depends on how the word before it sounds, so a page is written with
-- both, as Korean does where the word is not known:
--
--     은(는)  이(가)  을(를)  과(와)  (으)로  (이)나
--
-- and this filter leaves the one that is right. What decides is the last syllable of the word as it
-- is read: digits and units by their Korean names, Latin words by their last letters. What stands
-- in brackets does not count: 뱅크(bank)는.

local files = require "files"

local particles = {}

-- The last consonant of a word as it is read. 로 follows none and ㄹ, 으로 follows the others.
local NONE, RIEUL, OTHER = false, "rieul", "other"

local DIGITS = {["0"] = OTHER, ["1"] = RIEUL, ["2"] = NONE, ["3"] = OTHER, ["4"] = NONE,
                ["5"] = NONE, ["6"] = OTHER, ["7"] = RIEUL, ["8"] = RIEUL, ["9"] = NONE}

-- Letters by their names: 엘, 엠, 엔, 알. The names of all others end in a vowel.
local LETTERS = {L = RIEUL, M = OTHER, N = OTHER, R = RIEUL}

-- Words that do not sound as their last letters say.
local READINGS = {
  nan = OTHER, step = OTHER, top = OTHER, bank = NONE, block = OTHER, stack = OTHER,
  clock = OTHER, lock = OTHER, map = OTHER, swap = OTHER, loop = NONE, warp = NONE, blas = NONE,
  l1 = RIEUL, l2 = NONE, h200 = OTHER, h100 = OTHER,
}

-- Endings of Latin words that are read with a last consonant; others get a vowel: 비트, 캐시.
local ENDINGS = {{"ng$", OTHER}, {"le?$", RIEUL}, {"[mn]e?$", OTHER}}

local function of_hangul(code)
  local final = (code - 0xAC00) % 28
  return final ~= 0 and (final == 8 and RIEUL or OTHER)
end

-- 10 is 십, 100 백, 1000 천, 10 000 만: zeros at the end of a whole number are read as its rank.
local function of_number(digits)
  local zeros = digits:match("^%d*[1-9](0+)$")
  return zeros and OTHER or DIGITS[digits:sub(-1)]
end

local function of_latin(word)
  if word:match("^%u+$") then
    return LETTERS[word:sub(-1)] or NONE
  end
  for _, ending in ipairs(ENDINGS) do
    if word:lower():match(ending[1]) then
      return ending[2]
    end
  end
  return NONE
end

-- What counts of a text: without brackets at its end, marks, and spaces between thousands.
local function last_word(text)
  text = text:gsub("\u{202F}(%d)", "%1"):gsub("(%d),(%d)", "%1%2")
  local before
  repeat
    before = text
    text = text:gsub("%s*%b()$", ""):gsub("[%s\"'`*_.,;:!?)%]]+$", "")
    for _, mark in ipairs {"”", "’", "\u{A0}", "\u{202F}"} do
      if text:sub(-#mark) == mark then
        text = text:sub(1, -#mark - 1)
      end
    end
  until text == before
  return text
end

local function of_digits(word)
  local fraction = word:match("%.(%d+)$")
  return fraction and DIGITS[fraction:sub(-1)] or not fraction and of_number(word:match("%d+$"))
end

function particles.final(text)
  local word = last_word(text)
  local last = word:match("[%z\1-\127\194-\244][\128-\191]*$") or ""
  local code = last ~= "" and utf8.codepoint(last) or 0
  local latin = word:match("%a[%w_]*$")
  local known = latin and READINGS[latin:lower()]
  if code >= 0xAC00 and code <= 0xD7A3 then
    return of_hangul(code)
  elseif known ~= nil then
    return known
  elseif last:match("%d") then
    return of_digits(word)
  end
  return latin and of_latin(latin) or NONE
end

-- How a page writes a pair; the form after a last consonant; the form after none.
local PAIRS = {{"은%(는%)", "은", "는"}, {"이%(가%)", "이", "가"}, {"을%(를%)", "을", "를"},
               {"과%(와%)", "과", "와"}, {"%(으%)", "으", ""}, {"%(이%)", "이", ""}}

-- The first pair in a text: where it begins and ends, and which it is.
local function first_pair(text)
  local first, last, found
  for _, pair in ipairs(PAIRS) do
    local from, to = text:find(pair[1])
    if from and (not first or from < first) then
      first, last, found = from, to, pair
    end
  end
  return first, last, found
end

-- text with each pair resolved; before is what stands before it.
function particles.resolve(text, before)
  local done, rest = "", text
  while true do
    local from, to, pair = first_pair(rest)
    if not from then
      return done .. rest
    end
    done = done .. rest:sub(1, from - 1)
    local final = particles.final((before or "") .. done)
    if pair[1] == "%(으%)" and final == RIEUL then
      final = NONE
    end
    done, rest = done .. (final and pair[2] or pair[3]), rest:sub(to + 1)
  end
end

-- --- In running text -----------------------------------------------------------------------------

local function text_of(inline)
  if inline.t == "RawInline" then
    return (inline.text:gsub("<[^>]*>", ""):gsub("&[#%w]+;", ""))
  elseif inline.t == "Space" or inline.t == "SoftBreak" then
    return " "
  end
  return inline.text or ""
end

local FIXED = {"은", "는", "이", "가", "을", "를", "과", "와", "으로", "로", "다", "고", "면", "나", "며",
               "므로"}

-- A number may change, so one form alone is an error, be it right today.
local function refuse_fixed(inline, before)
  local text = inline.t == "Str" and before and before.t == "RawInline" and
               before.text:match('^<data class="n"') and inline.text
  for _, form in ipairs(text and FIXED or {}) do
    if text:match("^" .. form .. "%p*$") then
      files.fail(form, '"%s" follows a number: write both forms, as 을(를), (으)로, (이)다',
                 text:gsub("%p*$", ""))
    end
  end
end

-- What inlines say, after before; their pairs are resolved in place.
local function resolve_in(inlines, before)
  for i, inline in ipairs(inlines) do
    refuse_fixed(inline, inlines[i - 1])
    if inline.t == "Str" then
      inline = pandoc.Str(particles.resolve(inline.text, before))
    end
    if inline.content then
      inline.content, before = resolve_in(inline.content, before)
    else
      before = before .. text_of(inline)
    end
    inlines[i] = inline
  end
  return inlines, before
end

local function block(element)
  element.content = resolve_in(element.content, "")
  return element
end

particles.filter = {Para = block, Plain = block, Header = block}

return particles
