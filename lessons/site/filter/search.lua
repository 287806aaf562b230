-- search.lua - writes down the words of each section of a page, for the page that searches them
-- (site/search.js): build/notes/data/NAME.sections, an object of JSON for each, with a comma after
-- it.

local search = {}

-- Numbers, terms and boxes are HTML by now; drawings are, too, and have no words to find.
local function without_tags(text, between)
  if text:find("<svg", 1, true) then
    return ""
  end
  return (text:gsub("<[^>]*>", between):gsub("&[#%w]+;", " "))
end

-- Of code, each word once: what one looks for are names.
local function names_in(code)
  local names, seen = {}, {}
  for name in code:gmatch("[%a_][%w_]+") do
    if not seen[name] then
      seen[name] = true
      names[#names + 1] = name
    end
  end
  return table.concat(names, " ")
end

local plain = {
  RawInline = function(raw) return pandoc.Str(without_tags(raw.text, "")) end,
  RawBlock = function(raw) return pandoc.Plain {pandoc.Str(without_tags(raw.text, " "))} end,
  CodeBlock = function(code)
    return pandoc.Plain {pandoc.Str(names_in(code.text))}
  end,
  Code = function(code) return pandoc.Str(code.text) end,
}

local function words_of(block)
  local text = {}
  pandoc.walk_block(pandoc.Div {pandoc.walk_block(block, plain)}, {
    Plain = function(inner) text[#text + 1] = pandoc.utils.stringify(inner) end,
    Para = function(inner) text[#text + 1] = pandoc.utils.stringify(inner) end,
    Header = function(inner) text[#text + 1] = pandoc.utils.stringify(inner) end,
  })
  return (table.concat(text, " "):gsub("%s+", " "))
end

-- "<" as well, since the text stands in a script.
function search.json(text)
  return '"' .. text:gsub('[%c"\\<]', function(c) return string.format("\\u%04x", c:byte()) end) ..
         '"'
end

local function section(name, title, heading, text)
  local address = name .. ".html" .. (heading and "#" .. heading.identifier or "")
  return string.format('{"href":%s,"page":%s,"section":%s,"text":%s},\n',
                       search.json(address), search.json(title),
                       search.json(heading and pandoc.utils.stringify(heading.content) or ""),
                       search.json(table.concat(text, " ")))
end

-- Of a page, before its headings have links to themselves.
function search.sections(blocks, name, title)
  local result, text, heading = {}, {}, nil
  for _, block in ipairs(blocks) do
    if block.t == "Header" and block.level == 2 and block.identifier ~= "" then
      result[#result + 1] = section(name, title, heading, text)
      heading, text = block, {}
    else
      text[#text + 1] = words_of(block)
    end
  end
  result[#result + 1] = section(name, title, heading, text)
  return table.concat(result)
end

return search
