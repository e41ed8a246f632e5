internal import Activities
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning

extension ActivitiesService {
    /// Removes an app's activities, the places they showed, what was recorded of them, and the suggestions based on
    /// them.
    ///
    /// - Returns: the number of activities and places.
    func delete(_ selection: DonationSelection, of application: AppID) async throws -> UInt32 {
        let (count, identifiers) = try await takeBack(selection, of: application)
        // The app's other donations stay, except those about the same content.
        let selected: [String]
        switch selection {
        case .identifiers(let given): selected = given + identifiers
        case .groups, .all: selected = identifiers
        }
        let deleted = try await history.use { store, _ in
            var deleted = selected.isEmpty ? [] : [try store.delete(.identifiers(selected), of: application)]
            switch selection {
            case .identifiers: break
            case .groups: deleted.append(try store.delete(selection, of: application))
            // What an activity without a place left is told by its kind alone.
            case .all: deleted.append(try store.delete(.all, of: application, kind: .openItem))
            }
            return deleted.filter { $0.count > 0 }
        }
        await withdraw(deleted, of: application)
        return count
    }

    /// Removes what was recorded of content that its app deleted from its index, and the suggestions based on it. The
    /// app's activities stay as they are.
    func deleteContents(_ identifiers: [String], of application: AppID) async throws {
        let selection = DonationSelection.identifiers(identifiers)
        let isMeant: @Sendable (LiveActivity) -> Bool = {
            $0.application == application && $0.isMeant(by: selection)
        }
        stopFinishing(where: isMeant)
        await carryOut(policy.withdraw(where: isMeant))
        let deleted = try await history.use { store, _ in
            try store.deleteSeenPlaces(selection, of: application)
            return try store.delete(selection, of: application)
        }
        if deleted.count > 0 { await withdraw([deleted], of: application) }
    }

    /// Withdraws the suggestions based on deleted donations, and discards what was learned from them.
    private func withdraw(_ deleted: [DeletedDonations], of application: AppID) async {
        guard !deleted.isEmpty else { return }
        await desk.withdraw(because: "the app took it back") { suggestion in
            guard let origin = suggestion.origin, origin.application == application else { return false }
            return deleted.contains { $0.holds(origin) }
        }
        await habits.learn()
    }

    /// Removes activities and places, but not what was recorded. Also returns the identifiers of the content.
    @discardableResult
    func takeBack(
        _ selection: DonationSelection, of application: AppID
    ) async throws -> (count: UInt32, identifiers: [String]) {
        let isMeant: @Sendable (LiveActivity) -> Bool = {
            $0.application == application && $0.isMeant(by: selection)
        }
        let own = policy.table.lives.values.filter(isMeant)
        stopFinishing(where: isMeant)
        await carryOut(policy.end(where: isMeant))
        let indexed = try await searchIndex.delete(selection, of: application)
        let places = try await history.use { store, _ in
            let before = try store.seenPlaces(of: application, limit: HistoryLimits.seenPlacesOfApplication)
            let count = try store.deleteSeenPlaces(selection, of: application)
            let after = try store.seenPlaces(of: application, limit: HistoryLimits.seenPlacesOfApplication)
            let gone = Set(before.compactMap(\.content)).subtracting(after.compactMap(\.content))
            return (count: count, contents: gone)
        }
        let identifiers = Set(own.compactMap { $0.activity?.contentIdentifier }).union(places.contents).union(indexed)
        return (UInt32(clamping: own.count + places.count), identifiers.sorted())
    }
}
