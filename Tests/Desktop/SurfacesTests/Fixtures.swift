import FoundationEssentials
import EventLoops
import HunchDBus
import HunchModel
import TestSupport

@testable import Surfaces

/// A suggestion to play something.
func playSuggestion(
    _ id: String = "s1", title: String = "Episode 41", subtitle: String = "The Show", artworkURL: String? = nil,
    reasons: Explanation = ["You usually play this here"]
) -> Suggestion {
    Suggestion(
        id: id, title: title, subtitle: subtitle, artworkURL: artworkURL, application: "org.example.Podcasts",
        applicationName: "Podcasts", source: "From Podcasts", score: 0.5, explanation: reasons, context: Context(),
        expiry: Date(timeIntervalSince1970: 0),
        action: .play(item: "41", info: NowPlayingInfo(title: title), context: PlaybackContext()))
}

/// A card that all programs see, in the shell that has this identifier.
func openCard(on connection: Connection, in shell: AppID) async -> NowPlayingCard {
    let server = await ObjectServer(on: connection, sight: { _ in { (_: String) throws(DBusError) in } })
    return NowPlayingCard(
        on: connection, server: server, name: "org.mpris.MediaPlayer2.examplecard", application: { _ in shell })
}

/// A suggestion to open a routing app.
func directionsSuggestion(_ id: String = "d1") -> Suggestion {
    Suggestion(
        id: id, title: "Get directions to Yank Sing", subtitle: "In Maps", application: "org.example.Maps",
        applicationName: "Maps", source: "From Yelp", score: 0.5, explanation: [], context: Context(),
        expiry: Date(timeIntervalSince1970: 0),
        action: .openDirections(DirectionsLaunch(desktopID: "org.example.Maps", uri: "geo:37.79,-122.39")))
}

/// A surface that runs, and what happens on it.
struct RunningSurface: Sendable {
    let surface: NotificationSurface
    let bus: Connection
    let loop: EventLoop
    let events: Watched<[NotificationEvent]>

    /// Waits until a number of events have arrived, and returns all of them.
    func events(_ count: Int) async throws -> [NotificationEvent] {
        try await withDeadline(.seconds(30), "event \(count)") { [events] in
            try await events.wait { $0.count >= count ? $0 : nil }
        }
    }
}

/// Runs a surface on a bus while `body` runs.
func withSurface<Value: Sendable>(
    on bus: PrivateBus, popupTime: Duration = .seconds(30), deadline: Duration = .seconds(20),
    dconf: @escaping @Sendable (String) -> Bool? = { _ in nil },
    _ body: @escaping @Sendable (RunningSurface) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop()
    try loop.start()
    defer { loop.stop() }
    let connection = try await Connection.open(BusAddress(bus.address), on: loop)
    let surface = NotificationSurface(
        on: connection, desktopEntry: "org.example.Hunch", popupTime: popupTime, deadline: deadline, dconf: dconf)
    let stream = await surface.events()
    let events = Watched<[NotificationEvent]>([])
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask {
            try await surface.run()
            return nil
        }
        group.addTask {
            // Each test starts its servers itself.
            for await event in stream where event != .serverAppeared { events.update { $0.append(event) } }
            return nil
        }
        group.addTask {
            try await body(RunningSurface(surface: surface, bus: connection, loop: loop, events: events))
        }
        defer { group.cancelAll() }
        while let result = try await group.next() {
            if let result { return result }
        }
        throw BenchError("the surface ended before the test did")
    }
}

/// As the function above, with a recorder as the notification server.
func withRecorder<Value: Sendable>(
    name: String = "recorder", capabilities: [String] = NotificationRecorder.commonCapabilities,
    inhibited: Bool? = nil, deadline: Duration = .seconds(20),
    _ body: @escaping @Sendable (RunningSurface, NotificationRecorder) async throws -> Value
) async throws -> Value {
    try await withPrivateBus { bus in
        try await withSurface(on: bus, deadline: deadline) { running in
            let recorder = try await NotificationRecorder.start(
                on: bus, loop: running.loop, name: name, capabilities: capabilities, inhibited: inhibited)
            return try await body(running, recorder)
        }
    }
}
