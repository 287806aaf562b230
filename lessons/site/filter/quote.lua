-- quote.lua - code in the notes is quoted from the file that is compiled, never pasted.
--
--     ```{.quote file="exercises/01_coalescing/coalescing.cu" function="axpby"}
--     ```
--
-- What is quoted is named by one of these, all of which fail when they are not found:
--
--     mark="name"      the lines between `// [name]` and `// [end]`
--     quest="2"        the second region between `// quest: begin` and `// quest: end`
--     function="name"  a definition, with the comment above it, to the brace in column 1
--     from="text" to="text"   from the first line with that text to the next one with the other;
--                             without to: that line alone
--
-- An exercise is quoted as it was handed out, whatever the learner has made of it by now.

local files = require "files"
local words = require "words"

local quote = {}

-- A text that can stand in a pattern.
local function plain(text)
  return (text:gsub("%W", "%%%0"))
end

local function find(lines, from, matches)
  for i = from, #lines do
    if matches(lines[i]) then
      return i
    end
  end
end

local function between(lines, opening, closing, count)
  local first = 0
  for _ = 1, count do
    first = find(lines, first + 1, function(line) return line:match(opening) end)
    if not first then
      return nil
    end
  end
  local last = find(lines, first + 1, function(line) return line:match(closing) end)
  return first + 1, last and last - 1
end

-- A definition starts in column 1 with a word, has name( in it and does not end there.
local function definition(lines, name)
  local first = find(lines, 1, function(line)
    return line:match("^[%a_][^;]*%f[%w_]" .. plain(name) .. "%f[^%w_]") and not line:match(";%s*$")
  end)
  if not first then
    return nil
  end
  local last = find(lines, first, function(line) return line:match("^};?%s*$") end)
  while first > 1 and lines[first - 1]:match("^//") and not lines[first - 1]:match("^// quest:") do
    first = first - 1
  end
  return first, last
end

local function range(lines, wanted)
  if wanted.mark then
    return between(lines, "^%s*// %[" .. plain(wanted.mark) .. "%]", "^%s*// %[end%]", 1)
  elseif wanted.quest then
    return between(lines, "^%s*// quest: begin", "^%s*// quest: end", tonumber(wanted.quest))
  elseif wanted["function"] then
    return definition(lines, wanted["function"])
  end
  local first = find(lines, 1, function(line) return line:find(wanted.from, 1, true) end)
  local last = first and find(lines, first, function(line)
    return line:find(wanted.to or wanted.from, 1, true)
  end)
  return first, last
end

-- What the attributes ask for, in words and as it stands in the notes.
local function describe(wanted)
  for _, key in ipairs {"mark", "quest", "function", "from"} do
    if wanted[key] then
      local names = {mark = "marker", quest = "region number", ["function"] = "definition of",
                     from = "line with"}
      return string.format('%s "%s"', names[key], wanted[key]),
             string.format('%s="%s"', key, wanted[key])
    end
  end
end

-- Where an exercise is read from, and what it is called.
local function shipped(path)
  local lesson = path:match("^exercises/([^/]+)/")
  local original = lesson and "grader/judges/" .. lesson .. "/exercise.cu"
  return original and files.try(original) and original or path
end

-- The quoted lines as one text without common indentation, and the numbers of the first and last.
function quote.find(path, wanted)
  local what, needle = describe(wanted)
  if not what then
    files.fail(path, "a quotation of %s names no marker, quest, function or line", path)
  end
  local lines = files.lines(shipped(path), needle)
  local first, last = range(lines, wanted)
  if not first or not last then
    files.fail(needle, "%s has no %s", path, what)
  end
  while first < last and lines[first]:match("^%s*$") do
    first = first + 1
  end
  while last > first and lines[last]:match("^%s*$") do
    last = last - 1
  end
  local indent = math.huge
  for i = first, last do
    if lines[i]:match("%S") then
      indent = math.min(indent, #lines[i]:match("^ *"))
    end
  end
  local kept = {}
  for i = first, last do
    kept[#kept + 1] = lines[i]:sub(indent + 1)
  end
  return table.concat(kept, "\n"), first, last
end

local function language(path)
  return path:match("%.cuh?$") and "cuda" or path:match("%.[ch]$") and "c" or
         path:match("%.sh$") and "bash" or "default"
end

-- A figure with the code, and below it where it comes from.
function quote.block(path, wanted, id)
  local text, first, last = quote.find(path, wanted)
  local code = pandoc.CodeBlock(text, pandoc.Attr(id or "", {language(path), "numberLines"},
                                                  {{"startFrom", tostring(first)}}))
  local lines = words.say(first == last and "source_line" or "source_lines",
                          {n = first, first = first, last = last})
  local source = pandoc.Plain {pandoc.Code(path), pandoc.Str(lines)}
  return pandoc.Div({code, pandoc.Div({source}, pandoc.Attr("", {"source"}))},
                    pandoc.Attr("", {"quotation"}))
end

quote.filter = {
  CodeBlock = function(block)
    if block.classes:includes "quote" then
      return quote.block(block.attributes.file or "", block.attributes, block.identifier)
    end
  end,
}

return quote
