import Trace

/// A summary of the trace format for the terminal. The page next to the traces in `Tests` has the rest.
enum TraceFormat {
    static let description = """
        The agent's own code decides, on the trace's clock and with an empty
        history; nothing is shown, started or kept. After the last line ten more
        seconds pass.

        A trace is JSON Lines in UTF-8, at most \(Trace.limit) lines of \(Trace.lineLimit)
        bytes each: objects with "t" (seconds since the start, never going back),
        "source", "event" and what belongs to it. Unknown keys do not matter, an
        unknown source is left out and told, empty lines are skipped. Any other
        fault is told with its line, and nothing is replayed. In the source,
        Tests/Programs/TraceTests/Traces/README.md describes all keys and what --json writes.

        The first line may be {"trace":1}, with "begin", "settle", "rejoin" and
        "warmUp" as wanted, in seconds.

        bluez     objects added changed removed gone unreachable
                  objects: {PATH: {"org.bluez.Device1": {PROPERTY: VALUE}}};
                  else path, interfaces or changed
        audio     state unreachable
                  default: NAME, sinks: [{name, description, properties,
                  groups, ports: [{name, description, type, available,
                  active}]}], streams: [{sink, processes, application, names,
                  sounding, groups}]
        player    changed gone
                  name: org.mpris.MediaPlayer2.…, processes, properties
        session   login unlock resume
        location  at (latitude, longitude, accuracy) searching absent waiting
                  denied
        app       began ended, unit: app-gnome-org.gnome.Maps-4711.scope
        power     battery mains unknown

        What is not recorded may be written: what the person does, and what was
        before.

        person      accept dismiss never
        key         request: Play PlayPause Pause Stop; screen: true for a click
        policy      device, suggest, resume, pause
        remembered  device, application, title, item, position
        announced   upcoming relevant; application, items: [{item, title, trigger}]
        content     running failing gone; application, name, title, item
        wait

        Exit code 1: the trace is empty; 2: it cannot be read; 3: something was
        offered twice or played without the person, a fault of Hunch's.

        Example:
          hunch-dev trace replay headphones.jsonl
          hunch-dev trace replay --json - < headphones.jsonl
        """
}
