-- draw_masks.lua - which lanes of a warp are on, instruction after instruction.
--
--     kernel: branch::gated | an if on which neighbouring lanes differ
--     line: solutions/03_divergence/steps/gated_1_branch.cu | lesson3_decay(x[i]) | even path
--
-- Time runs downwards: a band is a run of instructions with the same lanes on, as high as there are
-- instructions in it; the line that most of them belong to can be given a name, after its kernel.
-- (The record knows lines by number only, and each kernel is in a file of its own.) Or the columns
-- are all threads of a block, and a band is a level, what was done between two barriers; on are the
-- threads that store to shared memory in the line with that text:
--
--     levels: modulo::row_sumsq | solutions/...cu | s_sum[threadIdx.x] += | every second thread

local files = require "files"
local record = require "record"
local svg = require "svg"
local words = require "words"

local LANES = 32
local WIDTH, LEFT, PITCH = 720, 8, 11
local BAND_TEXT = LEFT + LANES * PITCH + 14
local HEIGHT, LEAST = 250, 4

-- The parts of a value, between bars.
local function split(value)
  local parts = {}
  for part in (value .. "|"):gmatch("%s*(.-)%s*|") do
    parts[#parts + 1] = part
  end
  return table.unpack(parts)
end

-- The number of the line of a file that has text in it, as it stands in the record.
local function line_with(path, text)
  for number, line in ipairs(files.lines(path, text)) do
    if line:find(text, 1, true) and not line:match("^%s*//") then
      return number
    end
  end
  files.fail(text, '%s has no line with "%s"', path, text)
end

-- Runs of steps with the same lanes; and the line most of them come from.
local function runs_of(steps)
  local runs = {}
  for _, step in ipairs(steps) do
    local run = runs[#runs]
    if not run or run.lanes ~= step.lanes then
      run = {lanes = step.lanes, count = 0, step = step, lines = {}}
      runs[#runs + 1] = run
    end
    run.count = run.count + 1
    run.lines[step.line] = (run.lines[step.line] or 0) + 1
  end
  for _, run in ipairs(runs) do
    for line, count in pairs(run.lines) do
      if count > (run.lines[run.line] or 0) then
        run.line = line
      end
    end
  end
  return runs
end

local function count_on(lanes)
  local count = 0
  for lane = 0, LANES - 1 do
    count = count + (lanes[lane] and 1 or 0)
  end
  return count
end

local function band(drawing, top, height, run, names)
  local on, off, lanes = {}, {}, record.lanes(run.step)
  for lane = 0, LANES - 1 do
    local to = lanes[lane] and on or off
    to[#to + 1] = svg.box(LEFT + lane * PITCH, top, PITCH - 1.5, height)
  end
  drawing:path(off, "off")
  drawing:path(on, "on")
  if height >= 10 then
    drawing:text(BAND_TEXT, top + height / 2 + 4,
                 words.say("drawn_run", {n = run.count, lanes = count_on(lanes)}) ..
                 (names[run.line] and ": " .. names[run.line] or ""), "label")
  end
end

local function warp_over_time(drawing, top, kernel, title, names, scale)
  local runs, total = runs_of(record.steps(kernel, 1, 0)), 0
  for _, run in ipairs(runs) do
    total = total + run.count
  end
  drawing:text(LEFT, top + 14, title, "title")
  drawing:text(WIDTH - LEFT, top + 14, words.say("drawn_warp_instructions", {n = total}), "label",
               "end")
  local y = top + 24
  for _, run in ipairs(runs) do
    local height = math.max(LEAST, HEIGHT * run.count / scale)
    band(drawing, y, height, run, names)
    y = y + height + 1
  end
  return y + 14
end

-- --- A whole block, level by level -------------------------------------------------------------

local THREAD, LEVEL = 2.6, 13

-- For each level, the lanes of each warp that the line has on.
local function levels_of(kernel, line)
  local levels, most = {}, 0
  for _, step in ipairs(record.steps(kernel, 1)) do
    if tonumber(step.line) == line and step.space == "shared" and step.mnemonic:match("^st") then
      local level, warp = tonumber(step.level), tonumber(step.warp)
      levels[level] = levels[level] or {}
      levels[level][warp] = record.lanes(step)
      most = math.max(most, warp)
    end
  end
  return levels, most
end

local function block_by_levels(drawing, top, kernel, line, title)
  local levels, last_warp = levels_of(kernel, line)
  local order = {}
  for level in pairs(levels) do
    order[#order + 1] = level
  end
  table.sort(order)
  drawing:text(LEFT, top + 14, title, "title")
  local y = top + 24
  for at, level in ipairs(order) do
    local on, off, idle, busy, warps = {}, {}, {}, 0, 0
    for warp = 0, 7 do
      local lanes = warp <= last_warp and levels[level][warp]
      warps = warps + (lanes and 1 or 0)
      for lane = 0, LANES - 1 do
        local to = not lanes and idle or lanes[lane] and on or off
        busy = busy + (lanes and lanes[lane] and 1 or 0)
        to[#to + 1] = svg.box(LEFT + warp * (LANES * THREAD + 2) + lane * THREAD, y, THREAD - 0.5,
                              LEVEL - 3)
      end
    end
    drawing:path(idle, "idle")
    drawing:path(off, "off")
    drawing:path(on, "on")
    drawing:text(WIDTH, y + LEVEL - 4, string.format("%d", warps), "small", "end")
    y = y + LEVEL + (at == #order and 6 or 0)
  end
  return y + 10
end

-- -----------------------------------------------------------------------------------------------

-- What lines of each kernel are called, by their numbers; and the most steps that a kernel has.
local function names_by_kernel(spec)
  local names, scale, kernel = {}, 1, nil
  for _, item in ipairs(spec) do
    if item.name == "kernel" then
      kernel = split(item.value)
      names[kernel] = {}
      scale = math.max(scale, #record.steps(kernel, 1, 0))
    elseif item.name == "line" then
      if not kernel then
        files.fail(item.value, 'a "line:" of a figure comes after the "kernel:" it belongs to')
      end
      local path, text, name = split(item.value)
      names[kernel][tostring(line_with(path, text))] = name
    end
  end
  return names, scale
end

return function(spec, alt)
  local drawing, y = svg.new(WIDTH), 0
  local names, scale = names_by_kernel(spec)
  for _, item in ipairs(spec) do
    if item.name == "kernel" then
      local kernel, title = split(item.value)
      y = warp_over_time(drawing, y, kernel, title, names[kernel], scale)
    elseif item.name == "levels" then
      local kernel, path, text, title = split(item.value)
      y = block_by_levels(drawing, y, kernel, line_with(path, text), title)
    end
  end
  return drawing:done(y - 8, alt)
end
