-- words.lua - what a page says of its own, in its language. English is what is written first; a
-- page in another language is build/notes/LANGUAGE/NAME.html.
--
-- lessons/site/strings.csv has the texts of pages and drawings by key, with {name} for what the
-- build fills in; lessons/site/phrases.csv has sentences that come from other files (of the grader,
-- of tables of numbers), by the English sentence itself. What has no translation is shown in
-- English and remembered: `make notes` lists it.

local files = require "files"
local particles = require "particles"

local words = {language = "en", missing = {}}

local STRINGS, PHRASES = "lessons/site/strings.csv", "lessons/site/phrases.csv"

function words.is_english()
  return words.language == "en"
end

-- "lessons/x/notes.md" in the page's language, when there is a translation.
function words.path(english)
  local own = english:gsub("%.md$", "." .. words.language .. ".md")
  return not words.is_english() and words.is_translated(english) and own or english
end

-- Which pages have a translation: the sources, in English, as make lists them.
local translated = {}

function words.set_translated(list)
  for path in list:gmatch("%S+") do
    translated[path] = true
  end
end

function words.is_translated(english)
  return translated[english] or false
end

local function folder_of(language)
  return language == "en" and "" or "/" .. language
end

-- Where pages in the page's language are.
function words.pages(build)
  return build .. "/notes" .. folder_of(words.language)
end

-- And what is written down of each page, in the page's language or another.
function words.data(build, language)
  return build .. "/notes/data" .. folder_of(language or words.language)
end

local function remember(english)
  if not words.missing[english] then
    words.missing[english] = true
    words.missing[#words.missing + 1] = english
  end
end

local rows_by_key -- of strings.csv

local function row_of(key)
  if not rows_by_key then
    rows_by_key = {}
    for _, row in ipairs(files.csv(STRINGS, key)) do
      rows_by_key[row.key] = row
    end
  end
  return rows_by_key[key] or files.fail(key, "%s has no row %s", STRINGS, key)
end

-- The text of a key, in the page's language unless another is given; values are for what it has in
-- braces.
function words.say(key, values, language)
  local row = row_of(key)
  local text = row[language or words.language] or ""
  if text == "" then
    remember(row.en)
    text = row.en
  end
  text = text:gsub("{(%w+)}", function(name) return values and tostring(values[name]) end)
  return words.is_english() and text or particles.resolve(text)
end

-- The text for a count; of one thing it is the row key_1.
function words.count(key, n, values)
  values = values or {}
  values.n = n
  return words.say(n == 1 and key .. "_1" or key, values)
end

-- All texts whose key begins with prefix, by what follows it: for the template and the scripts.
function words.all(prefix)
  local texts = {}
  row_of "copy"
  for key in pairs(rows_by_key) do
    if key:sub(1, #prefix) == prefix then
      texts[key:sub(#prefix + 1)] = words.say(key)
    end
  end
  return texts
end

local by_english -- the translations of phrases.csv

-- A sentence from elsewhere; and whether it is in the page's language.
function words.phrase(english)
  if words.is_english() or not english:find("%a") then
    return english, true
  end
  if not by_english then
    by_english = {}
    for _, row in ipairs(files.csv(PHRASES)) do
      by_english[row.en] = row[words.language]
    end
  end
  local text = by_english[english]
  if not text or text == "" then
    remember(english)
    return english, false
  end
  return text, true
end

-- A unit: symbols are the same in all languages, and words are not.
function words.unit(unit)
  return unit:find("%l%l%l") and words.phrase(unit) or unit
end

-- The same for a page: what is not translated is marked as English.
function words.marked(english, escape)
  local text, is_translated = words.phrase(english)
  return is_translated and escape(text) or
         '<span lang="en" class="untranslated">' .. escape(text) .. "</span>"
end

return words
