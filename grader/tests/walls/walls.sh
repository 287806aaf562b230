#!/usr/bin/env bash
# Every attempt in every kind of walls: walls.sh BUILD LIBRARY. It runs as the user who starts it,
# and, for root, as an ordinary user, too; if that user cannot read the course, this is reported and
# nothing is tested.
set -u
build=$(realpath "$1") library=$2 root=$PWD
failed=0
hold=("$build/test/hold" "$build/test/attempts" "$library" "$root")
"${hold[@]}" || failed=1
if [[ $(id -u) == 0 ]]; then
    user=(setpriv --reuid 60600 --regid 60600 --clear-groups)
    if "${user[@]}" test -x "$build/test/hold" 2>/dev/null; then
        (cd / && "${user[@]}" "${hold[@]}") || failed=1
    else
        echo "  --    as user: there is no setpriv, or $build is root's alone; nothing is tested"
    fi
fi
exit $failed
