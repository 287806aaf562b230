-- draw_bars.lua - a ladder: one bar for each step, with its number beside it.
--
--     scale: log                               bars as long as the logarithm; default: linear
--     bar: sgemm_naive | one thread for each result
--     mark: sgemm_cublas | cuBLAS              the same, but drawn as what the others are held to
--
-- A bar's length and number are those of a key of numbers.csv. It is a table, so it needs no
-- picture to be read, and it fits a phone. All that was measured in it is from one file, which is
-- one run of one program: times of different runs are not compared.

local files = require "files"
local numbers = require "numbers"
local svg = require "svg"

local function read_bars(spec)
  local bars, scale = {}, "linear"
  for _, item in ipairs(spec) do
    if item.name == "scale" then
      scale = item.value
    else
      local key, label = item.value:match("^(%S+)%s*|%s*(.*)$")
      if not key then
        files.fail(item.value, '"%s" is not a bar: "key | what it is"', item.value)
      end
      bars[#bars + 1] = {number = numbers.get(key, item.value), label = label,
                         is_mark = item.name == "mark"}
    end
  end
  return bars, scale
end

-- Stop if two bars were measured in different runs; what is counted or typed has no file.
local function refuse_other_runs(bars)
  local first
  for _, bar in ipairs(bars) do
    for path in (bar.number.source or ""):gmatch("%(([%w_/.]+%.csv), row") do
      first = first or path
      if path ~= first then
        files.fail(bar.number.key, 'a figure compares numbers of one run: "%s" is from %s, ' ..
                   "others are from %s", bar.number.key, path, first)
      end
    end
  end
end

-- A label may have code in it.
local function label_of(text)
  return (svg.escape(text):gsub("`(.-)`", "<code>%1</code>"))
end

-- From 0 to 100.
local function length(value, least, most, scale)
  if not value then
    return 0
  elseif scale == "log" then
    return 4 + 96 * math.log(value / least) / math.log(most / least)
  end
  return 100 * value / most
end

return function(spec, alt)
  local bars, scale = read_bars(spec)
  refuse_other_runs(bars)
  local least, most = math.huge, 0
  for _, bar in ipairs(bars) do
    least, most = math.min(least, bar.number.value or least), math.max(most, bar.number.value or 0)
  end
  local rows = {}
  for _, bar in ipairs(bars) do
    rows[#rows + 1] = string.format(
      '<tr%s><th scope="row">%s</th><td class="bar"><svg viewBox="0 0 100 10" ' ..
      'preserveAspectRatio="none" aria-hidden="true"><rect width="%.1f" height="10"/></svg></td>' ..
      '<td class="value" title="%s">%s</td></tr>', bar.is_mark and ' class="mark"' or "",
      label_of(bar.label), length(bar.number.value, least, most, scale),
      svg.escape(bar.number.source),
      numbers.with_unit(bar.number))
  end
  return string.format('<table class="ladder" aria-label="%s"><tbody>\n%s\n</tbody></table>',
                       svg.escape(alt), table.concat(rows, "\n"))
end
