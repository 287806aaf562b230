-- figures.lua - a figure is data and a caption; a drawing program makes the picture.
--
--     ::: {.figure kind="lanes" alt="what a reader who does not see it should know"}
--     ```
--     request: exercise::axpby ld.global 1 | a chunk for each thread
--     ```
--     What to see.
--     :::
--
-- kind names the file draw_<kind>.lua, which says what lines it takes. A new kind is a new file. In
-- the alt text, {key} is that number of numbers.csv, with its unit. live="name" lets a reader touch
-- the figure: lessons/site/live. `::: live-only` holds what makes no sense where none can be.

local files = require "files"
local numbers = require "numbers"
local particles = require "particles"
local words = require "words"

local figures = {count = 0, are_live = false}

-- "name: value" lines, in order. A line that starts with # is a comment.
local function read_spec(text, alt)
  local spec = {}
  for line in (text .. "\n"):gmatch("(.-)\n") do
    local name, value = line:match("^%s*(%a+):%s*(.-)%s*$")
    if name then
      spec[#spec + 1] = {name = name, value = value}
    elseif line:match("%S") and not line:match("^%s*#") then
      files.fail(line, 'a line of a figure is "name: value", not "%s"', line)
    end
  end
  return spec
end

local function with_numbers(alt)
  local text = alt:gsub("{([%w_]+)}", function(key)
    return numbers.with_unit(numbers.get(key, "{" .. key .. "}"))
  end)
  return words.is_english() and text or particles.resolve(text)
end

local function draw(kind, spec, alt)
  local found, drawer = pcall(require, "draw_" .. kind)
  if not found then
    files.fail('kind="' .. kind .. '"', 'there is no way to draw a figure of the kind "%s": %s',
               kind, tostring(drawer):match("^[^\n]*"))
  end
  return drawer(spec, alt)
end

-- live="name": site/live/js/name.js runs the lesson's figures/live.cu in the reader's browser.
local function live_of(div)
  local name = div.attributes.live
  if not name then
    return ""
  end
  if not files.try("lessons/site/live/js/" .. name .. ".js") then
    files.fail('live="' .. name .. '"', 'lessons/site/live/js has no live figure "%s"', name)
  end
  return figures.are_live and
    string.format(' data-live="%s" data-image="%s"', name, numbers.lesson) or ""
end

figures.filter = {
  Div = function(div)
    if div.classes:includes "live-only" then
      return figures.are_live and div.content or {}
    end
    if not div.classes:includes "figure" then
      return nil
    end
    local kind, alt = div.attributes.kind, div.attributes.alt
    if not kind or not alt then
      files.fail("{.figure", "a figure names its kind and has an alt text")
    end
    local block = div.content[1]
    if not block or block.t ~= "CodeBlock" or #div.content < 2 then
      files.fail(alt, "a figure has its data first, and then a caption")
    end
    figures.count = figures.count + 1
    local id = div.identifier ~= "" and div.identifier or "figure-" .. figures.count
    local result = {
      pandoc.RawBlock("html", string.format(
        '<figure id="%s" class="%s"%s><div class="picture">%s</div><figcaption><span ' ..
        'class="number">%s</span>', id, kind, live_of(div),
        draw(kind, read_spec(block.text, alt), with_numbers(alt)),
        words.say("figure", {n = figures.count}))),
    }
    for i = 2, #div.content do
      result[#result + 1] = div.content[i]
    end
    result[#result + 1] = pandoc.RawBlock("html", "</figcaption></figure>")
    return result
  end,
}

return figures
