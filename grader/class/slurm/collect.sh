#!/bin/sh
# The job of Slurm's after those that judge (chunk.sh): collect.sh GRADEBOOK COURSE BUILD OUT.
exec "$1" collect --out "$4" --course "$2" --build "$3"
