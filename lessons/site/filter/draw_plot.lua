-- draw_plot.lua - curves and rooflines, by gnuplot.
--
--     x: stride between lanes, in floats       an axis; "| log" makes it logarithmic
--     y: sectors a request
--     series: counted | lines | accent         or points, or both; what follows belongs to it.
--                                              Colours: accent, second, third, soft, ink
--     for: i = 1, 32 | i, counted("every", i).sectors_ld
--     at: 2, bank"strided_read_2_2M".time_ns   one point; "| text | left" puts a label there
--                                              (right, left, above or below)
--     range: x 1 32                            if gnuplot's own choice will not do
--
-- Numbers may be formulas, of the same kind as in numbers.csv. gnuplot writes fixed colours, so it
-- is given colours that stand for roles, and those become the style sheet's.

local files = require "files"
local numbers = require "numbers"
local svg = require "svg"

local WIDTH, HEIGHT = 720, 380
-- Placeholder colours, and what they become.
local ROLES = {
  ink = {"#010101", "rgb%(%s*1,%s*1,%s*1%)"}, accent = {"#020202", "rgb%(%s*2,%s*2,%s*2%)"},
  second = {"#030303", "rgb%(%s*3,%s*3,%s*3%)"}, third = {"#040404", "rgb%(%s*4,%s*4,%s*4%)"},
  soft = {"#050505", "rgb%(%s*5,%s*5,%s*5%)"}, faint = {"#060606", "rgb%(%s*6,%s*6,%s*6%)"},
}
local IN_TURN = {"accent", "second", "third"}
local PLACES = {right = "left offset char 0.9,0", left = "right offset char -0.9,0",
                above = "center offset char 0,0.8", below = "center offset char 0,-0.9"}

local plots = 0 -- drawn on this page

