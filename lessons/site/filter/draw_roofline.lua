-- draw_roofline.lua - how many operations a second a kernel can reach, by how many it does for each
-- byte it moves; and where kernels stand below that roof.
--
--     at: axpby_intensity, 3 / 12 * torch_saxpy_rate / 1000 | add_       a kernel: operations a
--                                     byte, TFLOP/s, and its name; both may be formulas
--     ours: 0.25, bench"axpby".tflops | the solution                     drawn in another colour
--
-- The roof is made of copy_rate and fma_rate, lessons/site/numbers.csv. Both axes are logarithmic:
-- the slope is what memory gives, the flat part what the arithmetic units give.

local draw_plot = require "draw_plot"
local numbers = require "numbers"
local words = require "words"

local LEAST, MOST = 1 / 16, 2048

local function series_of(spec, name)
  local list = {}
  for _, item in ipairs(spec) do
    if item.name == name then
      list[#list + 1] = {name = "at", value = item.value}
    end
  end
  return list
end

return function(spec, alt)
  local copy = numbers.get("copy_rate", "roofline").value / 1000 -- TFLOP/s at 1 operation a byte
  local peak = numbers.get("fma_rate", "roofline").value
  local plot = {
    {name = "x", value = words.say "drawn_intensity" .. " | log | 2"},
    {name = "y", value = "TFLOP/s | log | 10"},
    {name = "range", value = string.format("x %g %g", LEAST, MOST)},
    {name = "range", value = string.format("y %g %g", 0.1, peak * 2.5)},
    {name = "xtics", value = "'1/16' 0.0625, '1/4' 0.25, '1' 1, '4' 4, '16' 16, '64' 64, " ..
                             "'256' 256, '1024' 1024"},
    {name = "ytics", value = "'0.1' 0.1, '1' 1, '10' 10, '100' 100"},
    {name = "series", value = "roof | lines | soft"},
    {name = "at", value = string.format("%.8g, %.8g", LEAST, LEAST * copy)},
    {name = "at", value = string.format("%.8g, %.8g", peak / copy, peak)},
    {name = "at", value = string.format("%g, %.8g", MOST, peak)},
    {name = "series", value = "kernels | points | second"},
  }
  for _, item in ipairs(series_of(spec, "at")) do
    plot[#plot + 1] = item
  end
  local ours = series_of(spec, "ours")
  if #ours > 0 then
    plot[#plot + 1] = {name = "series", value = "ours | points | accent"}
    for _, item in ipairs(ours) do
      plot[#plot + 1] = item
    end
  end
  return draw_plot(plot, alt)
end
