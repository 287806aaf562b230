-- terms.lua - one term for one thing: lessons/site/terms.csv says how a term of the field is
-- translated, and translated pages are held to it.
--
--     en,ko,beside,must,not
--     bank conflict|bank conflicts,뱅크 충돌,bank conflict,yes,뱅크 컨플릭트
--
-- en and ko are forms, the first of which is the term. beside is what stands in brackets where a
-- page uses the term first: glossary.lua writes it for words of the glossary, the author for other
-- words. must: where an English section has the term, the translated one has it, too. not: other
-- translations of it, which no page may have.

local files = require "files"

local terms = {}

local PATH = "lessons/site/terms.csv"

local function forms_of(text)
  local forms = {}
  for form in text:gmatch("[^|]+") do
    forms[#forms + 1] = form
  end
  return forms
end

-- The row of an English term, as the glossary writes it; or nil.
function terms.find(english)
  for _, row in ipairs(files.csv(PATH)) do
    if forms_of(row.en)[1] == english:lower() then
      return row
    end
  end
end

-- The row of a term as it is translated; or nil.
function terms.translated(form)
  for _, row in ipairs(files.csv(PATH)) do
    if forms_of(row.ko)[1] == form then
      return row
    end
  end
end

local function has_word(prose, forms)
  for _, form in ipairs(forms) do
    if prose:find("%f[%w]" .. form:gsub("%W", "%%%0") .. "%f[%W]") then
      return true
    end
  end
end

local function has_any(prose, forms)
  for _, form in ipairs(forms) do
    if prose:find(form, 1, true) then
      return form
    end
  end
end

function terms.check(section, english, own, fail)
  english, own = english:lower():gsub("%s+", " "), own:gsub("%s+", " ")
  for _, row in ipairs(files.csv(PATH)) do
    local other = has_any(own, forms_of(row["not"]))
    if other then
      fail(section, 'says "%s"; the term is "%s" (%s)', other, forms_of(row.ko)[1], PATH)
    end
    if row.must ~= "" and has_word(english, forms_of(row.en)) and
       not has_any(own, forms_of(row.ko)) then
      fail(section, 'does not say "%s" (%s), and the English says "%s"', forms_of(row.ko)[1], PATH,
           forms_of(row.en)[1])
    end
  end
end

return terms
