# shellcheck shell=bash disable=SC2034,SC2016  # settings are read, and fakes run, elsewhere
# Claims about build.mk: which commands run set-up, and when it is run again.

# A tree whose Makefile is as short as can be around build.mk; make_in_world types a command in it.
new_tree()
{
    mkdir -p "$WORLD/tree"
    ln -s "$SETUP/../../grader" "$WORLD/tree/grader"
    cat >"$WORLD/tree/Makefile" <<'END'
SHELL := /bin/bash
.DEFAULT_GOAL := status
B := build
-include $(B)/config.mk
CUDA_HOME ?= /a/default/of/a/makefile
include grader/setup/build.mk
status help clean:
	@echo this is $@
check-%:
	@echo checked with $(CUDA_VERSION)
END
}

make_in_world()
{
    run_in_world make -C "$WORLD/tree" --no-print-directory "$@"
}

claim_the_first_command_typed_sets_up_and_then_does_its_work()
{
    new_tree
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    make_in_world check-lesson0
    expect_status 0
    [[ $(<"$WORLD/said") == 'checked with 13.0' ]] || broken 'it said something else'
}

claim_commands_that_need_nothing_set_nothing_up()
{
    new_tree
    local command
    for command in '' status help clean; do
        # shellcheck disable=SC2086  # no word is the command to type
        make_in_world $command
        expect_status 0
    done
    make_in_world -n check-lesson0
    expect_status 0
    expect_gone "$WORLD/tree/build"
}

claim_a_set_up_that_fails_stops_make_before_anything_is_built()
{
    new_tree
    make_in_world check-lesson0
    expect_status 2
    expect_said 'still missing: gadget'
    expect_not_said 'checked with'
    expect_not_said 'No such file'
    expect_not_said 'No rule'
    expect_plain_words
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    make_in_world check-lesson0
    expect_status 0
}

claim_a_lost_config_is_written_again()
{
    new_tree
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    make_in_world check-lesson0
    rm "$WORLD/tree/build/config.mk"
    make_in_world check-lesson0
    expect_status 0
    expect_said 'checked with 13.0'
}

claim_set_up_is_not_run_again_when_nothing_changed()
{
    new_tree
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    make_in_world check-lesson0
    rm "$WORLD/bin/gadget"
    make_in_world check-lesson0
    expect_status 0
}

claim_an_nvcc_that_is_not_there_does_not_make_set_up_run_for_ever()
{
    new_tree
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    run_in_world timeout 10 make -C "$WORLD/tree" NVCC=/nowhere/nvcc check-lesson0
    expect_status 0
}

claim_another_toolkit_is_noticed()
{
    new_tree
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    make_in_world check-lesson0
    fake_toolkit "$WORLD/home" 12.4.131
    SETTINGS=(CUDA_HOME="$WORLD/home")
    make_in_world check-lesson0
    expect_said 'checked with 12.4'
    SETTINGS=()
    make_in_world CUDA_HOME="$WORLD/home" check-lesson0
    expect_said 'checked with 12.4'
    make_in_world check-lesson0
    expect_said 'checked with 13.0'
    rm -r "$WORLD/opt"
    make_in_world check-lesson0
    expect_status 2
    expect_said 'no CUDA toolkit'
}
