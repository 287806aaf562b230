# shellcheck shell=bash disable=SC2034,SC2016  # settings are read, and fakes run, elsewhere
# Claims about doctor.sh and machine.sh: what it tells, and that it only tells.

doctor_sh()
{
    run_in_world "$SETUP/doctor.sh"
}

claim_the_doctor_is_content_with_a_complete_machine()
{
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    doctor_sh
    expect_status 0
    expect_said 'Lessons can be checked on this machine, on the simulated device.'
    expect_said '13.0.88'
    expect_plain_words 30
}

claim_the_doctor_names_what_is_missing_and_installs_nothing()
{
    fake_apt
    be_root
    doctor_sh
    expect_status 1
    expect_said 'opens tins; make setup installs gadget-deb'
    [[ $(tail -n 1 "$WORLD/said") == 'Lessons cannot be checked yet for want of gadget,'* ]] ||
        broken 'the last line is another'
    expect_calls ''
}

claim_what_only_the_notes_need_does_not_keep_lessons_from_being_checked()
{
    things 'notes | gadget | notes | program gadget | opens tins | gadget-deb | x | x | x'
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    doctor_sh
    expect_status 0
    expect_said 'missing  gadget'
}

claim_the_doctor_uses_colour_on_a_terminal_alone_and_honours_no_color()
{
    local terminal
    terminal=$(type -P script) || skip 'there is no script(1) to make a terminal with'
    have_gadget
    SETTINGS=(TERM=xterm)
    doctor_sh
    expect_not_said $'\033'
    run_in_world "$terminal" -qec "$SETUP/doctor.sh" /dev/null
    expect_said $'\033'
    SETTINGS=(TERM=xterm NO_COLOR=1)
    run_in_world "$terminal" -qec "$SETUP/doctor.sh" /dev/null
    expect_not_said $'\033'
}

claim_a_gpu_is_named_with_its_driver()
{
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    fake nvidia-smi <<'END'
case "$*" in
*query-gpu*) echo 'NVIDIA Test GPU, 580.65.06, 9.0' ;;
*) echo '| NVIDIA-SMI 580.65.06   Driver Version: 580.65.06   CUDA Version: 13.0 |' ;;
esac
END
    doctor_sh
    expect_status 0
    expect_said 'sm_90'
    expect_said 'NVIDIA Test GPU'
    expect_said 'on this GPU.'
}

claim_a_driver_older_than_the_toolkit_is_noticed()
{
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    fake nvidia-smi <<'END'
case "$*" in
*query-gpu*) echo 'NVIDIA Test GPU, 550.54.15, 9.0' ;;
*) echo '| NVIDIA-SMI 550.54.15   Driver Version: 550.54.15   CUDA Version: 12.4 |' ;;
esac
END
    doctor_sh
    expect_status 0
    expect_said 'runs CUDA up to 12.4, the toolkit is 13.0.88'
    expect_said 'on the simulated device.'
}

claim_a_sandbox_that_does_not_start_is_noticed()
{
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    fake bwrap <<<'exit 1'
    doctor_sh
    expect_status 0
    expect_said 'does not start'
}
