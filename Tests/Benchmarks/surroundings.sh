# Benchmarks source this file. It provides a private home, session bus and system bus in $work, and functions that start
# programs which end with the script. The bus starts the agent from $work/prefix, where Hunch is installed.
# shellcheck shell=bash

work=$(mktemp -d /tmp/hunch-bench.XXXXXX)
children=()
# Succeeds if a process ends within ten seconds. A zombie counts as ended.
ends() {
    local attempt
    for attempt in {1..500}; do
        case $(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null) in
        '' | Z) return 0 ;;
        *) sleep 0.02 ;;
        esac
    done
    echo "surroundings: $1 goes on after $attempt looks" >&2
    return 1
}
clean_up() {
    local index agent
    # Continues after a failure, so that all processes are ended.
    set +e
    trap '' INT TERM HUP
    # The bus started the agent, so it is not a child of this script. The agent writes files until it exits.
    agent=$(owner org.hunch.Agent1 2>/dev/null)
    if [ -n "$agent" ] && kill "$agent" 2>/dev/null; then ends "$agent"; fi
    # Adds a process that was interrupted before it was added to the children.
    mapfile -t -O "${#children[@]}" children < <(jobs -p)
    for ((index = ${#children[@]} - 1; index >= 0; index--)); do kill "${children[index]}" 2>/dev/null; done
    for index in "${children[@]}"; do ends "$index" || kill -KILL "$index"; done
    wait
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Starts a program whose output goes to $work/NAME.log. Its process is then $!.
start() {
    local name=$1
    shift
    "$@" >"$work/$name.log" 2>&1 </dev/null &
    children+=("$!")
}

# Runs a program to its end. An interruption of this script does not wait for it.
run() {
    "$@" &
    children+=("$!")
    wait "$!"
}

# Waits until a command succeeds, for 20 seconds.
await() {
    local attempt
    for attempt in {1..1000}; do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.02
    done
    echo "surroundings: after $attempt attempts in vain: $*" >&2
    tail -n 5 "$work"/*.log >&2
    exit 1
}

# The process that owns a name on the session bus.
owner() {
    gdbus call --session --timeout 5 --dest org.freedesktop.DBus --object-path /org/freedesktop/DBus \
        --method org.freedesktop.DBus.GetConnectionUnixProcessID "$1" | tr -dc '0-9 ' | awk '{ print $NF }'
}

start_bus() {
    cat >"$work/$1.conf" <<CONFIGURATION
<busconfig>
  <type>session</type>
  <listen>unix:path=$work/$1</listen>
  <auth>EXTERNAL</auth>
  <servicedir>$work/prefix/share/dbus-1/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>
CONFIGURATION
    start "$1" dbus-daemon --nofork --nopidfile --nosyslog --config-file "$work/$1.conf"
    await test -S "$work/$1"
}

export HOME=$work/home XDG_CONFIG_HOME=$work/home/config XDG_STATE_HOME=$work/home/state
export XDG_CACHE_HOME=$work/home/cache XDG_DATA_HOME=$work/home/data XDG_RUNTIME_DIR=$work/run
mkdir -p "$XDG_CONFIG_HOME" "$XDG_STATE_HOME" "$XDG_CACHE_HOME" "$XDG_DATA_HOME" "$XDG_RUNTIME_DIR/pulse"
chmod 700 "$XDG_RUNTIME_DIR"
unset DISPLAY WAYLAND_DISPLAY

make --no-print-directory -C "$(dirname "${BASH_SOURCE[0]}")/../.." install \
    BIN="$BIN" DESTDIR='' PREFIX="$work/prefix" >"$work/install.log"
# Pages that are not on disk yet would count as private dirty memory of the program.
sync "$work/prefix/libexec/hunchd"
export DBUS_SESSION_BUS_ADDRESS=unix:path=$work/session DBUS_SYSTEM_BUS_ADDRESS=unix:path=$work/system
start_bus session
