-- files.lua - reads the files that the notes quote and count from.
--
-- Two promises are kept here. Whatever is read is remembered, so that `make` knows what a page is
-- made of; and whatever is missing stops the build with one sentence that names the line of the
-- notes which asked for it.

local files = {
  root = ".",     -- of the tree; paths in the notes start there
  page = "",      -- the notes being rendered: "lessons/01_coalescing/notes.md"
  read = {},      -- paths that were read, in order
}

local text_of = {}

local function read(path)
  local handle = io.open(files.root .. "/" .. path, "rb")
  if not handle then
    handle = io.open(path, "rb") -- what was built lies where the build says
  end
  if not handle then
    return nil
  end
  local text = handle:read("a")
  handle:close()
  return text
end

-- The number of the first line of the notes that contains needle; the first line when none does.
local function line_of(needle)
  local text, number = read(files.page) or "", 0
  for line in (text .. "\n"):gmatch("(.-)\r?\n") do
    number = number + 1
    if needle and line:find(needle, 1, true) then
      return number
    end
  end
  return 1
end

-- Stop. needle is what stands in the notes at the place that is wrong.
function files.fail(needle, ...)
  io.stderr:write(string.format("%s:%d: ", files.page, line_of(needle)), string.format(...), "\n")
  os.exit(1)
end

-- The text of a file, or nil.
function files.try(path)
  if text_of[path] == nil then
    text_of[path] = read(path) or false
    if text_of[path] then
      files.read[#files.read + 1] = path
    end
  end
  return text_of[path] or nil
end

function files.text(path, needle)
  local text = files.try(path)
  if not text then
    files.fail(needle or path, "there is no file %s", path)
  end
  return text
end

-- The lines of a file, without their ends.
function files.lines(path, needle)
  local lines = {}
  for line in (files.text(path, needle):gsub("\n$", "") .. "\n"):gmatch("(.-)\r?\n") do
    lines[#lines + 1] = line
  end
  return lines
end

-- --- Tables ------------------------------------------------------------------------------------

-- The fields of one line of CSV; a field in double quotes may contain commas, and doubled quotes.
local function fields_of(line)
  local fields, at = {}, 1
  while at <= #line + 1 do
    local field = line:match('^"(.*)', at) and line:match('^"[^"]*"', at)
    if field then
      while line:sub(at + #field, at + #field) == '"' do
        field = field .. line:match('^"[^"]*"', at + #field)
      end
      fields[#fields + 1] = (field:sub(2, -2):gsub('""', '"'))
    else
      field = line:match("^[^,]*", at)
      fields[#fields + 1] = field
    end
    at = at + #field + 1
  end
  return fields
end

-- The rows of a CSV file: tables from column name to text, and `line`. Lines that start with # are
-- comments; the first one is kept as rows.about.
local table_of = {}

function files.csv(path, needle)
  if table_of[path] then
    return table_of[path]
  end
  local rows, columns = {}, nil
  for number, line in ipairs(files.lines(path, needle)) do
    if line:sub(1, 1) == "#" then
      rows.about = rows.about or line:gsub("^#%s*", "")
    elseif line ~= "" then
      local fields = fields_of(line)
      if columns then
        local row = {line_number = number}
        for i, column in ipairs(columns) do
          row[column] = fields[i] or ""
        end
        rows[#rows + 1] = row
      else
        columns = fields
      end
    end
  end
  table_of[path] = rows
  return rows
end

return files
