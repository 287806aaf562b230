# shellcheck shell=bash disable=SC2034,SC2016  # settings are read, and fakes run, elsewhere
# Claims about toolkit.sh, fetch.sh and config.sh: which CUDA toolkit is used, refused or fetched.

config_of_world()
{
    sed -n "s|^$1 := ||p" "$WORLD/build/config.mk"
}

claim_a_toolkit_on_path_is_found_and_written_down()
{
    have_gadget
    fake_toolkit "$WORLD/some/where" 13.0.88
    SETTINGS=(PATH="$WORLD/bin:$WORLD/some/where/bin")
    setup_sh check
    expect_status 0
    [[ $(config_of_world NVCC) == "$WORLD/some/where/bin/nvcc" ]] || broken 'NVCC is another'
    [[ $(config_of_world CUDA_VERSION) == 13.0 ]] || broken 'CUDA_VERSION is another'
    [[ $(config_of_world CUDA_LIB) == "$WORLD/some/where/lib" ]] || broken 'CUDA_LIB is another'
    [[ $(config_of_world CUDART_SONAME_MAJOR) == 13 ]] || broken 'the soname is another'
}

claim_cuda_home_goes_before_path()
{
    have_gadget
    fake_toolkit "$WORLD/some/where" 13.0.88
    fake_toolkit "$WORLD/home" 12.4.131
    SETTINGS=(PATH="$WORLD/bin:$WORLD/some/where/bin" CUDA_HOME="$WORLD/home")
    setup_sh check
    expect_status 0
    [[ $(config_of_world CUDA_HOME) == "$WORLD/home" ]] || broken 'CUDA_HOME is another'
    [[ $(config_of_world CUDART_SONAME_MAJOR) == 12 ]] || broken 'the soname is another'
}

claim_a_cuda_home_without_nvcc_is_refused_in_a_sentence()
{
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    SETTINGS=(CUDA_HOME=/nowhere/cuda)
    setup_sh check
    expect_status 1
    expect_said 'CUDA_HOME is /nowhere/cuda, and there is no bin/nvcc in it.'
    expect_said 'unset it'
    expect_plain_words
}

claim_a_toolkit_outside_12_4_to_13_is_refused()
{
    have_gadget
    local version
    for version in 11.8.89 12.3.107 14.0.1; do
        fake_toolkit "$WORLD/home" "$version"
        SETTINGS=(CUDA_HOME="$WORLD/home")
        setup_sh check
        expect_status 1
        expect_said "CUDA $version,"
        expect_said '12.4 to 13.x will do'
        expect_plain_words
    done
}

claim_a_toolkit_from_12_4_to_13_is_taken()
{
    have_gadget
    local version
    for version in 12.4.99 12.10.1 13.5.37; do
        fake_toolkit "$WORLD/home" "$version"
        SETTINGS=(CUDA_HOME="$WORLD/home")
        setup_sh check
        expect_status 0
    done
}

claim_an_old_toolkit_on_path_is_passed_over_for_a_good_one()
{
    have_gadget
    fake_toolkit "$WORLD/old" 11.8.89
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    SETTINGS=(PATH="$WORLD/bin:$WORLD/old/bin")
    setup_sh check
    expect_status 0
    expect_said 'too old'
    [[ $(config_of_world CUDA_HOME) == "$WORLD/opt/cuda" ]] || broken 'CUDA_HOME is another'
}

claim_a_toolkit_too_old_for_the_compiler_here_is_told_from_a_broken_one()
{
    have_gadget
    fake_toolkit "$WORLD/home" 12.4.131
    echo 'host_config.h: error: unsupported GNU version! later than 13' >"$WORLD/home/broken"
    SETTINGS=(CUDA_HOME="$WORLD/home")
    setup_sh check
    expect_status 1
    expect_said 'try NVCC_PREPEND_FLAGS='
    echo 'cicc: error: out of ideas' >"$WORLD/home/broken"
    setup_sh check
    expect_status 1
    expect_said 'cannot compile a kernel: cicc: error: out of ideas.'
    expect_plain_words
}

claim_a_path_with_a_space_is_refused_before_anything_is_fetched()
{
    have_gadget
    fake_pip
    fake_toolkit "$WORLD/my toolkit" 13.0.88
    SETTINGS=(B="$WORLD/my tree/build")
    setup_sh check
    expect_status 1
    expect_said 'make knows no paths with spaces'
    expect_calls ''
    SETTINGS=(CUDA_HOME="$WORLD/my toolkit")
    setup_sh check
    expect_status 1
    expect_said 'has a space in its path'
    expect_plain_words
}

claim_a_toolkit_without_a_runtime_is_refused()
{
    have_gadget
    fake_toolkit "$WORLD/home" 13.0.88
    rm "$WORLD"/home/lib/libcudart.so
    SETTINGS=(CUDA_HOME="$WORLD/home")
    setup_sh check
    expect_status 1
    expect_said 'no libcudart.so beside it'
    expect_plain_words
}

