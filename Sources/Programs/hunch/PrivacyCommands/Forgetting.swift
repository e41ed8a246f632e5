internal import PersonalStores
import CommandSupport
import EventLoops
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import Localization
import Popularity
import SearchIndexes

/// Forgets through the agent if it runs. Otherwise forgets in the history itself, and keeps agents from opening it
/// meanwhile.
struct Forgetting {
    let environment: [String: String]
    /// The number of attempts to reach an agent that uses the history and does not answer on this bus yet.
    private static let attempts = 100

    /// Forgets, and returns the counts by table and cache.
    func run(_ scope: ForgetScope) async throws -> [String: UInt32] {
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        let path = try HistoryStore.defaultPath(environment: environment)
        let agent = try? await HunchAgent(on: loop)
        for _ in 0..<Self.attempts {
            if let agent {
                do {
                    let counts = try await agent.forget(scope)
                    return Dictionary(uniqueKeysWithValues: counts.map { ($0.key.swiftName, $0.value) })
                } catch let error as DBusError where [.serviceUnknown, .nameHasNoOwner].contains(error.name) {
                    // No agent runs on this bus.
                } catch let error as DBusError {
                    throw CommandError(agent: error)
                }
            }
            if let claim = try HistoryClaim.alone(path) {
                defer { extendLifetime(claim) }
                return try await withoutAgent(scope, path)
            }
            try await loop.sleep(for: .milliseconds(100))
        }
        throw CommandError(
            localized("an agent of another session uses the history; run “hunch forget” there, or end that agent"),
            ExitStatus.systemFailure)
    }

    private func withoutAgent(_ scope: ForgetScope, _ path: String) async throws -> [String: UInt32] {
        let (counts, failure) = await stores(path).forget(scope)
        if let failure {
            throw CommandError(failure.message { CommandError($0).message ?? "\($0)" }, ExitStatus.systemFailure)
        }
        return Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
    }

    /// The stores of the agent while no agent runs, derived copies first. `FeatureDataTests` compares them with the agent's.
    ///
    /// - Parameter path: the path of the history.
    func stores(_ path: String) -> [any PersonalStore] {
        let directories = BaseDirectories(environment: environment)
        let history = UnusedHistory(path: path)
        let stores: [(any PersonalStore)?] = [
            directories.cacheHome.map { CachedCopies(cacheHome: $0) },
            UnusedIndex(environment: environment, history: history), UnusedReports(directories: directories), history,
        ]
        return stores.compactMap(\.self)
    }
}

/// The history that no agent uses. It is not created if nothing was ever recorded.
private struct UnusedHistory: PersonalStore {
    let path: String
    let title = "history"
    let role = PersonalStoreRole.history

    func named(with reason: String) -> String { localized("the history (%1)", reason) }

    func forget(_ scope: ForgetScope) throws -> [ForgetCount: UInt32] {
        var receipt = ForgetReceipt()
        let exists = try exists
        if exists {
            let opening = try HistoryStore.open(at: path, now: Date())
            receipt = try opening.store.forget(scope)
            try opening.store.close()
        }
        return receipt.transfer.merging(exists ? [:] : [.unfinished: 0]) { $1 }
    }

    /// Returns the content in a scope.
    func contents(in scope: ForgetScope) throws -> [AppID: Set<String>] {
        guard scope.isToldByHistory, try exists else { return [:] }
        // Not for reading only, since that refuses a history of an older version.
        let store = try HistoryStore.open(at: path, now: Date()).store
        defer { try? store.close() }
        return try store.contents(in: scope)
    }

    /// Whether there is a history, or one that was set aside.
    private var exists: Bool {
        get throws {
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
            return try FileManager.default.contentsOfDirectory(atPath: folder).contains {
                $0.hasPrefix("history.sqlite") && !$0.hasSuffix(".use") && !$0.hasSuffix(".lock")
            }
        }
    }
}

/// The search index that no agent uses. It is not created if there is none.
private struct UnusedIndex: PersonalStore {
    let environment: [String: String]
    let history: UnusedHistory
    let title = "search index"
    let role = PersonalStoreRole.copy

    func named(with reason: String) -> String { localized("the search index (%1)", reason) }

    func forget(_ scope: ForgetScope) throws -> [ForgetCount: UInt32] {
        let path = try IndexStore.defaultPath(environment: environment)
        var setAside: UInt32 = IndexStore.removeAside(at: path) ? 1 : 0
        guard IndexStore.exists(at: path) else { return [.setAsideFiles: setAside] }
        var items = 0
        do {
            items = try forget(scope, at: path)
        } catch let error as IndexError where error.code == .unreadable {
            // Its content cannot be searched, and apps index it again.
            try IndexStore.setAside(at: path)
            if IndexStore.removeAside(at: path) { setAside += 1 }
        }
        return [.items: UInt32(clamping: items), .setAsideFiles: setAside]
    }

    func export(_ write: @Sendable (_ lines: [String]) async -> Bool) async throws {
        guard let store = try IndexAccess.reader() else { return }
        defer { store.close() }
        var cursor = IndexExportCursor()
        while let page = try store.exportPage(&cursor), await write(page) {}
    }

    private func forget(_ scope: ForgetScope, at path: String) throws -> Int {
        let store = try IndexStore.open(
            at: path, language: IndexStore.language(environment: environment), isFixed: true)
        defer { store.close() }
        return try store.forget(scope, contents: history.contents(in: scope))
    }
}

/// The reports of popularity that were not sent.
private struct UnusedReports: PersonalStore {
    let directories: BaseDirectories
    let title = "reports of popularity"

    func named(with reason: String) -> String { localized("the reports of popularity (%1)", reason) }

    func forget(_ scope: ForgetScope) throws -> [ForgetCount: UInt32] {
        try PopularityLedger.change(directories) { $0.removePending() }
        return [:]
    }
}
