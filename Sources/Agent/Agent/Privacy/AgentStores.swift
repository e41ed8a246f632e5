package import History
package import HunchModel
package import Learning
internal import Localization

// The stores of the agent, for forgetting.

extension HistoryKeeper: PersonalStore {
    package var title: String { "history" }
    package func named(with reason: String) -> String { localized("the history (%1)", reason) }
    package var role: PersonalStoreRole { .history }

    package func forget(_ scope: ForgetScope) async throws -> [String: UInt32] {
        try await use { store, _ in try store.forget(scope).transfer }
    }
}

/// The cache, except for the pictures of suggestions that stay.
struct UnshownCopies: PersonalStore, EnvironmentUser {
    package let environment: AgentEnvironment
    package let desk: SuggestionDesk

    package var title: String { "cache" }
    package func named(with reason: String) -> String { localized("the cache (%1)", reason) }

    package func forget(_ scope: ForgetScope) async throws -> [String: UInt32] {
        guard let copies = configuration.directories.cacheHome.map({ CachedCopies(cacheHome: $0) }) else { return [:] }
        // The URIs of shown artwork are compared by file name. A folder's name may be percent-encoded in them, while the
        // names of the cached files never are.
        let shown = await desk.shownArtwork.compactMap { $0.split(separator: "/").last }
        let kept = Set(shown.map { "\(copies.artworkFolder)/\($0)" })
        return try await history.blocking { try copies.removeAll(keeping: kept).transfer }
    }
}
