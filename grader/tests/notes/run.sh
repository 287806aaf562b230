#!/usr/bin/env bash
# The notes as a reader gets them: every link leads somewhere, every figure says what to see, no
# page is heavy or needs anything from elsewhere, a lesson takes 5 to 15 minutes to read and asks
# five questions. And as an author gets them: what is wrong in notes is refused in one sentence with
# its line (refused/*.md, each begins with the sentence).
#
#     grader/tests/notes/run.sh build        after `make notes`
set -u
cd "$(dirname "$0")/../../.."
build=${1:-build}
pages=$build/notes
LARGEST_BYTES=400000
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
    local page=$1 target file fragment
    while read -r target; do
        case $target in
        https://*) continue ;;
        *:*) fail "$page links to $target: not https, and not in the course" ; continue ;;
        esac
        file=${target%%#*}
        [ -n "$file" ] || file=$(basename "$page")
        fragment=${target#*#}
        if [ ! -f "$pages/$file" ]; then
            fail "$page links to $target: there is no such page"
        elif [ "$fragment" != "$target" ] && ! grep -q " id=\"$fragment\"" "$pages/$file"; then
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
    local page=$1 bytes minutes facts
    bytes=$(wc -c <"$page")
    [ "$bytes" -le $LARGEST_BYTES ] || fail "$page has $bytes bytes, more than $LARGEST_BYTES"
    facts=$pages/data/$(basename "$page" .html).facts
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
for table in lessons/*/numbers.csv; do
    check_numbers "$table"
done
check_literals
for notes in grader/tests/notes/refused/*.md; do
    check_refused "$notes"
done
page_count=$(ls "$pages"/*.html | wc -l) mistake_count=$(ls grader/tests/notes/refused/*.md | wc -l)
claim_count=$((page_count + mistake_count))
[ $failed = 0 ] && printf '  ok    notes: %d of %d: %d pages, %d mistakes of authors\n' \
    $claim_count $claim_count "$page_count" "$mistake_count"
exit $failed
