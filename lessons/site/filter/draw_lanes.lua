-- draw_lanes.lua - the 32 lanes of a warp, and the sectors of memory that one request of theirs
-- touches.
--
--     request: exercise::axpby ld.global 1 | a chunk for each thread
--
-- Above the lanes; below, at one scale for all panels, the sectors of 32 bytes that have to be
-- fetched, each with its eight words: filled where a lane asked for it.

local record = require "record"
local svg = require "svg"
local words = require "words"

local LANES, SECTOR, WORD = 32, 32, 4
local WIDTH, PITCH, CELL = 720, 22, 2.5
local LEFT = (WIDTH - LANES * PITCH) / 2
local LANE_HEIGHT, DROP, SECTOR_HEIGHT, PANEL = 12, 48, 14, 128
local APART = 2 -- drawn between sectors that are not neighbours

-- The sectors that a request touches, in order, each with its words in use.
local function sectors_of(request)
  local sectors, by_number = {}, {}
  for lane = 0, LANES - 1 do
    local address = request.address[lane]
    for byte = address or 0, address and address + request.bytes - 1 or -1 do
      local number = byte // SECTOR
      if not by_number[number] then
        by_number[number] = {number = number, used = {}}
        sectors[#sectors + 1] = by_number[number]
      end
      by_number[number].used[byte % SECTOR // WORD] = true
    end
  end
  table.sort(sectors, function(a, b) return a.number < b.number end)
  return sectors, by_number
end

-- Give every sector its place; the row is centred.
local function place(sectors)
  local x = 0
  for i, sector in ipairs(sectors) do
    local apart = i > 1 and sector.number ~= sectors[i - 1].number + 1
    x = x + (apart and APART or 0)
    sector.x = x
    x = x + SECTOR // WORD * CELL
  end
  for _, sector in ipairs(sectors) do
    sector.x = sector.x + (WIDTH - x) / 2
  end
end

local function used_share(sectors)
  local used = 0
  for _, sector in ipairs(sectors) do
    for _ in pairs(sector.used) do
      used = used + WORD
    end
  end
  return used / (#sectors * SECTOR)
end

local function panel(drawing, top, request, title)
  local sectors, by_number = sectors_of(request)
  place(sectors)
  drawing:text(LEFT, top + 14, title, "title")
  drawing:text(WIDTH - LEFT, top + 14,
               words.count("drawn_sectors", #sectors,
                           {share = string.format("%.3g", 100 * used_share(sectors))}),
               "label", "end")
  local lanes_y, memory_y = top + 24, top + 24 + LANE_HEIGHT + DROP
  local edges, boxes, used = {}, {}, {}
  for lane = 0, LANES - 1 do
    local x, address = LEFT + lane * PITCH + PITCH / 2, request.address[lane]
    drawing:rect(x - 8, lanes_y, 16, LANE_HEIGHT, address and "lane" or "lane off", 2)
    if address then
      local sector = by_number[address // SECTOR]
      local word = address % SECTOR / WORD + request.bytes / WORD / 2
      edges[#edges + 1] = svg.stroke(x, lanes_y + LANE_HEIGHT, sector.x + word * CELL, memory_y)
    end
  end
  for _, sector in ipairs(sectors) do
    boxes[#boxes + 1] = svg.box(sector.x, memory_y, SECTOR / WORD * CELL, SECTOR_HEIGHT)
    for word in pairs(sector.used) do
      used[#used + 1] = svg.box(sector.x + word * CELL, memory_y, CELL, SECTOR_HEIGHT)
    end
  end
  table.sort(used) -- pairs() gives them in any order; the same page must come out every time
  drawing:path(edges, "edge")
  drawing:path(used, "on")
  drawing:path(boxes, "sector")
end

return function(spec, alt)
  local drawing, top = svg.new(WIDTH), 0
  for _, item in ipairs(spec) do
    local request, title = item.value:match("^(.-)%s*|%s*(.*)$")
    panel(drawing, top, record.request(request), title)
    top = top + PANEL
  end
  return drawing:done(top - 12, alt)
end