local function parts_of(value)
  local parts = {}
  for part in (value .. "|"):gmatch("%s*(.-)%s*|") do
    parts[#parts + 1] = part
  end
  return parts
end

local function quoted(text)
  return "'" .. text:gsub("'", "''") .. "'"
end

local function point(series, text, label, place, variables)
  local values = numbers.evaluate("{" .. text .. "}", text, variables)
  if label and not PLACES[place or "right"] then
    files.fail(label, 'a label stands right, left, above or below, not "%s"', place)
  end
  if values then
    series.points[#series.points + 1] = {x = values[1], y = values[2], label = label,
                                         place = place or "right"}
  end
end

local function read_series(spec)
  local all, plot = {}, {range = {}}
  for _, item in ipairs(spec) do
    local parts = parts_of(item.value)
    if item.name == "series" then
      all[#all + 1] = {style = parts[2] or "lines", points = {},
                       colour = parts[3] or IN_TURN[#all % #IN_TURN + 1]}
    elseif item.name == "at" then
      point(all[#all], parts[1], parts[2], parts[3])
    elseif item.name == "for" then
      local name, from, to = parts[1]:match("^(%a+)%s*=%s*(%d+)%s*,%s*(%d+)$")
      if not name then
        files.fail(item.value, '"%s" is not a count: "i = 1, 32"', parts[1])
      end
      for i = tonumber(from), tonumber(to) do
        point(all[#all], parts[2], nil, nil, {[name] = i})
      end
    elseif item.name == "range" then
      local axis, least, most = item.value:match("^(%a)%s+(%S+)%s+(%S+)$")
      plot.range[axis] = {least, most}
    else
      plot[item.name] = parts
    end
  end
  return all, plot
end

local function axis_commands(axis, plot, commands)
  local parts = plot[axis] or {""}
  commands[#commands + 1] = string.format("set %slabel %s tc rgb '#010101'", axis, quoted(parts[1]))
  if parts[2] == "log" then
    commands[#commands + 1] = string.format("set logscale %s %s", axis, parts[3] or 2)
  end
  if plot.range[axis] then
    commands[#commands + 1] = string.format("set %srange [%s:%s]", axis,
                                            table.unpack(plot.range[axis]))
  end
  if plot[axis .. "tics"] then
    commands[#commands + 1] = string.format("set %stics (%s)", axis, plot[axis .. "tics"][1])
  end
end

local STYLES = {lines = "lines lw 2", points = "points pt 7 ps 0.7",
                both = "linespoints pt 7 ps 0.6 lw 2"}

-- The points of a series as a data block, and what plots them. Labels of one place are a plot each.
local function series_commands(number, series, commands, curves)
  local colour = (ROLES[series.colour] or ROLES.accent)[1]
  local blocks = {{name = "$s" .. number, rows = {}}}
  for _, p in ipairs(series.points) do
    table.insert(blocks[1].rows, string.format("%.10g\t%.10g", p.x, p.y))
    if p.label then
      blocks[#blocks + 1] = {name = string.format("$l%d_%d", number, #blocks), place = p.place,
                             rows = {string.format("%.10g\t%.10g\t%s", p.x, p.y, p.label)}}
    end
  end
  for _, block in ipairs(blocks) do
    commands[#commands + 1] = block.name .. " << EOD\n" .. table.concat(block.rows, "\n") .. "\nEOD"
    curves[#curves + 1] = block.place and
      string.format("%s using 1:2:3 with labels %s tc rgb '%s'", block.name, PLACES[block.place],
                    ROLES.ink[1]) or
      string.format("%s using 1:2 with %s lc rgb '%s'", block.name, STYLES[series.style], colour)
  end
end

local function script(all, plot)
  local commands, curves = {
    string.format("set terminal svg size %d,%d dynamic font 'sans-serif,13' " ..
                  "background '#ffffff' linewidth 1", WIDTH, HEIGHT),
    "set encoding utf8", "unset key", "set border 3 lc rgb '#050505'",
    "set tics nomirror scale 0.5 tc rgb '#010101'", "set grid lc rgb '#060606' lw 0.5 dt 1",
    "set rmargin 4", "set tmargin 1.5", "set datafile separator '\\t'",
  }, {}
  axis_commands("x", plot, commands)
  axis_commands("y", plot, commands)
  for number, series in ipairs(all) do
    if not STYLES[series.style] then
      files.fail(series.style, 'a series is drawn as lines, points or both, not as "%s"',
                 series.style)
    end
    series_commands(number, series, commands, curves)
  end
  return table.concat(commands, "\n") .. "\nplot " .. table.concat(curves, ", \\\n  ") .. "\n"
end

-- What gnuplot wrote, without its own name for things, its background and its fixed colours.
local function themed(text, alt)
  text = text:gsub("^.-<svg", "<svg", 1)
  text = text:gsub("<title>.-</title>", "", 1):gsub("<desc>.-</desc>", "", 1)
  text = text:gsub("<rect[^>]-fill=\"#ffffff\"[^>]*/>", "", 1)
  text = text:gsub(' xmlns:xlink="[^"]*"', ""):gsub("^<svg(.-)>", function(attributes)
    local box = attributes:match('viewBox="[^"]*"') or string.format('viewBox="0 0 %d %d"', WIDTH,
                                                                     HEIGHT)
    return string.format('<svg %s role="img" xmlns="http://www.w3.org/2000/svg">\n' ..
                         '<title>%s</title>',
                         box, svg.escape(alt))
  end, 1)
  plots = plots + 1 -- what gnuplot gives a name to is there once in every plot of a page
  text = text:gsub(' id="gnuplot[^"]*"', ""):gsub("id='gp(%w+)'", 'id="plot' .. plots .. '-%1"')
  text = text:gsub("#gp(%w+)", "#plot" .. plots .. "-%1")
  for name, role in pairs(ROLES) do
    text = text:gsub(role[2], "var(--" .. name .. ")"):gsub(role[1], "var(--" .. name .. ")")
  end
  text = text:gsub("%f[%w]black%f[%W]", "var(--ink)"):gsub('font%-family="[^"]*"', "")
  return (text:gsub("\n%s*\n+", "\n"))
end

return function(spec, alt)
  local all, plot = read_series(spec)
  local done, text = pcall(pandoc.pipe, "gnuplot", {}, script(all, plot))
  if not done then
    files.fail(alt, "gnuplot could not draw this figure: %s", tostring(text.output or text))
  end
  return themed(text, alt)
end
