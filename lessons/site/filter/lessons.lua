-- lessons.lua - the lessons there are, and links between them.
--
--     [lesson 3](lesson:03_divergence#selects)     or lesson:3
--
-- A lesson is a folder with notes.md; `make` hands over the list. What one page says of another
-- (its title, what it wins) stands in the other's own front matter.

local files = require "files"
local words = require "words"

local lessons = {}

-- The fields of the front matter: one line each.
local function front_matter(path)
  local fields = {}
  local head = files.text(path):match("^%-%-%-\r?\n(.-)\n%-%-%-") or ""
  for line in (head .. "\n"):gmatch("(.-)\n") do
    local name, value = line:match("^(%l+):%s*(.-)%s*$")
    if name then
      fields[name] = value:gsub('^"(.*)"$', "%1")
    end
  end
  return fields
end

function lessons.set(list)
  for key in list:gmatch("%S+") do
    local path = "lessons/" .. key .. "/notes.md"
    local lesson = front_matter(words.path(path))
    lesson.key, lesson.number, lesson.path = key, tonumber(key:match("^%d+")), path
    lessons[#lessons + 1] = lesson
    lessons[key] = lesson
  end
end

function lessons.find(name)
  for _, lesson in ipairs(lessons) do
    if lesson.key == name or tostring(lesson.number) == name then
      return lesson
    end
  end
end

-- Whether a lesson has a page in the language of this one.
function lessons.is_in_language(lesson)
  return words.is_english() or words.is_translated(lesson.path)
end

-- Of the lesson's page, from other pages in the page's language.
function lessons.address(lesson)
  return (lessons.is_in_language(lesson) and "" or "../") .. lesson.key .. ".html"
end

lessons.filter = {
  Link = function(link)
    local name, fragment = link.target:match("^lesson:([%w_]+)(.*)$")
    if not name then
      return nil
    end
    local lesson = lessons.find(name)
    if not lesson then
      files.fail(link.target, "there is no lesson %s to link to", name)
    end
    link.target = lessons.address(lesson) .. fragment
    return link
  end,
}

return lessons
