-- draw_machine.lua - a GPU as a kernel sees it: many multiprocessors, and what is in one of them.
--
-- It takes no data of its own: the counts and sizes are keys of lessons/site/numbers.csv.

local numbers = require "numbers"
local svg = require "svg"
local words = require "words"

local WIDTH, HEIGHT = 720, 372
local COLUMNS, CELL = 12, 15
local GPU_LEFT, GPU_TOP = 8, 34
local SM_LEFT, SM_TOP, SM_WIDTH, SM_HEIGHT = 300, 34, 412, 170

local function value(key)
  return numbers.get(key, "machine").value
end

local function text(key)
  return numbers.with_unit(numbers.get(key, "machine"))
end

local function multiprocessors(drawing, count)
  local cells = {}
  for i = 1, count - 1 do
    cells[#cells + 1] = svg.box(GPU_LEFT + i % COLUMNS * (CELL + 3),
                                GPU_TOP + i // COLUMNS * (CELL + 0.5), CELL, CELL - 3)
  end
  drawing:text(GPU_LEFT, 18, words.say("drawn_multiprocessors", {n = count}), "title")
  drawing:path(cells, "off")
  drawing:rect(GPU_LEFT, GPU_TOP, CELL, CELL - 3, "on")
  drawing:line(GPU_LEFT + CELL, GPU_TOP, SM_LEFT, SM_TOP, "edge")
  drawing:line(GPU_LEFT + CELL, GPU_TOP + CELL - 3, SM_LEFT, SM_TOP + SM_HEIGHT, "edge")
end

local function schedulers(drawing, count, warps)
  local each, slots = SM_WIDTH / count, {}
  for scheduler = 0, count - 1 do
    local left = SM_LEFT + scheduler * each
    drawing:text(left + each / 2, SM_TOP + 20, words.say "drawn_scheduler", "label", "middle")
    for slot = 0, warps // count - 1 do
      slots[#slots + 1] = svg.box(left + 14 + slot % 4 * 19, SM_TOP + 28 + slot // 4 * 11, 16, 8)
    end
  end
  drawing:path(slots, "lane")
end

local function bar(drawing, left, top, width, class, name, size)
  drawing:rect(left, top, width, 30, class, 2)
  drawing:text(left + 12, top + 20, name, "label")
  drawing:text(left + width - 12, top + 20, size, "title", "end")
end

return function(_, alt)
  local drawing = svg.new(WIDTH)
  multiprocessors(drawing, value "multiprocessors")
  drawing:text(SM_LEFT, 18, words.say "drawn_one", "title")
  drawing:text(SM_LEFT + SM_WIDTH, 18, words.say("drawn_warps", {n = value "warp_slots"}),
               "label", "end")
  drawing:rect(SM_LEFT, SM_TOP, SM_WIDTH, SM_HEIGHT, "sector", 3)
  schedulers(drawing, value "schedulers", value "warp_slots")
  bar(drawing, SM_LEFT + 10, SM_TOP + 86, SM_WIDTH - 20, "panel", words.say "drawn_registers",
      text "register_kib")
  bar(drawing, SM_LEFT + 10, SM_TOP + 126, SM_WIDTH - 20, "panel", words.say "drawn_l1",
      text "l1_kib")
  bar(drawing, GPU_LEFT, 238, WIDTH - 2 * GPU_LEFT, "panel", words.say "drawn_l2",
      text "l2_mib")
  bar(drawing, GPU_LEFT, 292, WIDTH - 2 * GPU_LEFT, "panel", words.say "drawn_memory",
      text "dram_gb")
  for _, x in ipairs {120, 360, 600} do
    drawing:line(x, 268, x, 292, "edge")
    drawing:line(x, SM_TOP + SM_HEIGHT + 4, x, 238, "edge")
  end
  return drawing:done(HEIGHT - 42, alt)
end
