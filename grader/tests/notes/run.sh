#!/usr/bin/env bash
# The notes as a reader gets them: every link leads somewhere, every figure says what to see, no
# page is heavy or needs anything from elsewhere, a lesson takes 5 to 15 minutes to read and asks
# five questions. And as an author gets them: what is wrong in notes is refused in one sentence with
# its line (refused/*.md, each begins with the sentence). Pages in Korean are held to the same, and
# to the English (refused_ko/*.md with the English beside them).
#
#     grader/tests/notes/run.sh build        after `make notes`
set -u
cd "$(dirname "$0")/../../.."
build=${1:-build}
pages=$build/notes
LARGEST_BYTES=250000
LARGEST_SEARCH_BYTES=400000 # which has the words of all pages
SHORTEST_MINUTES=5
LONGEST_MINUTES=15
QUESTIONS=5
failed=0

if ! command -v pandoc >/dev/null || ! command -v gnuplot >/dev/null; then
    echo "  skip  notes: Pandoc or gnuplot is missing (make setup installs them)"
    exit 0
fi

fail()
{
    printf '  FAIL  %s\n' "$1"
    failed=1
}

# The values of an attribute, a line each.
values()
{
    grep -o " $2=\"[^\"]*\"" "$1" | sed "s/^ $2=\"//; s/\"$//"
}

# Where an anchor should be, and is not.
check_links()
{
    local page=$1 target file fragment folder
    folder=$(dirname "$page")
    while read -r target; do
        case $target in
        https://*) continue ;;
        *:*) fail "$page links to $target: not https, and not in the course" ; continue ;;
        esac
        file=${target%%#*}
        [ -n "$file" ] || file=$(basename "$page")
        fragment=${target#*#}
        if [ ! -f "$folder/$file" ]; then
            fail "$page links to $target: there is no such page"
        elif [ "$fragment" != "$target" ] && ! grep -q " id=\"$fragment\"" "$folder/$file"; then
            fail "$page links to $target: there is no such place on that page"
        fi
    done < <(values "$page" href | sort -u)
}

# A figure is a <figure> with a picture that has a name, and a caption of more than a few words.
check_figures()
{
    awk -v page="$1" '
        /<figure/ { figures++; named = words = 0; inside = 1 }
        inside && (/<title>[^<]/ || /aria-label="[^"]/) { named = 1 }
        inside && /<figcaption>/ { in_caption = 1 }
        in_caption { words += NF }
        /<\/figure>/ {
            if (!named || words < 8) {
                printf "  FAIL  %s: figure %d has no %s\n", page, figures,
                       named ? "caption" : "name"
                bad = 1
            }
            inside = in_caption = 0
        }
        END { exit bad }' "$1" || failed=1
}

