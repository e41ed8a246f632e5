internal import PersonalStores
internal import Agent
internal import FoundationEssentials
internal import History
internal import HunchModel
internal import Learning
internal import Localization
internal import SearchIndexes

// The stores of the search, for forgetting.

extension IndexService: PersonalStore {
    nonisolated var title: String { "search index" }
    nonisolated func named(with reason: String) -> String { localized("the search index (%1)", reason) }
    nonisolated var role: PersonalStoreRole { .copy }

    func forget(_ scope: ForgetScope) async throws -> [ForgetCount: UInt32] {
        var setAside: UInt32 = try await keeper.removeAside() ? 1 : 0
        let contents =
            scope.isToldByHistory ? try await history.use { store, _ in try store.contents(in: scope) } : [:]
        let items = try await keeper.useIfPresent { try $0.forget(scope, contents: contents) } ?? 0
        // The file may have been found to be damaged just now.
        if try await keeper.removeAside() { setAside += 1 }
        return [.items: UInt32(clamping: items), .setAsideFiles: setAside]
    }

    /// Removes items that have expired, activities that the history would no longer keep, and the bytes of forgotten items if
    /// that failed before.
    func removeExpired(retentionDays: Int, now: Date) async throws {
        defer { scheduleQuiet() }
        _ = try await keeper.useIfPresent { store in
            try store.removeExpired(now: now)
            try store.limitActivities(days: retentionDays, now: now)
            try store.scrubIfPending()
        }
    }

    func export(_ write: @Sendable (_ lines: [String]) async -> Bool) async throws {
        var cursor = IndexExportCursor()
        while true {
            let before = cursor
            let page = try await keeper.search { store in
                var next = before
                return (try store.exportPage(&next), next)
            }
            guard let (lines, next) = page, let lines, await write(lines) else { return }
            cursor = next
        }
    }
}

extension PopularityExchange: PersonalStore {
    nonisolated var title: String { "reports of popularity" }
    nonisolated func named(with reason: String) -> String { localized("the reports of popularity (%1)", reason) }

    func forget(_ scope: ForgetScope) async throws -> [ForgetCount: UInt32] {
        try await forget()
        return [:]
    }
}
