# shellcheck shell=bash disable=SC2034,SC2016  # settings are read, and fakes run, elsewhere
# Claims about packages.sh and things.sh: what is installed, when, and what is said where it
# cannot be.

claim_a_machine_that_has_everything_is_left_alone_and_done_within_a_second()
{
    fake_apt
    have_gadget
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    setup_sh check
    local start_us=${EPOCHREALTIME/./}
    setup_sh check
    expect_status 0
    ((${EPOCHREALTIME/./} - start_us < 1000000)) || broken 'it took more than a second'
    expect_calls ''
}

claim_what_is_missing_is_installed_after_saying_what_and_why()
{
    fake_apt
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    be_root
    setup_sh check
    expect_status 0
    expect_said 'installing with apt-get, for building:'
    expect_said 'gadget-deb'
    expect_calls 'apt-get install -y --no-install-recommends gadget-deb'
}

claim_lists_of_packages_are_refreshed_only_when_an_install_fails()
{
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    be_root
    fake apt-get <<'END'
echo "$1" >>"$WORLD/calls"
[[ $1 == update ]] && touch "$WORLD/refreshed" && exit 0
[[ -e $WORLD/refreshed ]] || exit 100
printf '#!/bin/sh\n' >"$WORLD/bin/gadget"
chmod +x "$WORLD/bin/gadget"
END
    setup_sh check
    expect_status 0
    expect_calls $'install\nupdate\ninstall'
}

claim_what_brings_services_is_installed_for_the_test_of_a_cluster_alone()
{
    fake_apt
    have_gadget
    things "$GADGET" \
        'cluster | daemon | cluster? | program daemon | serves | daemon-deb | x | x | x'
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    be_root
    setup_sh all
    expect_status 0
    expect_calls ''
    setup_sh cluster
    expect_status 0
    expect_said 'installing with apt-get, for cluster:'
    expect_calls 'apt-get install -y --no-install-recommends daemon-deb'
}

claim_a_package_that_a_release_does_not_know_costs_only_itself()
{
    things "$GADGET" \
        'notes | gizmo | check? | program gizmo | shines | gizmo-deb | x | x | x'
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    be_root
    fake apt-get <<'END'
[[ "$*" != *gizmo* ]] || exit 100
[[ $1 != install ]] || { printf '#!/bin/sh\n' >"$WORLD/bin/gadget"; chmod +x "$WORLD/bin/gadget"; }
END
    setup_sh check
    expect_status 0
    expect_said 'going on without gizmo. apt-get could not install everything'
}

claim_a_goal_does_not_install_what_only_another_goal_needs()
{
    things 'notes | gadget | notes | program gadget | opens tins | gadget-deb | x | x | x'
    fake_apt
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    be_root
    setup_sh check
    expect_status 0
    expect_calls ''
    expect_gone "$WORLD/build/setup/notes.mk"
    setup_sh notes
    expect_status 0
    expect_calls 'apt-get install -y --no-install-recommends gadget-deb'
    expect_here "$WORLD/build/setup/notes.mk"
}

claim_what_is_needed_and_cannot_be_installed_stops_with_the_line_to_type()
{
    be_root
    fake apt-get <<<'exit 100'
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    setup_sh check
    expect_status 1
    expect_said 'still missing: gadget'
    expect_said 'apt-get install -y --no-install-recommends gadget-deb'
    expect_plain_words
    expect_gone "$WORLD/build/setup/check.mk"
}

claim_without_a_network_it_says_so()
{
    be_root
    fake apt-get <<<'echo "E: Temporary failure resolving somewhere"; exit 100'
    setup_sh check
    expect_status 1
    expect_said 'is there a network?'
    expect_plain_words
}

claim_without_rights_it_prints_the_line_to_type_and_tries_nothing()
{
    fake_apt
    be_user
    setup_sh check
    expect_status 1
    expect_said 'Installing takes root'
    expect_said 'apt-get install -y --no-install-recommends gadget-deb'
    expect_plain_words
    expect_calls ''
}

claim_sudo_that_wants_a_password_nobody_can_type_is_no_right()
{
    fake_apt
    be_user
    fake sudo <<<'exit 1'
    setup_sh check
    expect_status 1
    expect_said 'wants a password'
    expect_said 'sudo apt-get install -y --no-install-recommends gadget-deb'
    expect_calls ''
}

claim_sudo_is_used_where_it_asks_for_nothing()
{
    fake_apt
    be_user
    fake sudo <<'END'
[[ $1 != -n ]] || exit 0
echo sudo >>"$WORLD/calls"
"$@"
END
    fake_toolkit "$WORLD/opt/cuda" 13.0.88
    setup_sh check
    expect_status 0
    expect_said 'with sudo apt-get'
    expect_calls $'sudo\napt-get install -y --no-install-recommends gadget-deb'
}

claim_an_unknown_distribution_is_told_what_to_install_by_hand()
{
    setup_sh check
    expect_status 1
    expect_said 'still missing: gadget'
    expect_said 'None of apt-get, dnf, pacman, zypper is here'
    expect_plain_words
}

claim_each_package_manager_is_asked_for_its_own_names()
{
    local manager name
    for manager in dnf:gadget-rpm pacman:gadget-arch zypper:gadget-suse; do
        name=${manager#*:} manager=${manager%:*}
        fake "$manager" <<<'exit 1'
        be_root
        setup_sh check
        expect_status 1
        expect_said "$manager"
        expect_said "$name"
        rm "$WORLD/bin/$manager"
    done
}

claim_a_library_without_its_module_is_missing()
{
    things 'building | gadget | check | library no-such-module no_such.h | opens | x | x | x | x'
    setup_sh check
    expect_status 1
    expect_said 'still missing: gadget'
}

claim_a_path_without_the_basic_commands_is_one_sentence()
{
    rm -r "${WORLD:?}/bin"
    SETTINGS=(PATH=/nowhere)
    run_in_world "$BASH" "$SETUP/setup.sh" check
    expect_status 1
    expect_said 'PATH should name'
    expect_plain_words 1
}

claim_every_thing_of_the_table_has_a_package_for_every_manager()
{
    local row columns
    while IFS= read -r row; do
        IFS='|' read -ra columns <<<"$row"
        ((${#columns[@]} == 9)) || broken "not nine columns: $row"
        [[ ! " ${columns[*]// /} " =~ \ \  ]] || broken "a column is empty: $row"
    done < <(grep -vE '^(#|$)' "$SETUP/packages.txt")
}
