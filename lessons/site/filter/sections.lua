-- sections.lua - the sections of a page's source, English or translated, and whether a translation
-- is of the English that there is now.
--
-- A section is what stands between two headings of the second level; the first one, called "top",
-- is what stands before them, with title and lead. A translated heading has its English section's
-- identifier, and a hash of its text, written by `make translated` when somebody has read both:
--
--     ## 뱅크 충돌 {#banks of="1f0c22ab"}
--
-- and the front matter has that of the top. What has another hash now is *behind*.

local files = require "files"

local sections = {}

-- Spaces and line breaks do not count.
function sections.hash(text)
  return pandoc.utils.sha1((text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))):sub(1, 8)
end

local function identifier_of(heading)
  return pandoc.read(heading, "markdown").blocks[1].identifier
end

-- Text as sections in order, each also under its identifier.
function sections.split(text)
  local list, fenced = {{id = "top", first = 1, lines = {}}}, false
  local number = 0
  for line in (text:gsub("\n$", "") .. "\n"):gmatch("(.-)\r?\n") do
    number = number + 1
    if line:match("^```") then
      fenced = not fenced
    end
    if not fenced and line:match("^## ") then
      list[#list + 1] = {id = identifier_of(line), of = line:match('of="(%x+)"'), first = number,
                         heading = line, lines = {}}
    end
    table.insert(list[#list].lines, line)
  end
  for _, section in ipairs(list) do
    section.text = table.concat(section.lines, "\n")
    section.hash = sections.hash(section.text)
    list[section.id] = section
  end
  list[1].of = list[1].text:match("\nof:%s*(%x+)\n")
  return list
end

function sections.read(path)
  return sections.split(files.text(path))
end

return sections
