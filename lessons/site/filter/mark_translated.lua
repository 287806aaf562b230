-- mark_translated.lua - writes into a translated page which English it is of: `make translated`.

package.path = PANDOC_SCRIPT_FILE:gsub("[^/]*$", "") .. "?.lua;" .. package.path

local files = require "files"
local sections = require "sections"

local function stop(...)
  io.stderr:write("  ", string.format(...), "\n")
  os.exit(1)
end

-- The line that holds a section's hash, with this one.
local function with_hash(line, hash)
  if line:match("^of:") then
    return "of: " .. hash
  elseif line:match('of="%x*"') then
    return (line:gsub('of="%x*"', 'of="' .. hash .. '"'))
  end
  return (line:gsub("}%s*$", ' of="' .. hash .. '"}'))
end

local function mark(section, english, only)
  if not english then
    stop("section #%s is not in the English page", section.id)
  elseif only ~= "" and only ~= section.id then
    return
  end
  for i, line in ipairs(section.lines) do
    if section.id ~= "top" and i == 1 or section.id == "top" and line:match("^of:") then
      section.lines[i] = with_hash(line, english.hash)
      return
    end
  end
  stop("the front matter has no line \"of:\"; write one")
end

return {{Meta = function(meta)
  local path, only = pandoc.utils.stringify(meta.english), pandoc.utils.stringify(meta.section)
  local own_path = path:gsub("%.md$", ".ko.md")
  local english, own, lines = sections.read(path), sections.read(own_path), {}
  if only ~= "" and not own[only] then
    stop("%s has no section #%s", own_path, only)
  end
  for _, section in ipairs(own) do
    mark(section, english[section.id], only)
    lines[#lines + 1] = table.concat(section.lines, "\n")
  end
  local handle = io.open(own_path, "w")
  handle:write(table.concat(lines, "\n"), "\n")
  handle:close()
end}}
