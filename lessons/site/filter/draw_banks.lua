-- draw_banks.lua - shared memory as it lies: 32 banks across, 128 bytes a row; marked is what the
-- lanes of a warp touch with one request.
--
--     request: pitch_32::transpose ld.shared 1 | a column of a tile that is 32 wide
--
-- One wavefront serves one word of each bank. What counts is how many marks stand above each other.

local record = require "record"
local svg = require "svg"
local texts = require "words"

local BANKS, WORD = 32, 4
local CELL, MARGIN = 10, 4
local PANEL = BANKS * CELL
local MOST_ROWS = 34

-- Distinct words by bank, and how many the fullest bank has.
local function words_of(request)
  local words, in_bank, most = {}, {}, 0
  for lane = 0, BANKS - 1 do
    local address = request.address[lane]
    for byte = address or 0, address and address + request.bytes - 1 or -1, WORD do
      local word = byte // WORD
      if not words[word] then
        words[word] = lane
        in_bank[word % BANKS] = (in_bank[word % BANKS] or 0) + 1
        most = math.max(most, in_bank[word % BANKS])
      end
    end
  end
  return words, most
end

local function panel(drawing, left, request, title)
  local words, most = words_of(request)
  local first, last = math.huge, 0
  for word in pairs(words) do
    first, last = math.min(first, word // BANKS), math.max(last, word // BANKS)
  end
  local rows = math.min(last - first + 1, MOST_ROWS)
  drawing:text(left, 14, title, "title")
  drawing:text(left, 32, texts.count("drawn_wavefronts", most), "label")
  local top, grid, marks = 54, {}, {}
  drawing:text(left, top - 5, texts.say("drawn_bank", {n = 0}), "small")
  drawing:text(left + PANEL, top - 5, texts.say("drawn_bank", {n = BANKS - 1}), "small", "end")
  for row = 0, rows do
    grid[#grid + 1] = svg.stroke(left, top + row * CELL, left + PANEL, top + row * CELL)
  end
  for bank = 0, BANKS do
    grid[#grid + 1] = svg.stroke(left + bank * CELL, top, left + bank * CELL, top + rows * CELL)
  end
  for word in pairs(words) do
    local row = word // BANKS - first
    if row < MOST_ROWS then
      marks[#marks + 1] = svg.box(left + word % BANKS * CELL + 0.5, top + row * CELL + 0.5,
                                  CELL - 1, CELL - 1)
    end
  end
  table.sort(marks)
  drawing:path(grid, "grid")
  drawing:path(marks, "on")
  return top + rows * CELL
end

return function(spec, alt)
  local panels = {}
  for i, item in ipairs(spec) do
    local request, title = item.value:match("^(.-)%s*|%s*(.*)$")
    local drawing = svg.new(PANEL + 2 * MARGIN)
    local bottom = panel(drawing, MARGIN, record.request(request), title)
    panels[i] = drawing:done(bottom + 8, i == 1 and alt or title)
  end
  return svg.beside(panels)
end
