import EventLoops

/// The loop on which the window talks to the bus.
final class WindowLoop {
    let events: EventLoop

    init() throws {
        events = try EventLoop()
        try events.start(name: "hunch-settings")
    }

    deinit { events.stop() }
}
