internal import Players
internal import AgentInterface
internal import FoundationEssentials
public import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Triggers

/// Records the input of the decisions, from the buses and the audio server of this machine, as lines of a trace.
///
/// A trace is personal: it contains addresses and names of devices, titles, apps and places.
public struct TraceRecorder: Sendable {
    private let loop: EventLoop
    private let environment: [String: String]

    /// Creates a recorder. Opens nothing.
    ///
    /// - Parameters:
    ///   - loop: a running loop.
    ///   - environment: the environment, which locates buses and servers.
    public init(loop: EventLoop, environment: [String: String]) {
        self.loop = loop
        self.environment = environment
    }

    /// Records until the task is cancelled or a line cannot be written.
    ///
    /// - Parameters:
    ///   - locates: whether to ask GeoClue for the position.
    ///   - write: called with each line, without its end.
    /// - Throws: ``DBusError`` if there is no session bus; errors of `write`.
    public func run(locates: Bool, _ write: @escaping @Sendable (String) throws -> Void) async throws {
        let address = try BusAddress.session { environment[$0] }
        let bus = try await Connection.open(address, on: loop)
        let began = ContinuousClock.now
        try write(Self.json(TraceHead.fields(begin: Date())))
        let (lines, sink) = AsyncStream.makeStream(of: [String: TraceValue].self)
        let tell: @Sendable ([String: TraceValue]) async -> Void = { fields in
            let time = (began.duration(to: .now) / .milliseconds(1)).rounded() / 1_000
            sink.yield(fields.merging(["t": .number(time)]) { $1 })
        }
        let players = MPRISPlayers(on: bus)
        let recorder = TriggerRecorder(loop: loop, environment: { [environment] in environment[$0] }) {
            [loop, environment] in
            try await Connection.open(.system { environment[$0] }, on: loop)
        }
        defer { sink.finish() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await recorder.run(sessionBus: bus, locatingAs: locates ? HunchNames.desktopEntry : nil) {
                    await tell($0.fields)
                }
            }
            group.addTask { try await players.run() }
            group.addTask { await Self.follow(players, tell) }
            group.addTask { for await fields in lines { try write(Self.json(fields)) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Records each player that appears, changes in more than its position, or disappears.
    private static func follow(
        _ players: MPRISPlayers, _ tell: @Sendable ([String: TraceValue]) async -> Void
    ) async {
        let forever = Duration.seconds(86_400)
        var last: [String: [String: TraceValue]] = [:]
        while !Task.isCancelled {
            let known = last
            let changed = try? await players.wait(atMost: forever) { present in
                described(present) == known ? nil : present
            }
            guard let present = changed ?? nil else { continue }
            let now = described(present)
            for player in present where now[player.name.text] != last[player.name.text] {
                var line: [String: TraceValue] = [
                    "source": .text("player"), "event": .text("changed"), "name": .text(player.name.text),
                    "properties": .object(PlayerProperties.fields(of: player, position: true)),
                ]
                if !player.processes.isEmpty {
                    line["processes"] = .list(player.processes.map { .integer(Int64($0)) })
                }
                await tell(line)
            }
            for name in last.keys.sorted() where now[name] == nil {
                await tell(["source": .text("player"), "event": .text("gone"), "name": .text(name)])
            }
            last = now
        }
    }

    private static func described(_ players: [MPRISPlayer]) -> [String: [String: TraceValue]] {
        Dictionary(players.map { ($0.name.text, PlayerProperties.fields(of: $0, position: false)) }) { first, _ in
            first
        }
    }

    private static func json(_ fields: [String: TraceValue]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(fields), as: UTF8.self)
    }
}
