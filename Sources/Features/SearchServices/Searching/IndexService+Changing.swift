internal import Agent
internal import Activities
internal import AgentInterface
package import History
internal import HunchDBus
package import HunchModel
internal import Learning
internal import SearchIndexes

/// Changes of the index: by apps, and of their activities.
extension IndexService {
    /// The most indexes of one app.
    private static let indexLimit = 32
    /// The most items in one change, and of one app.
    private static let itemLimit = 10_000
    private static let itemLimitOfApp = 1_000_000
    /// The most activities of one app. The oldest are deleted.
    private static let activityLimit = 1_000
    private static let domainLimit = 1_000

    /// Carries out changes of an app's index. Returns the number of deleted items, and the identifiers of the content
    /// that the app deleted. Deleting all items does not count, because apps index again that way.
    func change(
        _ index: String, _ map: VariantMap, of application: AppID
    ) async throws -> (result: VariantMap, contents: [String]) {
        let source = IndexSource(application: application, name: index)
        try source.check()
        let changes = try Self.changes(map)
        let state = try map.value("state", as: [UInt8].self)
        guard rates.take(1, of: application.rawValue, at: configuration.now()) else {
            throw DBusError(.limitsExceeded, "too many changes in a short time; send more items in one change")
        }
        let added = changes.count { if case .add = $0 { true } else { false } }
        let isKeeping = added > 0 || state != nil
        if isKeeping { try await history.checkKept(application) }
        guard index != IndexSource.activities else {
            throw DBusError(.invalidInput, "“\(index)” has the activities of the app; use another name")
        }
        let now = configuration.now()
        // The app's own items take the place of its activities about the same content.
        let replaced = changes.flatMap { change -> [String] in
            switch change {
            case .add(let item): [item.id]
            case .delete(let identifiers): identifiers
            case .deleteDomain, .deleteAll: []
            }
        }
        defer { scheduleQuiet() }
        let domains = changes.compactMap { if case .deleteDomain(let domain) = $0 { domain } else { nil } }
        let write: @Sendable (IndexStore) throws -> (Int, [String]) = { store in
            let own = try store.names(of: application)
            if !own.contains(index) {
                // Deleting creates nothing.
                guard isKeeping else { return (0, []) }
                guard own.count < Self.indexLimit else {
                    throw DBusError(
                        .limitsExceeded, "the app has \(own.count) indexes already; use one of them instead")
                }
            }
            let inDomains = domains.isEmpty ? [] : try store.identifiers(in: source, domains: domains)
            if added > 0 { try Self.checkRoom(for: added, of: application, in: store) }
            let deleted = try store.write(changes, to: source, state: state, now: now)
            let activities = IndexSource(application: application, name: IndexSource.activities)
            if own.contains(activities.name), !replaced.isEmpty {
                try store.write([.delete(replaced)], to: activities, now: now)
            }
            return (deleted, inDomains)
        }
        let (deleted, inDomains) =
            isKeeping ? try await keeper.use(write) : try await keeper.useIfPresent(write) ?? (0, [])
        var contents = Set(inDomains)
        for change in changes { if case .delete(let identifiers) = change { contents.formUnion(identifiers) } }
        for change in changes { if case .add(let item) = change { contents.remove(item.id) } }
        let expired = changes.count { if case .add(let item) = $0, let end = item.expiry { end <= now } else { false } }
        let result: VariantMap = [
            "deleted": .uint32(UInt32(clamping: deleted)), "expired": .uint32(UInt32(clamping: expired)),
        ]
        return (result, contents.sorted())
    }

    /// Checks that an app may add items. Items that it replaces or deletes in the same change count, too.
    private static func checkRoom(for added: Int, of application: AppID, in store: IndexStore) throws {
        guard try store.itemCount(of: application) + added <= itemLimitOfApp else {
            throw DBusError(
                .limitsExceeded, "the app would have more than \(itemLimitOfApp) items; delete old ones first")
        }
    }

    /// Adds the content of an activity, unless the app indexed the same content itself.
    ///
    /// - Parameter related: another identifier of the content.
    package func keep(_ item: SearchableItem, of application: AppID, related: String?) async throws {
        let source = IndexSource(application: application, name: IndexSource.activities)
        let now = configuration.now()
        defer { scheduleQuiet() }
        try await keeper.use { store in
            guard try !store.hasItem([item.id] + [related].compactMap(\.self), besides: source) else { return }
            try store.write([.add(item)], to: source, now: now)
            try store.trim(source, to: Self.activityLimit)
        }
    }

    /// Deletes items that were activities of an app. Returns the identifiers of the items that it selects by group, or
    /// of all.
    package func delete(_ selections: [DonationSelection], of application: AppID) async throws -> [String] {
        defer { scheduleQuiet() }
        let source = IndexSource(application: application, name: IndexSource.activities)
        let changes = selections.flatMap { selection -> [IndexChange] in
            switch selection {
            case .identifiers(let identifiers): [.delete(identifiers)]
            case .groups(let groups): groups.map { .deleteDomain(LiveActivity.searchDomain(ofGroup: $0)) }
            case .all: []
            }
        }
        let domains = changes.compactMap { if case .deleteDomain(let domain) = $0 { domain } else { nil } }
        let isAll = selections.contains(.all)
        let now = configuration.now()
        return try await keeper.useIfPresent { store in
            guard try store.names(of: application).contains(source.name) else { return [] }
            let identifiers = try store.identifiers(in: source, domains: isAll ? nil : domains)
            if isAll {
                // Unlike an app's own items, activities are not indexed again, so their typed words go as well.
                _ = try store.remove(source, isScrubbed: false)
            } else {
                try store.write(changes, to: source, now: now)
            }
            return identifiers
        } ?? []
    }

    private static func changes(_ map: VariantMap) throws(DBusError) -> [IndexChange] {
        try map.checkKeys("delete-all", "delete-domains", "delete", "add", "state")
        var changes: [IndexChange] = []
        if try map.value("delete-all", as: Bool.self) == true { changes.append(.deleteAll) }
        let domains = try map.value("delete-domains", as: [String].self) ?? []
        try check(domains.count, domainLimit, "delete-domains")
        changes += domains.map { .deleteDomain($0) }
        let identifiers = try map.value("delete", as: [String].self) ?? []
        try check(identifiers.count, itemLimit, "delete")
        if !identifiers.isEmpty { changes.append(.delete(identifiers)) }
        let items = try map.value("add", as: [VariantMap].self) ?? []
        try check(items.count, itemLimit, "add")
        for item in items { changes.append(.add(try SearchableItem(transfer: item))) }
        return changes
    }

    private static func check(_ count: Int, _ limit: Int, _ key: String) throws(DBusError) {
        guard count <= limit else {
            throw DBusError(.limitsExceeded, "“\(key)” has \(count) entries; the limit is \(limit) in one call")
        }
    }

    /// Returns the client state of an app's index; empty if there is none.
    func state(of index: String, of application: AppID) async throws -> [UInt8] {
        let source = IndexSource(application: application, name: index)
        return try await keeper.useIfPresent { try $0.state(of: source) ?? [] } ?? []
    }
}
