import EventLoops
import HunchDBus
import HunchModel
import Media
import Players
import TestSupport

/// A follower of players, and all its observations.
struct FollowedPlayers: Sendable {
    let players: MPRISPlayers
    let seen: Watched<[MediaObservation]>
    let bus: Connection

    /// Waits until a condition holds for some player.
    @discardableResult
    func player(
        _ what: String = "the player", where holds: @escaping @Sendable (MPRISPlayer) -> Bool = { _ in true }
    ) async throws -> MPRISPlayer {
        let found = try await players.wait(atMost: .seconds(60)) { $0.first { $0.isResponding && holds($0) } }
        guard let found else { throw BenchError("\(what) was not seen; there are \(await players.players())") }
        return found
    }

    /// Waits for a number of observations, and returns them.
    func observations(_ count: Int) async throws -> [MediaObservation] {
        try await withDeadline(.seconds(60), "\(count) observations, instead of \(seen.state)") {
            try await seen.wait { $0.count >= count ? $0 : nil }
        }
    }
}

/// Follows the players on a bus while `body` runs.
nonisolated(nonsending) func withFollowedPlayers<Value>(
    on bus: PrivateBus, deadlines: MediaDeadlines = MediaDeadlines(),
    _ body: nonisolated(nonsending) (FollowedPlayers) async throws -> Value
) async throws -> Value {
    try await withConnection(to: bus) { connection in
        let players = MPRISPlayers(on: connection, deadlines: deadlines)
        let seen = Watched<[MediaObservation]>([])
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await observation in players.observations { seen.update { $0.append(observation) } }
            }
            group.addTask {
                do { try await players.run() } catch is CancellationError {}
            }
            defer { group.cancelAll() }
            return try await body(FollowedPlayers(players: players, seen: seen, bus: connection))
        }
    }
}
