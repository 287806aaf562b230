#!/usr/bin/env bash
# The grader judges a course made for it, with one tiny lesson for each verdict: each exercise gets
# what its judge says it has to get (verdict, gate and line). A line each; exit status 1 when one
# did not.
set -u
cd "$(dirname "$0")/../.."
products=${1:-build}
build=$products/test/course
for part in bin/warpquest bin/simgpu lib config.mk; do
    mkdir -p "$(dirname "$build/$part")"
    ln -sfn "$(realpath "$products/$part")" "$build/$part"
done
exec "$products/bin/warpquest" --course grader/tests/course --build "$build" \
    verify-exercises --device sim
