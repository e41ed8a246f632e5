import EventLoops
import HunchDBus
import HunchModel
import Media
import Players
import TestSupport
import Testing

@Suite("Flooding players", .timeLimit(.minutes(15)))
struct FloodTests {
    private let track = FakePlayer.Track(url: "file:///music/first.ogg", title: "First")

    @Test("10,000 changes are cut without delaying other players")
    func manyChanges() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, as: ["org.mpris.MediaPlayer2.flood"], tracks: [track]) { flood in
                    try await followed.player()
                    try await withFakePlayer(on: bus, as: ["org.mpris.MediaPlayer2.calm"], tracks: [track]) { calm in
                        try await followed.player { $0.name.text.hasSuffix("calm") }
                        for number in 0..<10_000 { try await flood.emit(["Volume": .double(Double(number))]) }
                        try await flood.set(.playing)
                        try await calm.set(.playing)
                        let calmStarted = try await withDeadline(.seconds(20), "the calm player's start") {
                            try await followed.seen.wait { $0.first { $0.player.name.text.hasSuffix("calm") } }
                        }
                        #expect(calmStarted.change == .started)
                        // The last change was not read. After the pause, all properties are read.
                        let cut = try await followed.player("the flood's end") {
                            $0.name.text.hasSuffix("flood") && $0.status == .playing
                        }
                        #expect(cut.droppedChanges > 0)
                        var excesses = followed.players.excesses.makeAsyncIterator()
                        let excess = await excesses.next(isolation: nil)
                        #expect(excess?.name == cut.name)
                        let started = try await followed.seen.wait { $0.first { $0.player.name == cut.name } }
                        #expect(started.info?.title == "First")
                    }
                }
            }
        }
    }

    @Test("Endless starts and pauses give bounded observations")
    func manyStarts() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, tracks: [track]) { fake in
                    try await followed.player()
                    let clock = ContinuousClock()
                    let start = clock.now
                    for _ in 0..<1_000 {
                        try await fake.set(.playing)
                        try await fake.set(.paused)
                    }
                    try await fake.load(FakePlayer.Track(url: "file:///music/second.ogg", title: "Second"))
                    try await fake.set(.playing)
                    try await withDeadline(.seconds(90), "the last start") {
                        try await followed.seen.wait { seen in
                            seen.contains { $0.change == .started && $0.info?.title == "Second" } ? () : nil
                        }
                    }
                    // About ten a second, however long it takes.
                    let seconds = start.duration(to: clock.now) / .seconds(1)
                    #expect(Double(followed.seen.state.count) <= 40 + 15 * seconds)
                }
            }
        }
    }

    @Test("Metadata of many megabytes is cut; the player stays usable")
    func hugeMetadata() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                try await withFakePlayer(on: bus, tracks: [track]) { fake in
                    try await followed.player()
                    let huge = String(repeating: "x", count: 8 << 20)
                    try await fake.emit([
                        "Metadata": ["xesam:title": Value.string(huge), "xesam:url": .string(huge)].dbusValue
                    ])
                    try await fake.set(.playing)
                    let started = try await followed.observations(1)[0]
                    #expect(started.info?.title == "First")
                    #expect(try await followed.player { $0.droppedChanges > 0 }.isResponding)
                }
            }
        }
    }

    @Test("Players over the limit are ignored; the others are kept")
    func manyPlayers() async throws {
        try await withPrivateBus { bus in
            try await withFollowedPlayers(on: bus) { followed in
                let names = try (0..<20).map { try BusName("org.mpris.MediaPlayer2.many.instance\($0)") }
                try await withFakePlayer(on: bus, as: names, tracks: [track]) { _ in
                    let player = try await followed.player { $0.names.count == MPRISPlayers.namesPerPlayer }
                    #expect(player.info?.title == "First")
                    try await withConnections(MPRISPlayers.playerLimit, to: bus) { connections in
                        for (number, connection) in connections.enumerated() {
                            _ = try await connection.requestName(BusName("org.mpris.MediaPlayer2.n\(number)"))
                        }
                        try await withFakePlayer(on: bus, as: ["org.mpris.MediaPlayer2.late"]) { _ in
                            let full = try await followed.players.wait(atMost: .seconds(20)) {
                                $0.count == MPRISPlayers.playerLimit ? $0 : nil
                            }
                            #expect(full?.contains { $0.name.text.hasSuffix("late") } == false)
                            #expect(full?.contains { $0.id == player.id } == true)
                        }
                    }
                }
            }
        }
    }
}

/// Connects several times while `body` runs.
private nonisolated(nonsending) func withConnections(
    _ count: Int, to bus: PrivateBus, _ body: nonisolated(nonsending) ([Connection]) async throws -> Void
) async throws {
    let loop = try EventLoop()
    try loop.start()
    defer { loop.stop() }
    var connections: [Connection] = []
    for _ in 0..<count { connections.append(try await Connection.open(BusAddress(bus.address), on: loop)) }
    try await body(connections)
    for connection in connections { await connection.close() }
}
