-- glossary.lua - the first use of a word of the field, on each page, leads to what it means.
--
-- The words are the definition list of lessons/site/glossary.md. A word may have other forms:
-- [Warp]{forms="warps"}. A word is looked for in running text only: not in headings, code, links
-- and tables.

local files = require "files"

local glossary = {used = {}}

local PATH = "lessons/site/glossary.md"

function glossary.anchor(term)
  return "term-" .. term:lower():gsub("[^%w]+", "-")
end

-- "shared memory" as it is looked up: words in lower case, without what is around them.
local function bare(word)
  return word:lower():gsub("^[%(“‘\"']+", ""):gsub("[%)”’\"'%.,;:!%?]+$", "")
end

-- Entries by the first word of each form; an entry has its words, its term and its definition.
local function read_entries()
  local by_first = {}
  for _, block in ipairs(pandoc.read(files.text(PATH), "markdown").blocks) do
    for _, item in ipairs(block.t == "DefinitionList" and block.content or {}) do
      local term = pandoc.utils.stringify(item[1])
      local forms = {term}
      pandoc.walk_block(pandoc.Plain(item[1]), {Span = function(span)
        for form in (span.attributes.forms or ""):gmatch("%s*([^,]+)") do
          forms[#forms + 1] = form
        end
      end})
      for _, form in ipairs(forms) do
        local words = {}
        for word in form:gmatch("%S+") do
          words[#words + 1] = word:lower()
        end
        by_first[words[1]] = by_first[words[1]] or {}
        table.insert(by_first[words[1]], {words = words, term = term,
                                          meaning = pandoc.utils.stringify(item[2][1])})
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
    if not inline or inline.t ~= "Str" or bare(inline.text) ~= word then
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
  local head, text = content[1].text:match("^([%(“‘\"']*)(.*)$")
  before, content[1] = head, pandoc.Str(text)
  local body, tail = content[#content].text:match("^(.-)([%)”’\"'%.,;:!%?]*)$")
  behind, content[#content] = tail, pandoc.Str(body)
  local result = pandoc.Link(content, "glossary.html#" .. glossary.anchor(entry.term),
                             entry.meaning, pandoc.Attr("", {"term"}))
  return before, result, behind
end

function glossary.new_filter()
  local by_first = read_entries()
  return {
    Para = function(para)
      local old, new, at = para.content, {}, 1
      while at <= #old do
        local inline, used = old[at], nil
        for _, entry in ipairs(inline.t == "Str" and by_first[bare(inline.text)] or {}) do
          local count = not glossary.used[entry.term] and matches(old, at, entry)
          if count then
            glossary.used[entry.term] = true
            glossary.used[#glossary.used + 1] = entry.term
            local before, result, behind = link(old, at, count, entry)
            if before ~= "" then new[#new + 1] = pandoc.Str(before) end
            new[#new + 1] = result
            if behind ~= "" then new[#new + 1] = pandoc.Str(behind) end
            used = count
            break
          end
        end
        if not used then
          new[#new + 1] = inline
        end
        at = at + (used or 1)
      end
      return pandoc.Para(new)
    end,
  }
end

return glossary
