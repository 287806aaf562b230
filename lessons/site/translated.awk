# What of the pages in Korean is not today's English, from the facts that each page left
# (filter/page.lua): sections that are behind, and sentences that have no translation.
BEGIN { FS = "\t" }
$1 == "behind" {
    print "  --    " $3 ": #" $2 " is behind"
    behind++
}
$1 == "untranslated" && !seen[$2]++ { sentences[++count] = $2 }
END {
    if (behind)
        print "        its English is newer: read both, then make translated PAGE= SECTION="
    if (count) {
        printf "  --    notes in Korean: %d sentences are in English (lessons/site/phrases.csv)\n",
            count
        for (i = 1; i <= count && i <= 3; i++)
            print "          " substr(sentences[i], 1, 66)
    }
}