check_page()
{
    local page=$1 bytes minutes facts most=$LARGEST_BYTES
    bytes=$(wc -c <"$page")
    [[ $page != */search.html ]] || most=$LARGEST_SEARCH_BYTES
    [ "$bytes" -le "$most" ] || fail "$page has $bytes bytes, more than $most"
    facts=${page/#$pages/$pages/data}
    facts=${facts%.html}.facts
    minutes=$(awk -F '\t' '$1 == "minutes" { print $2 }' "$facts")
    [[ $page != */[0-9]* ]] ||
        { [ "$minutes" -ge $SHORTEST_MINUTES ] && [ "$minutes" -le $LONGEST_MINUTES ]; } ||
        fail "$page takes $minutes minutes to read: $SHORTEST_MINUTES to $LONGEST_MINUTES is right"
    [[ $page != */[0-9]* ]] || [ "$(grep -c '<fieldset class="question"' "$page")" = $QUESTIONS ] ||
        fail "$page does not have $QUESTIONS questions"
    [ "$(grep -c '<h1' "$page")" = 1 ] || fail "$page does not have one title"
    [ -z "$(values "$page" id | sort | uniq -d)" ] ||
        fail "$page has an id twice: $(values "$page" id | sort | uniq -d | head -1)"
    ! grep -qE '<(img|iframe|link|script)[^>]* (src|href)=' "$page" ||
        fail "$page needs something from elsewhere"
    check_links "$page"
    check_figures "$page"
}

# A page in Korean says so, leads to the same page in English and back, and has no pair of
# particles left, as in "을(를)".
check_korean()
{
    local page=$1 name pair
    name=$(basename "$page")
    grep -q '<html lang="ko">' "$page" || fail "$page does not say that it is in Korean"
    grep -q "href=\"../$name\" hreflang=\"en\"" "$page" || fail "$page does not lead to the English"
    grep -q "href=\"ko/$name\" hreflang=\"ko\"" "$pages/$name" ||
        fail "$pages/$name does not lead to the Korean"
    pair=$(grep -oE '.{0,20}(은\(는\)|이\(가\)|을\(를\)|과\(와\)|\(으\)|\(이\)).*' "$page" | head -1)
    [ -z "$pair" ] || fail "$page has a pair of particles: ${pair:0:60}"
}

# A translation that is not whole, has another term, or a particle that may be wrong tomorrow.
check_refused_korean()
{
    local notes=$1 wanted said work
    wanted=$(sed -n '1s/^<!-- expect: \(.*\) -->$/\1/p' "$notes")
    work=$(mktemp -d)
    sed 1d "$notes" >"$work/notes.ko.md"
    cp grader/tests/notes/refused_ko/english/notes.md "$work"
    said=$(render_korean "$work")
    [[ $said == "$work/notes.ko.md:"[1-9]*": $wanted"* ]] ||
        fail "$notes should be refused with \"$wanted\"; said was \"$said\""
    rm -r "$work"
}

render_korean()
{
    mkdir -p "$1/notes/data/ko"
    pandoc "$1/notes.ko.md" --from markdown --to html5 --lua-filter lessons/site/filter/notes.lua \
        -M page="$1/notes.ko.md" -M build="$1" -M lesson= -M language=ko -M lessons= \
        -M translated= 2>&1
}

# A section whose English has changed is marked, and no longer compared; `make translated` says that
# it has been read again.
check_behind()
{
    local work
    work=$(mktemp -d)
    cp grader/tests/notes/refused_ko/english/notes{,.ko}.md "$work"
    ! render_korean "$work" | grep -q 'class="behind"' ||
        fail "a translation is marked as behind, and is not"
    sed -i 's/Two lanes/Three lanes/' "$work/notes.md"
    render_korean "$work" | grep -A1 'id="lanes"' | grep -q 'class="behind"' ||
        fail "a section whose English has changed is not marked as behind"
    grep -q '^behind.lanes' "$work/notes/data/ko/notes.facts" ||
        fail "a section whose English has changed is not among the page's facts"
    pandoc --from markdown --to plain --lua-filter lessons/site/filter/mark_translated.lua \
        -M english="$work/notes.md" -M section=lanes /dev/null
    ! render_korean "$work" | grep -q 'class="behind"' ||
        fail "a section that has been read again is still behind"
    rm -r "$work"
}

# Notes that are wrong: the sentence, and the line it names.
check_refused()
{
    local notes=$1 wanted said lessons
    wanted=$(sed -n '1s/^<!-- expect: \(.*\) -->$/\1/p' "$notes")
    lessons=$(cd lessons && echo [0-9]*)
    said=$(pandoc "$notes" --from markdown --to html5 --lua-filter lessons/site/filter/notes.lua \
        -M page="$notes" -M build="$build" -M lesson=01_coalescing -M lessons="$lessons" \
        2>&1 >/dev/null)
    [[ $said == "$notes:"[1-9]*": $wanted"* ]] ||
        fail "$notes should be refused with \"$wanted\"; said was \"$said\""
}

# A number that no page shows is one that nobody will keep right.
check_numbers()
{
    local table=$1 key folder
    folder=$(dirname "$table")
    [ "$folder" = lessons/site ] && folder=lessons/*
    while read -r key; do
        [ "$(cat $folder/notes.md $folder/numbers.csv lessons/site/numbers.csv \
            lessons/site/filter/*.lua | grep -cw "$key")" -ge 2 ] ||
            fail "$table: no page uses $key"
    done < <(sed '/^#/d; /^key,/d; s/,.*//' "$table")
}

# What may be typed, and is nowhere any more.
check_literals()
{
    local literal
    while read -r literal; do
        grep -qF -- "$literal" lessons/*/notes.md lessons/site/*.md ||
            fail "lessons/site/literals.csv: no page has $literal"
    done < <(sed '/^#/d; /^literal,/d; s/,.*//' lessons/site/literals.csv)
}

for page in "$pages"/*.html; do
    check_page "$page"
done
for page in "$pages"/ko/*.html; do
    check_page "$page"
    check_korean "$page"
done
for claims in particles korean; do
    said=$(pandoc --from markdown --to plain --lua-filter "grader/tests/notes/$claims.lua" \
        /dev/null) || fail "$claims: $said"
done
for table in lessons/*/numbers.csv; do
    check_numbers "$table"
done
check_literals
for notes in grader/tests/notes/refused/*.md; do
    check_refused "$notes"
done
for notes in grader/tests/notes/refused_ko/*.md; do
    check_refused_korean "$notes"
done
check_behind
page_count=$(ls "$pages"/*.html "$pages"/ko/*.html | wc -l)
mistake_count=$(ls grader/tests/notes/refused{,_ko}/*.md | wc -l)
claim_count=$((page_count + mistake_count))
[ $failed = 0 ] && printf '  ok    notes: %d of %d: %d pages, %d mistakes of authors\n' \
    $claim_count $claim_count "$page_count" "$mistake_count"
exit $failed
