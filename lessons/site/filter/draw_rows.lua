-- draw_rows.lua - a row of 32 cells for each request: filled where the lane takes part.
--
--     title: counter = (step << 32) ^ layer ^ offset
--     row: mixed#2 st.global 1 | layer 0
--
-- For kernels that store only what they keep, so that the row is a mask.

local record = require "record"
local svg = require "svg"

local LANES, CELL, GAP, ROW = 32, 13, 2, 37
local WIDTH = LANES * (CELL + GAP)

return function(spec, alt)
  local drawing, y = svg.new(WIDTH), 0
  for _, item in ipairs(spec) do
    if item.name == "title" then
      y = y + (y > 0 and 34 or 18)
      drawing:text(0, y - 4, item.value, "title")
    else
      local request, label = item.value:match("^(.-)%s*|%s*(.*)$")
      local address, on, off = record.request(request).address, {}, {}
      for lane = 0, LANES - 1 do
        local to = address[lane] and on or off
        to[#to + 1] = svg.box(lane * (CELL + GAP), y + 18, CELL, CELL)
      end
      drawing:text(0, y + 13, label, "label")
      drawing:path(off, "off")
      drawing:path(on, "on")
      y = y + ROW
    end
  end
  return drawing:done(y, alt)
end
