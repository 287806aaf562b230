#!/usr/bin/env bash
# Somebody has read a page's translation beside the English, and they say the same: write the hash
# of each English section beside its translation (filter/sections.lua). With a section's identifier,
# of that one alone.
#
#     translated.sh 01_coalescing [banks]
#     translated.sh site/glossary
set -u
cd "$(dirname "$0")/../.."
page=${1:-}
if [ -z "$page" ]; then
    echo '  say which page was read: make translated PAGE=01_coalescing, or PAGE=site/index' >&2
    exit 1
fi
case $page in
site/*) source=lessons/$page.md ;;
*) source=lessons/$page/notes.md ;;
esac
if [ ! -f "${source%.md}.ko.md" ]; then
    echo "  there is no ${source%.md}.ko.md: PAGE is a lesson's folder, or site/index" >&2
    exit 1
fi
pandoc --from markdown --to plain --lua-filter lessons/site/filter/mark_translated.lua \
    -M english="$source" -M section="${2:-}" /dev/null
