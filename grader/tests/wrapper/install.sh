#!/usr/bin/env bash
# `make install`: what it puts under PREFIX works from anywhere, without the source tree, and
# `make uninstall` takes all of it away. A line each; exit status 1 when one does not hold.
#
#     install.sh build program
set -u
build=$(realpath "$1")
program=$(realpath "$2")
cd "$(dirname "$0")/../../.." || exit 1
tree=$PWD
source grader/tests/claim.sh

make_here() { env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make "$@" >"$work/output" 2>&1; }
installed=$work/moved/usr bin=$work/moved/usr/bin/simgpu
install_and_move() {
    make_here install PREFIX=/usr DESTDIR="$work/stage" && mv "$work/stage" "$work/moved"
}
claim "make install works" install_and_move
cp "$program" "$work/program"

# Without the source tree, as far as this machine lets us hide it.
hidden=()
if bwrap --dev-bind / / --tmpfs "$tree" true 2>/dev/null; then
    hidden=(bwrap --dev-bind / / --tmpfs "$tree" --chdir "$work")
fi
runs() { # runs <status> <arguments of simgpu run...>
    local status=$1
    shift
    (cd "$work" && "${hidden[@]}" "$bin" run "$@") >"$work/output" 2>"$work/screen"
    [ $? = "$status" ]
}
claim "what was installed and moved runs a program" runs 0 --check -- ./program right
claim "and finds its races" runs 82 --test --check -- ./program races
claim "files may be named after program and process" eval \
    'runs 82 --test --check --junit "$work/%n-%p.xml" -- ./program races &&
    ls "$work"/program-[0-9]*.xml'
all_found() { # by the loader, and in the place where we put them
    local library
    for library in "$installed"/lib/simgpu/*.so*; do
        LD_LIBRARY_PATH=$installed/lib/simgpu ldd "$library" | grep 'not found\|libcudart' |
            grep -v "=> $installed/lib/simgpu/" && return 1
    done
    [ "$(find "$installed/lib/simgpu" -type f | wc -l)" = \
        "$(find "$build/lib/sim" -name '*.so*' | wc -l)" ]
}
claim "every stand-in of a library is there, and finds the others" all_found

config() { PKG_CONFIG_PATH=$installed/lib/pkgconfig pkg-config "$@" simgpu; }
claim "pkg-config knows where the program is" \
    eval '[ "$(realpath "$(config --variable=program)")" = "$bin" ]'
header() {
    echo '#include <simgpu.h>
int main(void) { return simgpu_api() != 0; }' >"$work/grader.c"
    # shellcheck disable=SC2046 # words on purpose
    cc -std=gnu17 $(config --cflags) "$work/grader.c" -o "$work/grader" $(config --libs)
}
claim "a grader's program builds with its header" header

page=$installed/share/man/man1/simgpu.1
plain_page() { sed 's/\\-/-/g; s/\\e/\\/g' "$page"; }
documented() {
    local option
    for option in $("$bin" run --help | grep -oE '^  --[a-z]+(=[a-z]+)?' | sort -u) \
        $("$bin" run --help | sed -nE 's/^  ([0-9]+) .*/\1/p'); do
        plain_page | grep -qE -- "^\.B $option( |\$)" || { echo "not there: $option"; return 1; }
    done
    [ "$(plain_page | grep -A1 '^\.TP' | grep -c '^\.B --[a-z]')" = \
        "$("$bin" run --help | grep -c '^  --')" ]
}
claim "the manual page has every option and every exit status" documented
formats() { # without a word from the formatter
    [ -z "$(groff -man -Tutf8 -ww "$page" 2>&1 >"$work/page")" ]
}
if command -v groff >/dev/null; then
    claim "it is a manual page without mistakes" formats
fi

goes() {
    mv "$work/moved" "$work/stage"
    make_here uninstall PREFIX=/usr DESTDIR="$work/stage" && ! find "$work/stage" ! -type d | grep .
}
claim "make uninstall takes all of it away" goes
relative() {
    ! make_here install PREFIX=here DESTDIR="$work/stage" &&
        grep -q 'PREFIX has to begin with a slash: here' "$work/output"
}
claim "a PREFIX that is no path from the root is refused" relative
exit $failed
