# shellcheck shell=bash disable=SC2034  # what is set here is read by other parts
# machine.sh - the doctor's lines on what cannot be installed: sandbox rights, GPU, processor,
# disk.
#
# Nothing here keeps a lesson from being checked: without a GPU there is the simulated device,
# without a sandbox the check says so. The lines tell which it will be, and what would change
# that.

# What a lesson will run on, for the verdict.
DEVICE_AT_HAND='the simulated device'

# Why a sandbox may not start, by the usual switches; the names are the kernel's.
sandbox_obstacle()
{
    local switch=/proc/sys
    if [[ $(cat $switch/kernel/apparmor_restrict_unprivileged_userns 2>/dev/null) == 1 ]]; then
        echo 'sysctl kernel.apparmor_restrict_unprivileged_userns is 1; 0 would allow it'
    elif [[ $(cat $switch/kernel/unprivileged_userns_clone 2>/dev/null) == 0 ]]; then
        echo 'sysctl kernel.unprivileged_userns_clone is 0; 1 would allow it'
    elif [[ $(cat $switch/user/max_user_namespaces 2>/dev/null) == 0 ]]; then
        echo 'sysctl user.max_user_namespaces is 0; 10000 would allow it'
    else
        echo 'user namespaces are not allowed here, as is usual inside a container'
    fi
}

# A sandbox with namespaces of its own, as the runner gets.
show_sandbox()
{
    command -v bwrap >/dev/null || return 0
    if timeout 10 bwrap --unshare-user --unshare-pid --unshare-net --unshare-ipc --ro-bind / / \
        --dev /dev --proc /proc true 2>/dev/null; then
        row ok 'a sandbox' - 'starts here, with its own users, processes and network'
    else
        row note 'a sandbox' - "does not start: $(sandbox_obstacle)"
        if (($(id -u) == 0)); then
            row note '' '' 'as root they get another user and Landlock instead (Linux 5.13)'
        else
            row note '' '' 'checks are self-checks, so check only files that you trust; and make'
            row note '' '' 'grade refuses, but for root'
        fi
    fi
}

# "13.0" of the driver's own words; the newest CUDA it can run.
driver_cuda()
{
    nvidia-smi 2>/dev/null | grep -oE 'CUDA Version: *[0-9]+\.[0-9]+' | grep -oE '[0-9.]+$' || true
}

show_driver()
{
    local driver=$1 newest toolkit=${NVCC_VERSION%%.*}
    newest=$(driver_cuda)
    if [[ -n $newest && -n $toolkit ]] && ((${newest%%.*} < toolkit)); then
        row note driver "$driver" "runs CUDA up to $newest, the toolkit is $NVCC_VERSION:"
        row note '' '' "update the driver, or set CUDA_HOME to a toolkit of ${newest%%.*}.x"
        return
    fi
    row ok driver "$driver" "runs CUDA up to ${newest:-?}"
    DEVICE_AT_HAND='this GPU'
}

show_gpu()
{
    local list name driver capability
    if list=$(timeout 20 nvidia-smi --query-gpu=name,driver_version,compute_cap \
        --format=csv,noheader 2>/dev/null) && [[ -n $list ]]; then
        while IFS=, read -r name driver capability; do
            row ok GPU "sm_${capability//[ .]/}" "$name"
        done <<<"$list"
        show_driver "${driver# }"
    elif [[ -e /dev/nvidiactl || -e /dev/dxg ]]; then
        row note GPU - 'there is a driver device, but nvidia-smi shows no GPU: see its message'
    else
        row note GPU - 'none visible; lessons run on the simulated device'
    fi
    row note rights - 'none needed for profilers, ptrace or perf: counters are simulated'
}

show_processor()
{
    local flags vectors
    flags=" $(grep -m1 -E '^(flags|Features)' /proc/cpuinfo || true) "
    case $flags in
    *' avx512f '*) vectors='AVX-512' ;;
    *' avx2 '*) vectors='AVX2' ;;
    *' asimd '*) vectors='NEON' ;;
    *) vectors='' ;;
    esac
    row "$([[ -n $vectors ]] && echo ok || echo note)" processor "$(nproc) cores" \
        "${vectors:-no vector} instructions${vectors:+, which the simulated device uses}"
}

# A toolkit fetched and everything built come to 1.5 GB; with a toolkit at hand, 0.3 GB is plenty.
show_disk()
{
    local free_mb need_mb=300
    [[ -n $NVCC ]] || need_mb=1800
    free_mb=$(free_mb "$B")
    row "$( ((free_mb >= need_mb)) && echo ok || echo note)" disk "$((free_mb / 1000)) GB free" \
        "in $B; $need_mb MB will do"
}
