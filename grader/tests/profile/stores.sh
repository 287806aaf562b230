#!/usr/bin/env bash
# How often `simgpu run` counts the stores of stores.cu: those of which ptxas made a wider one once,
# all others each. A line each; exit status 1 when one does not hold.
#
#     stores.sh simgpu program program_without_machine_code
set -u
simgpu=$1
program=$2
program_ptx=$3
source "$(dirname "$0")/../claim.sh"
warps=256 # of each launch: 32 blocks of 8

count() { "$simgpu" run --quiet --csv "$work/$1.csv" -- "$2" >"$work/output" 2>"$work/screen"; }

# figure <table> <kernel> <column>
figure() {
    sed 's/"[^"]*"/-/g' "$work/$1.csv" | awk -F, -v kernel="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        $2 == kernel { print $at; found = 1 }
        END { exit !found }'
}

# counted <table> <kernel> <column> <times a warp>
counted() {
    local is
    is=$(figure "$1" "$2" "$3") && [ "$is" = $(($4 * warps)) ] || {
        echo "$3 of $2: $is, not $4 times $warps"
        false
    }
}

# as <kernel> <other>: all that is counted of their stores
as() {
    local column
    for column in requests_st sectors_st shared_st wavefronts_st; do
        [ "$(figure code "$1" $column)" = "$(figure code "$2" $column)" ] || {
            echo "$column of $1: $(figure code "$1" $column), not $(figure code "$2" $column)"
            return 1
        }
    done
}

# The model's times are within that share of each other.
takes_as_long() {
    awk -v a="$(figure "$1" "$2" modelled_ns)" -v b="$(figure "$1" "$3" modelled_ns)" \
        'BEGIN { print a, b; exit !(a > 0 && a < 1.02 * b && b < 1.02 * a) }'
}

claim "the program runs with its machine code" count code "$program"
claim "and without" count ptx "$program_ptx"

claim "two neighbours are one store of 8 bytes" as pair_apart pair_wide
claim "which is one request" counted code pair_apart shared_st 1
claim "also if the second comes first" as backwards_apart pair_wide
claim "four are one store of 16 bytes, in any order" as four_apart four_wide
claim "two of 8 bytes are, too" as doubles_apart doubles_wide
claim "in a loop as well" as loop_apart loop_wide
claim "wavefronts are those of the wide store" as runs_apart runs_wide
claim "so is the time" takes_as_long code runs_apart runs_wide
claim "neighbouring variables are one store" counted code variables_apart shared_st 1
claim "on two sides of a branch there are two wide ones" counted code pairs_in_sides shared_st 2
claim "a call between them keeps them apart" counted code around_a_call shared_st 2
claim "so does an address that is not aligned" counted code at_every_third shared_st 2
claim "and a condition for each" counted code under_two_guards shared_st 2

for kernel in pair_apart backwards_apart doubles_apart; do
    claim "without machine code $kernel stays two stores" counted ptx $kernel shared_st 2
done
claim "and four_apart four" counted ptx four_apart shared_st 4
claim "in as many wavefronts as they say" counted ptx runs_apart wavefronts_st 256

for table in code ptx; do
    for kernel in short long vector; do
        claim "$table: each side of a branch has its store: $kernel" \
            counted $table ${kernel}_sides requests_st 2
        claim "$table: behind the branch there is one: $kernel" \
            counted $table ${kernel}_select requests_st 1
    done
    claim "$table: each of three sides has one" counted $table three_sides requests_st 3
    claim "$table: two sides may store elsewhere" counted $table two_places_sides requests_st 2
    claim "$table: each turn of a loop has both" counted $table loop_sides requests_st 8
    claim "$table: to shared memory, too" counted $table shared_sides shared_st 2
done

"$simgpu" run --quiet --check -- "$program" >"$work/output" 2>"$work/screen"
claim "a check finds nothing wrong with them" [ $? = 0 ]
"$simgpu" run --check=continue -- "$program" race >"$work/output" 2>"$work/screen"
claim "a race on the store that another carries is found" grep -q \
    "^simgpu: shared memory race in kernel raced" "$work/screen"

exit $failed
