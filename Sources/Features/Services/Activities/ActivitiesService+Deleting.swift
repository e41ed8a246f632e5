internal import SearchServices
internal import Agent
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
        let deleted = try await history.use { store, _ in
            var deleted = [try store.delete(.identifiers(identifiers), of: application)]
            switch selection {
            case .identifiers: break
            case .groups: deleted.append(try store.delete(selection, of: application))
            // Without a place, the kind alone identifies what an activity left.
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
            $0.application == application && $0.names.isMeant(by: selection)
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

    /// Removes the activities and places in a selection, with all that are related to them, from the screen and the search
    /// index, but not what was recorded. Also returns the identifiers of the content, those of the selection included.
    func takeBack(
        _ selection: DonationSelection, of application: AppID
    ) async throws -> (count: UInt32, identifiers: [String]) {
        let shown = (policy.table.all + finishing.values).filter { $0.application == application }
        let identifiers = try await history.use { store, _ in
            try store.contentNames(of: application, in: selection, with: shown.map(\.names)).identifiers(in: selection)
        }
        var selections = [DonationSelection.identifiers(identifiers)]
        switch selection {
        case .identifiers: break
        case .groups, .all: selections.append(selection)
        }
        let isMeant: @Sendable (LiveActivity) -> Bool = { [selections] life in
            life.application == application && selections.contains(where: life.names.isMeant)
        }
        let own = policy.table.all.count(where: isMeant)
        stopFinishing(where: isMeant)
        await carryOut(policy.end(where: isMeant))
        let indexed = try await searchIndex.delete(selections, of: application)
        let places = try await history.use { [selections] store, _ in
            try selections.reduce(0) { try $0 + store.deleteSeenPlaces($1, of: application) }
        }
        return (UInt32(clamping: own + places), Set(identifiers).union(indexed).sorted())
    }
}
