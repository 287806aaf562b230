-- numbers.lua - every figure in the prose has one place where it stands: a row of a CSV file.
--
--     `copy_rate`{.n}          becomes  4256 GB/s, with what it is and where it was measured
--     `copy_rate`{.n .bare}    the same without its unit
--
-- The rows are in the lesson's own numbers.csv, else in lessons/site/numbers.csv:
--
--     key,value,unit,digits,what,source
--
-- value is a number, or a formula that starts with "=", in Lua, of other keys and of
--
--     bank"axpby_16M".time_ns       a column of the kernels that were measured on an H200 with
--                                   Nsight Compute, grader/simgpu/fidelity/measured/bank.csv
--     peer"copy_f32_2p26".time_us   what PyTorch and cuBLAS reach there: lessons/site/peers.csv
--     bench("name", "which").column what a solution, a step or PyTorch reached there, side by side
--                                   in one run: lessons/site/bench/*.csv, as make bench-gemm and
--                                   make bench-peers write them; which is the column from or
--                                   problem, where there is one. A row that is not there is
--                                   still to be measured
--     counted("axpby", 2).sectors_ld   of that launch (the second one of the kernel) on the
--                                   simulated device, in the lesson's figures/record.cu
--
-- An empty value is a measurement still to be made: the page then says so, and `make curriculum`
-- lists it. digits are significant ones; without them 3, but whole numbers are written whole.

local files = require "files"
local words = require "words"

local numbers = {lesson = "", build = "build", used = {}, missing = {}}

local SITE = "lessons/site/"
local BANK = "grader/simgpu/fidelity/measured/bank.csv"

-- --- Where values come from --------------------------------------------------------------------

local sources = nil -- while a formula is worked out: what it has looked at

local function note(source)
  if sources and not sources[source] then
    sources[source] = true
    sources[#sources + 1] = source
  end
end

-- A row whose columns are numbers where they look like numbers, and which knows no others.
local function as_numbers(row, path)
  return setmetatable({}, {__index = function(_, column)
    local text = row[column]
    if text == nil then
      error(path .. " has no column " .. column, 0)
    end
    return tonumber(text) or text
  end})
end

local function table_of(path, about)
  return function(name)
    for _, row in ipairs(files.csv(path, name)) do
      if row.name == name then
        note(about .. " (" .. path .. ", row " .. name .. ")")
        return as_numbers(row, path)
      end
    end
    error(path .. " has no row " .. name, 0)
  end
end

local BENCHES = {"elementwise", "gemm", "peers", "cublaslt", "graphs"}

-- What came out of one of the timing programs; an empty cell is as good as no row.
local function bench(name, which)
  for _, kind in ipairs(BENCHES) do
    local path = SITE .. "bench/" .. kind .. ".csv"
    local rows = files.try(path) and files.csv(path, name) or {}
    for _, row in ipairs(rows) do
      if row.name == name and (row.from or row.problem) == which then
        note(string.format("%s (%s, row %s%s)", row.device and "measured on an " .. row.device ..
                           " by CUDA events" or rows.about, path, name,
                           which and ", " .. which or ""))
        return setmetatable({}, {__index = function(_, column)
          return tonumber(row[column]) or error({missing = name}, 0)
        end})
      end
    end
  end
  error({missing = name}, 0)
end

-- "_ZN8exercise5axpbyEPKf" is exercise::axpby: lengths before names, until something else comes.
-- Of a template, "solution::gemm<(solution::way)1>", the arguments are left out.
function numbers.kernel_name(mangled)
  local rest, parts = mangled:match("^_ZN?(.*)$"), {}
  while rest do
    local length, after = rest:match("^L?(%d+)(.*)$")
    if not length then
      break
    end
    parts[#parts + 1] = after:sub(1, tonumber(length))
    rest = after:sub(tonumber(length) + 1)
  end
  return #parts > 0 and table.concat(parts, "::") or mangled:match("^[^<]*")
end

function numbers.record_path(kind)
  return numbers.build .. "/notes/record/" .. numbers.lesson .. "." .. kind .. ".csv"
end

local function counted(name, nth)
  local path, seen = numbers.record_path("counters"), 0
  for _, row in ipairs(files.csv(path, name)) do
    if numbers.kernel_name(row.kernel) == name then
      seen = seen + 1
      if seen == (nth or 1) then
        note("counted by the simulated device (lessons/" .. numbers.lesson .. "/figures/record.cu, "
             .. name .. ")")
        return as_numbers(row, path)
      end
    end
  end
  error(string.format("%s has no launch %d of %s", path, nth or 1, name), 0)
end

-- For the curves of activations; good to ten digits where they are drawn, within 4 of 0.
local function erf(x)
  local term, sum = x, x
  for n = 1, 100 do
    term = -term * x * x / n
    sum = sum + term / (2 * n + 1)
  end
  return 2 / math.sqrt(math.pi) * sum
end

local function tanh(x)
  local e = math.exp(2 * x)
  return (e - 1) / (e + 1)
end

local FUNCTIONS = {
  bank = table_of(BANK, "measured on an NVIDIA H200 by Nsight Compute and CUDA events"),
  peer = table_of(SITE .. "peers.csv", "measured on an NVIDIA H200 by CUDA events"),
  bench = bench,
  counted = counted,
  min = math.min, max = math.max, sqrt = math.sqrt, exp = math.exp, erf = erf, tanh = tanh,
}

-- --- Keys --------------------------------------------------------------------------------------

-- The row of a key in one table. A key that stands twice, or columns that slipped, are refused.
local function row_in(path, key)
  local found
  for _, row in ipairs(files.csv(path)) do
    if row.key == key then
      if found then
        files.fail(key, "%s:%d: %s stands on line %d, too", path, row.line_number, key,
                   found.line_number)
      end
      found = row
    end
  end
  if found and (found.unit:match("^=") or not (found.digits .. "0"):match("^%d+$")) then
    files.fail(key, '%s:%d: the columns of %s slipped: its unit is "%s", its digits "%s"', path,
               found.line_number, key, found.unit, found.digits)
  end
  return found
end

local function row_of(key)
  for _, path in ipairs {"lessons/" .. numbers.lesson .. "/numbers.csv", SITE .. "numbers.csv"} do
    local row = files.try(path) and row_in(path, key)
    if row then
      return row, path
    end
  end
end

local value_of

local FORMULA = setmetatable({}, {__index = function(_, name)
  if FUNCTIONS[name] then
    return FUNCTIONS[name]
  end
  local value = value_of(name)
  if not value then
    error({missing = name}, 0)
  end
  return value
end})

-- The value of a formula; nil when something it needs has not been measured yet.
local function work_out(key, row, path)
  local formula, problem = load("return " .. row.value:sub(2), key, "t", FORMULA)
  if not formula then
    files.fail(key, "%s:%d: the formula of %s: %s", path, row.line_number, key, problem)
  end
  local done, result = pcall(formula)
  if done and type(result) == "number" then
    return result
  elseif type(result) == "table" and result.missing then
    numbers.missing[key] = path
    return nil
  end
  files.fail(key, "%s:%d: the formula of %s: %s", path, row.line_number, key, tostring(result))
end

function value_of(key, needle)
  local row, path = row_of(key)
  if not row then
    files.fail(needle or key, 'no number is called "%s"', key)
  end
  if row.source and row.source ~= "" then
    note(row.source)
  end
  if row.value == "" then
    numbers.missing[key] = path
    return nil
  end
  if row.value:sub(1, 1) == "=" then
    return work_out(key, row, path)
  end
  local value = tonumber(row.value)
  if not value then
    files.fail(needle or key, '%s:%d: the value of %s is neither a number nor a formula', path,
               row.line_number, key)
  end
  return value
end

-- Any expression of these, for the figures; variables are more names. nil when something in it has
-- not been measured yet.
function numbers.evaluate(expression, needle, variables)
  local known = setmetatable(variables or {}, {__index = FORMULA})
  local formula, problem = load("return " .. expression, needle, "t", known)
  local done, result = pcall(formula or function() error(problem, 0) end)
  if not done and type(result) ~= "table" then
    files.fail(needle, "%s", tostring(result))
  end
  return done and result or nil
end

-- --- Writing -----------------------------------------------------------------------------------

local NARROW = "\u{202F}" -- a space between thousands that does not break

local function grouped(whole)
  local text = whole
  repeat
    local count
    text, count = text:gsub("^(-?%d+)(%d%d%d)", "%1" .. NARROW .. "%2")
  until count == 0
  return text
end

function numbers.format(value, digits)
  if value == math.floor(value) and not digits and math.abs(value) < 1e15 then
    local whole = string.format("%d", value)
    return #whole > 4 and grouped(whole) or whole
  end
  digits = digits or 3
  local magnitude = value == 0 and 0 or math.floor(math.log(math.abs(value), 10) + 1e-12)
  local behind = digits - 1 - magnitude
  local factor = 10.0 ^ behind
  local rounded = math.floor(value * factor + 0.5) / factor
  local text = string.format("%." .. math.max(0, behind) .. "f", rounded)
  local whole, fraction = text:match("^(-?%d+)(.*)$")
  return (#whole > 4 and grouped(whole) or whole) .. fraction
end

-- What is known of a key: value (nil when it is still to be measured), text, unit, what, source.
function numbers.get(key, needle)
  local outer = sources
  sources = {}
  local value = value_of(key, needle)
  local row, path = row_of(key)
  local number = {key = key, value = value, unit = row.unit, what = row.what,
                  source = table.concat(sources, "; "), path = path,
                  text = value and numbers.format(value, tonumber(row.digits)) or "?"}
  sources = outer
  if not numbers.used[key] then
    numbers.used[key] = number
    numbers.used[#numbers.used + 1] = number
  end
  return number
end

-- "4256 GB/s"
function numbers.with_unit(number)
  local space = number.unit == "%" and NARROW or "\u{00A0}"
  local unit = number.unit ~= "" and space .. words.unit(number.unit) or ""
  return number.text .. unit
end

local function escape(text)
  return (text:gsub("[&<>\"]", {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}))
end

-- What a number is, or where it comes from: several sources are a sentence each.
local function translated(text)
  local parts = {}
  for part in (text .. "; "):gmatch("(.-); ") do
    local sentence, where = part:match("^(.-)( %b())$")
    parts[#parts + 1] = words.phrase(sentence or part) .. (where or "")
  end
  return table.concat(parts, "; ")
end

numbers.filter = {
  Code = function(code)
    if not code.classes:includes "n" then
      return nil
    end
    local number = numbers.get(code.text, "`" .. code.text .. "`{.n")
    local text = code.classes:includes "bare" and number.text or numbers.with_unit(number)
    if not number.value then
      return pandoc.RawInline("html", string.format(
        '<span class="n unmeasured" title="%s: %s">%s</span>', escape(words.phrase(number.what)),
        words.say "not_measured", text))
    end
    return pandoc.RawInline("html", string.format(
      '<data class="n" value="%s" title="%s: %s">%s</data>', number.value,
      escape(words.phrase(number.what)), escape(translated(number.source)), text))
  end,
}

-- The table at the end of a page that says of each number where it comes from.
function numbers.listing()
  local rows = {}
  for _, number in ipairs(numbers.used) do
    rows[#rows + 1] = string.format(
      '<tr><td class="value">%s</td><td>%s<br><span class="origin">%s</span></td></tr>',
      numbers.with_unit(number), words.marked(number.what, escape),
      number.value and escape(translated(number.source)) or words.say "not_measured")
  end
  if #rows == 0 then
    return {}
  end
  return {pandoc.RawBlock("html",
    '<details class="numbers"><summary>' .. words.say "origins" .. "</summary>" ..
    '<div class="wide"><table><tbody>' .. table.concat(rows, "\n") .. "</tbody></table></div>" ..
    "</details>")}
end

return numbers
