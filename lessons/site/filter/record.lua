-- record.lua - what the lesson's kernels did on the simulated device, as recorder.c wrote it down.

local files = require "files"
local numbers = require "numbers"

local record = {}

local LANES = 32

local COLUMNS = {"launch", "kernel", "warp", "level", "line", "mnemonic", "lanes", "space", "bytes",
                 "addresses"}

-- The lines of the record by kernel and launch: {kernel = {{line, ...}, ...}}. They are many, and
-- few are wanted, so only those are taken apart.
local lines_of

local function read_record(path, kernel)
  local text, launch_seen, list = files.text(path, kernel), nil, nil
  lines_of = {}
  for line in text:gmatch("[^\n]+") do
    local launch, mangled = line:match("^(%d+),([^,]*),")
    if launch and launch ~= launch_seen then
      local name = numbers.kernel_name(mangled)
      launch_seen, list = launch, {}
      lines_of[name] = lines_of[name] or {}
      table.insert(lines_of[name], list)
    end
    if launch then
      list[#list + 1] = line
    end
  end
end

-- The steps of one warp of a kernel's nth launch, in order; of all warps without one.
function record.steps(kernel, nth, warp)
  local path, steps = numbers.record_path("steps"), {}
  if not lines_of then
    read_record(path, kernel)
  end
  for _, line in ipairs(lines_of[kernel] and lines_of[kernel][nth] or {}) do
    local step, column = {}, 0
    for field in (line .. ","):gmatch("([^,]*),") do
      column = column + 1
      step[COLUMNS[column]] = field
    end
    if not warp or tonumber(step.warp) == warp then
      steps[#steps + 1] = step
    end
  end
  if #steps == 0 then
    files.fail(kernel, "%s has no launch %d of %s", path, nth, kernel)
  end
  return steps
end

-- Which lanes were on: a list of booleans, lane 0 at index 0.
function record.lanes(step)
  local mask, lanes = tonumber(step.lanes, 16), {}
  for lane = 0, LANES - 1 do
    lanes[lane] = mask >> lane & 1 == 1
  end
  return lanes
end

-- "exercise::axpby#2 ld.global 3": of the second launch, the third such request of warp 0. Gives
-- the bytes a lane takes, and the address of each lane (nil for one that is off).
function record.request(text)
  local kernel, nth, kind, space, count =
    text:match("^%s*([%w_:]+)#?(%d*)%s+(%a+)%.(%a+)%s+(%d+)%s*$")
  if not kernel then
    files.fail(text, '"%s" is not a request: "kernel ld.global 1"', text)
  end
  local left = tonumber(count)
  for _, step in ipairs(record.steps(kernel, tonumber(nth) or 1, 0)) do
    if step.space == space and step.mnemonic:match("^" .. kind) then
      left = left - 1
      if left == 0 then
        local addresses, lane = {}, 0
        for word in step.addresses:gmatch("%S+") do
          addresses[lane] = tonumber(word)
          lane = lane + 1
        end
        return {bytes = tonumber(step.bytes), address = addresses, line = tonumber(step.line)}
      end
    end
  end
  files.fail(text, "%s makes fewer than %s requests of the kind %s.%s", kernel, count, kind, space)
end

return record
