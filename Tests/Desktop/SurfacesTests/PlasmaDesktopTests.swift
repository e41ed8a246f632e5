import EventLoops
import HunchModel
import HunchDBus
import TestSupport
import Testing

@testable import Surfaces

/// The card in Plasma's media applet and on its lock screen, where a mouse clicks on it.
@Suite("KDE Plasma", .timeLimit(.minutes(15)), .serialized)
struct PlasmaDesktopTests {
    private static let greeter = "/usr/lib/x86_64-linux-gnu/libexec/kscreenlocker_greet"

    /// Runs a program of Plasma with a card, and clicks around where its Play button is until the card is pressed.
    ///
    /// - Parameters:
    ///   - size: of its window, where it has to be given one.
    ///   - places: pixels from the left and from the top, as Plasma 5.27 draws it: without a desktop around it neither
    ///     program exposes its buttons through AT-SPI, and a click anywhere else on a lock screen may end it.
    ///   - picture: the name of the picture for the documentation.
    private func press(
        in program: String, _ arguments: [String], size: (width: Int, height: Int)? = nil,
        at places: [(x: Int, y: Int)],
        picture: String? = nil
    ) async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withDisplay { display in
                    let loop = try EventLoop()
                    try loop.start()
                    defer { loop.stop() }
                    let connection = try await Connection.open(BusAddress(bus.address), on: loop)
                    let card = await openCard(on: connection, in: "org.kde.plasmashell")
                    let events = Watched<[CardEvent]>([])
                    let stream = await card.events()
                    let following = Task(executorPreference: loop) {
                        for await event in stream { events.update { $0.append(event) } }
                    }
                    defer { following.cancel() }
                    // A locked screen does not show its content.
                    let suggestion = program == Self.greeter ? playSuggestion("a").withoutContent : playSuggestion("a")
                    #expect(try await card.present(suggestion, keysCountFrom: .now) == .shown)

                    var environment = home.environment.merging(bus.environment) { $1 }
                    environment.merge(display.environment) { $1 }
                    environment["XDG_DATA_DIRS"] = "/usr/local/share:/usr/share"
                    environment["QT_QUICK_BACKEND"] = "software"
                    let all = environment
                    func mouse(_ arguments: String...) async throws -> String {
                        try await run("xdotool", arguments, environment: all).standardOutput
                    }
                    try await withDaemon(Command(program, arguments, environment: all, ready: .immediately)) { _ in
                        if let size {
                            let window = try await eventually("the window", because: "X tells its manager alone") {
                                try await mouse("search", "--onlyvisible", "--name", "Media Player")
                                    .split(separator: "\n").first.map(String.init)
                            }
                            _ = try await mouse("windowsize", window, "\(size.width)", "\(size.height)")
                        }
                        try await eventually("the press", because: "what is drawn is told nobody") {
                            for place in places where events.state.isEmpty {
                                // A lock screen shows more once the mouse moves.
                                _ = try await mouse("mousemove", "\(place.x - 9)", "\(place.y)")
                                if let picture {
                                    try await Pictures.take(picture, area: "340x114+342+430") {
                                        // It fades in.
                                        _ = try await run("sleep", ["2"])
                                        try await display.screenshot(to: $0)
                                    }
                                }
                                _ = try await mouse("mousemove", "\(place.x)", "\(place.y)", "click", "1")
                            }
                            return events.state.isEmpty ? nil : ()
                        }
                        // Pressed once, however often it is clicked on.
                        #expect(events.state == [.pressed("a")])
                    }
                    await connection.close()
                }
            }
        }
    }

    @Test("The media applet shows the card, and its button starts it")
    func applet() async throws {
        try await press(
            in: "plasmawindowed", ["org.kde.plasma.mediacontroller"], size: (600, 500),
            at: [(300, 476), (300, 466), (300, 486)])
    }

    @Test("The lock screen shows the card, and its button starts it")
    func lockScreen() async throws {
        try await press(
            in: Self.greeter, ["--testing"], at: [(628, 509), (628, 500), (628, 518), (612, 509), (644, 509)],
            picture: "lockscreen")
    }
}
