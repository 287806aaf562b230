#!/usr/bin/env bash
# Submissions that work outside the window, and honest ones beside them, each with the verdicts that
# it may get: attacks.sh BUILD attack...
# Whatever they do, the figures of the reference stay what they are.
set -u
build=$1
shift
failed=0

# The reference's figures, each with the name of its file.
figures() {
    find "$build/work" -name 'figures-*.json' -exec cksum {} + | sort
}

known=$(figures)
for attack in "$@"; do
    name=$(basename "$attack" .cu)
    read -r _ _ allowed <"$attack"
    find "$build/work" -name 'figures-*.json' -delete # counted anew, then
    text=$("$build/bin/warpquest" check "${name%%_*}" --device sim --submission "$attack" 2>&1)
    got=$(sed -n 's/^NOT YET .*\[\([A-Z_]*\)\].*/\1/p; s/^PASS lesson.*/PASS/p' <<<"$text")
    if [[ -n $got && " $allowed " == *" $got "* ]]; then
        printf '  ok    %-28s %s\n' "$name" "$got"
    else
        printf "  FAIL  %s: %s, not one of: %s\n%s\n" "$name" "${got:-no verdict}" "$allowed" \
            "$text"
        failed=1
    fi
    while read -r sum; do
        file=${sum##* }
        if grep -qF "$file" <<<"$known" && ! grep -qxF "$sum" <<<"$known"; then
            printf '  FAIL  %s: changed %s\n' "$name" "$file"
            failed=1
        fi
    done < <(figures)
done
exit $failed