claim_no_nvcc_and_no_way_to_fetch_one_is_said_in_a_few_lines()
{
    have_gadget
    setup_sh check
    expect_status 1
    expect_said 'no CUDA toolkit (12.4 to 13.x) was found'
    expect_said 'pip, to fetch one, is missing'
    expect_said 'CUDA_HOME'
    expect_plain_words
}

claim_where_there_is_no_toolkit_one_is_fetched_whole_and_only_once()
{
    have_gadget
    fake_pip
    setup_sh check
    expect_status 0
    expect_said 'fetching'
    expect_here "$WORLD/build/cuda/bin/nvcc"
    expect_here "$WORLD/build/cuda/lib64/libcudart.so"
    expect_gone "$WORLD/build/cuda.partial"
    rm "$WORLD/calls"
    setup_sh check
    expect_status 0
    expect_calls ''
}

claim_a_fetched_toolkit_that_cannot_compile_is_not_kept()
{
    have_gadget
    fake_pip
    echo 'catastrophe: error' >"$WORLD/published/nvidia/cu13/broken"
    setup_sh check
    expect_status 1
    expect_said 'catastrophe'
    expect_gone "$WORLD/build/cuda"
    expect_gone "$WORLD/build/cuda.partial"
}

claim_a_registry_that_cannot_be_reached_leaves_nothing()
{
    have_gadget
    fake_pip
    echo 'echo "ERROR: Could not resolve host" >&2; exit 1' >"$WORLD/pip-does"
    setup_sh check
    expect_status 1
    expect_said 'is there a network?'
    expect_plain_words 8
    expect_gone "$WORLD/build/cuda"
    expect_gone "$WORLD/build/cuda.partial"
}

claim_ctrl_c_during_the_fetch_leaves_nothing_and_the_next_run_works()
{
    have_gadget
    fake_pip
    echo 'touch "$target/half" "$WORLD/under-way"; sleep 60' >"$WORLD/pip-does"
    set -m
    (setup_sh check) &
    local job=$!
    set +m
    local waits=0
    until [[ -e $WORLD/under-way ]] || ((++waits > 100)); do sleep 0.1; done
    kill -INT -- "-$job"
    wait "$job" || true
    expect_gone "$WORLD/build/cuda"
    expect_gone "$WORLD/build/cuda.partial"
    rm "$WORLD/pip-does"
    setup_sh check
    expect_status 0
}

claim_too_little_disk_is_said_before_anything_is_fetched()
{
    have_gadget
    fake_pip
    echo '13.0 | pypi | nvidia-cuda-nvcc | 13.0.88 | 999999999' >"$WORLD/toolkits.txt"
    setup_sh check
    expect_status 1
    expect_said 'MB free'
    expect_calls ''
}

# With an 8 MB file system of its own as the build folder, while the claim can look at what is
# left.
claim_a_disk_that_fills_up_during_the_fetch_leaves_no_half_toolkit()
{
    local unshare=("$(type -P unshare)" --mount)
    local mount=("$(type -P mount)" -t tmpfs -o size=8m tmpfs "$WORLD/build")
    [[ $(id -u) == 0 ]] || unshare+=(--map-root-user)
    mkdir "$WORLD/build"
    "${unshare[@]}" "${mount[@]}" 2>/dev/null || skip 'no small file system can be mounted here'
    have_gadget
    fake_pip
    echo 'head -c 64000000 /dev/zero >"$target/half" || exit 1' >"$WORLD/pip-does"
    run_in_world "${unshare[@]}" bash -c "${mount[*]}; $SETUP/setup.sh check; status=\$?
        find $WORLD/build >$WORLD/left; exit \$status"
    expect_status 1
    expect_said 'the disk is full'
    expect_plain_words 8
    ! grep -E 'build/(cuda|config)' "$WORLD/left" || broken 'something was left behind'
}

claim_a_full_disk_is_one_sentence()
{
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    mkdir -p "$WORLD/build"
    rm "$WORLD/bin/mkdir"
    fake mkdir <<<'echo "mkdir: no space left on device" >&2; exit 1'
    setup_sh check
    expect_status 1
    expect_said 'is the disk full'
    expect_plain_words 1
}

claim_config_is_rewritten_only_when_something_changed()
{
    have_gadget
    fake_toolkit "$WORLD/home" 13.0.88
    SETTINGS=(CUDA_HOME="$WORLD/home")
    setup_sh check
    touch -d @1000 "$WORLD/build/config.mk"
    setup_sh check
    [[ $(date -r "$WORLD/build/config.mk" +%s) == 1000 ]] || broken 'it was rewritten for nothing'
    fake_toolkit "$WORLD/home" 13.1.80
    setup_sh check
    [[ $(config_of_world CUDA_VERSION) == 13.1 ]] || broken 'it was not rewritten'
}

claim_a_toolkit_of_a_series_of_ones_choice_goes_where_one_says()
{
    fake_pip
    setup_sh toolkit 13.0 "$WORLD/mine"
    expect_status 0
    expect_here "$WORLD/mine/bin/nvcc"
    setup_sh toolkit 13.0 "$WORLD/mine"
    expect_status 1
    expect_said 'exists already'
    setup_sh toolkit 9.9 "$WORLD/other"
    expect_status 1
    expect_said 'CUDA 9.9 is not one of those'
}
