internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import AgentInterface
internal import Suggestions

/// Suggestions that a caller requested: answers, which no limit holds.
extension SuggestionDesk {
    /// Exports requested suggestions on the bus, best first.
    ///
    /// - Parameters:
    ///   - stranger: the caller, if it may not see what apps do. It still sees these suggestions.
    ///   - requester: the caller's key, see ``CallerPermission/requester``.
    func offerDirections(
        _ routes: [RequestedRoute], to stranger: BusName?, for requester: String
    ) async throws -> [ObjectPath] {
        let now = configuration.now()
        let end = now.addingTimeInterval(configuration.offerTime / .seconds(1))
        let suggestions = routes.map { $0.suggestion(makeIdentifier(), until: end) }
        setDonations(Dictionary(zip(suggestions.map(\.id), routes.map(\.donation))) { first, _ in first })
        return try await present(suggestions, to: stranger, for: requester)
    }

    /// Exports suggestions of what is likely now, best first. They replace those of the last request with the same key.
    func presentLikely(
        _ suggestions: [Suggestion], for requester: String, replacing key: String,
        performing performance: @escaping Performance
    ) async throws -> [ObjectPath] {
        let former = likely[key] ?? []
        await withdraw(because: "a newer request replaced it") { former.contains($0.id) }
        likely = likely.filter { !$0.value.allSatisfy { board.life(of: $0) == nil } }
        likely[key] = suggestions.map(\.id)
        for suggestion in suggestions { performers[suggestion.id] = performance }
        return try await present(suggestions, to: nil, for: requester)
    }
}
