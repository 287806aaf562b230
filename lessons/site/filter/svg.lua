-- svg.lua - writes SVG: what is drawn has classes, and the style sheet says how they look, so that
-- a figure follows the page from light to dark and onto paper.
--
--     local drawing = svg.new(720)
--     drawing:rect(x, y, width, height, "on")
--     drawing:text(x, y, "32 lanes", "label", "middle")
--     return drawing:done(height, alt)

local svg = {}
svg.__index = svg

function svg.escape(text)
  return (tostring(text):gsub("[&<>\"]",
                              {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}))
end

function svg.new(width)
  return setmetatable({width = width, parts = {}}, svg)
end

-- Coordinates need a tenth of a pixel and no more.
local function number(value)
  return (string.format("%.1f", value):gsub("%.0$", ""))
end

function svg:add(format, ...)
  self.parts[#self.parts + 1] = string.format(format, ...)
end

function svg:rect(x, y, width, height, class, radius)
  self:add('<rect x="%s" y="%s" width="%s" height="%s"%s class="%s"/>', number(x), number(y),
           number(width), number(height), radius and ' rx="' .. number(radius) .. '"' or "", class)
end

function svg:line(x1, y1, x2, y2, class)
  self:add('<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>', number(x1), number(y1),
           number(x2), number(y2), class)
end

-- A path of straight lines and rectangles, all in one element: many small marks stay small.
function svg:path(commands, class)
  self:add('<path d="%s" class="%s"/>', table.concat(commands, ""), class)
end

function svg.box(x, y, width, height)
  return string.format("M%s %sh%sv%sh-%sz", number(x), number(y), number(width), number(height),
                       number(width))
end

function svg.stroke(x1, y1, x2, y2)
  return string.format("M%s %sL%s %s", number(x1), number(y1), number(x2), number(y2))
end

-- anchor is "start", "middle" or "end".
function svg:text(x, y, text, class, anchor)
  self:add('<text x="%s" y="%s" class="%s"%s>%s</text>', number(x), number(y), class or "label",
           anchor and ' text-anchor="' .. anchor .. '"' or "", svg.escape(text))
end

function svg:done(height, alt)
  return string.format(
    '<svg viewBox="0 0 %s %s" role="img" xmlns="http://www.w3.org/2000/svg">' ..
    "<title>%s</title>\n%s\n</svg>", number(self.width), number(height), svg.escape(alt),
    table.concat(self.parts, "\n"))
end

-- Drawings side by side, where there is room for them, else below each other.
function svg.beside(drawings)
  return '<div class="panels">' .. table.concat(drawings, "\n") .. "</div>"
end

return svg
