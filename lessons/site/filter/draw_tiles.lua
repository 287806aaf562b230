-- draw_tiles.lua - a product of matrices as one block sees it: which elements of A and B it
-- fetches, and which of C it computes.
--
--     sides: 96 96 96                              m, n and k
--     panel: tile::sgemm 2 | the second turn       what the block loads between its barriers number
--                                                  2 and 3; without a number, all that it loads
--
-- A and B lie one behind the other in one allocation of record.cu, from its start, so an address
-- tells the element. C's tile is where the block stores. Marked in a weaker colour is what the
-- block loads at another time.

local files = require "files"
local record = require "record"
local svg = require "svg"
local words = require "words"

local PANEL, MATRIX_GAP, MARGIN = 340, 10, 1

-- For each element that global memory was asked for: how many lanes did, in all and at that level.
local function asked_for(kernel, level)
  local all, now, stored = {}, {}, {}
  for _, step in ipairs(record.steps(kernel, 1)) do
    local is_load, lane = step.mnemonic:match("^ld"), 0
    for word in (step.space == "global" and step.addresses or ""):gmatch("%S+") do
      local element = tonumber(word) and tonumber(word) // 4
      if element and is_load then
        all[element] = (all[element] or 0) + 1
        if not level or tonumber(step.level) == level then
          now[element] = (now[element] or 0) + 1
        end
      elseif element then
        stored[element] = true
      end
    end
  end
  return all, now, stored
end

-- Where the marked elements of one row begin and end: "0-31 64-95".
local function runs_of(elements, first, cols)
  local runs, start = {}, nil
  for col = 0, cols do
    local is_on = col < cols and elements[first + col]
    if is_on and not start then
      start = col
    elseif not is_on and start then
      runs[#runs + 1] = start .. "-" .. col - 1
      start = nil
    end
  end
  return table.concat(runs, " ")
end

-- The marked elements of a matrix as a path of rectangles; rows that are marked alike are one.
local function mark(elements, first, rows, cols, left, top, cell)
  local boxes, above, height = {}, "", 0
  for row = 0, rows do
    local runs = row < rows and runs_of(elements, first + row * cols, cols) or ""
    if runs ~= above then
      for from, to in above:gmatch("(%d+)-(%d+)") do
        boxes[#boxes + 1] = svg.box(left + from * cell, top + (row - height) * cell,
                                    (to - from + 1) * cell, height * cell)
      end
      above, height = runs, 0
    end
    height = height + 1
  end
  return boxes
end

-- By how many lanes each of these elements was asked for, when it is the same for all of them.
local function times(elements, first, count)
  local least, most = math.huge, 0
  for element, lanes in pairs(elements) do
    if element >= first and element < first + count then
      least, most = math.min(least, lanes), math.max(most, lanes)
    end
  end
  return least == most and tostring(most) or words.say("drawn_from_to", {from = least, to = most})
end

local function matrix(drawing, name, left, top, cell, rows, cols, marks)
  for _, class in ipairs {"soft", "on"} do
    drawing:path(marks[class] or {}, class == "on" and "on" or "kept weak")
  end
  drawing:rect(left, top, cols * cell, rows * cell, "sector")
  drawing:text(left + 5, top + 15, name, "title")
end

local function panel(drawing, left, sides, item)
  local what, title = item.value:match("^(.-)%s*|%s*(.*)$")
  local kernel, level = what:match("^(%S+)%s*(%d*)$")
  local all, now, stored = asked_for(kernel, tonumber(level))
  local m, n, k = table.unpack(sides)
  local cell = (PANEL - MATRIX_GAP) / (k + n)
  local right, top = left + k * cell + MATRIX_GAP, 30
  local below = top + k * cell + MATRIX_GAP
  drawing:text(left, 14, title, "title")
  matrix(drawing, "A", left, below, cell, m, k,
         {soft = mark(all, 0, m, k, left, below, cell), on = mark(now, 0, m, k, left, below, cell)})
  matrix(drawing, "B", right, top, cell, k, n,
         {soft = mark(all, m * k, k, n, right, top, cell),
          on = mark(now, m * k, k, n, right, top, cell)})
  matrix(drawing, "C", right, below, cell, m, n,
         {on = mark(stored, 0, m, n, right, below, cell)})
  drawing:text(left, top + 14, words.say "drawn_asked", "label")
  drawing:text(left, top + 32, words.say("drawn_of_a", {n = times(all, 0, m * k)}), "label")
  drawing:text(left, top + 50, words.say("drawn_of_b", {n = times(all, m * k, k * n)}), "label")
  return below + m * cell
end

return function(spec, alt)
  local sides, panels = nil, {}
  for _, item in ipairs(spec) do
    if item.name == "sides" then
      sides = {}
      for side in item.value:gmatch("%d+") do
        sides[#sides + 1] = tonumber(side)
      end
    elseif not sides or #sides < 3 then
      files.fail(item.value, 'sides come first: "sides: m n k"')
    else
      local drawing = svg.new(PANEL + 2 * MARGIN)
      local bottom = panel(drawing, MARGIN, sides, item)
      panels[#panels + 1] = drawing:done(bottom + 4, #panels == 0 and alt or item.value)
    end
  end
  return svg.beside(panels)
end
