# shellcheck shell=bash
# config.sh - build/config.mk: what set-up found, as variables for the makefiles.
#
# Every value is computed afresh; the file is replaced, by renaming, only when one of them
# changed, so that what depends on it is not rebuilt for nothing.
# Read next: build.mk, which sees to it that the file is there before anything is built.

CONFIG=$B/config.mk

# config_value NAME: as written the last time; empty where nothing was.
config_value()
{
    if [[ -e $CONFIG ]]; then
        sed -n "s|^$1 := ||p" "$CONFIG"
    fi
}

# HAVE_BWRAP, HAVE_PANDOC, ... are 1 or empty; a library also has its flags: JANSSON_CFLAGS,
# JANSSON_LIBS.
config_things()
{
    local thing kind name upper here
    for thing in "${THINGS[@]}"; do
        read -r kind name _ <<<"${THING_PROBE[$thing]}"
        [[ $kind == program || $kind == library ]] || continue
        [[ $kind == program ]] && upper=${name^^} || upper=${thing^^}
        here=1
        [[ " ${MISSING[*]} " != *" $thing "* ]] || here=''
        printf 'HAVE_%s := %s\n' "${upper//-/_}" "$here"
        if [[ $kind == library ]]; then
            printf '%s_CFLAGS := %s\n' "$upper" "$(pkg-config --cflags "$name" 2>/dev/null)"
            printf '%s_LIBS := %s\n' "$upper" "$(pkg-config --libs "$name" 2>/dev/null)"
        fi
    done
}

config_toolkit()
{
    local cublaslt=''
    ! toolkit_has_cublaslt || cublaslt=1
    cat <<END
NVCC := $NVCC
NVCC_VERSION := $NVCC_VERSION
CUDA_HOME := $CUDA_HOME_FOUND
CUDA_VERSION := $(cut -d. -f1,2 <<<"$NVCC_VERSION")
CUDA_INCLUDE := $CUDA_INCLUDE
CUDA_LIB := $CUDA_LIB
CUDART_SONAME_MAJOR := ${NVCC_VERSION%%.*}
HAVE_CUBLASLT := $cublaslt
END
}

# CUDA_HOME_ASKED keeps what the environment said, before this file gives CUDA_HOME its value.
config_text()
{
    cat <<END
# What set-up found on this machine. Written by grader/setup; run \`make setup\` to look again.
CUDA_HOME_ASKED := \$(CUDA_HOME)
SETUP_FOUND_FOR := ${SETUP_FOR:-}
END
    config_toolkit
    config_things
}

config_write()
{
    local text
    text=$(config_text)
    [[ ! -e $CONFIG || $text != "$(<"$CONFIG")" ]] || return 0
    if ! printf '%s\n' "$text" >"$CONFIG.new" || ! mv "$CONFIG.new" "$CONFIG"; then
        rm -f "$CONFIG.new"
        say_trouble "cannot write $CONFIG: is the disk full?"
        return 1
    fi
}
