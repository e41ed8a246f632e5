internal import DesktopFiles
internal import Agent
internal import Apps
internal import AgentInterface
internal import Directions
internal import FoundationEssentials
internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Localization
internal import Learning

/// Records and deletes the donations of apps and scripts.
actor DonationsService: Feature {
    static let name = "donations"

    static let itemsPerCall = 1_000
    /// The cost of a deletion in donations, since the remaining history is learned again.
    static let deletionCost = 100
    /// The maximum size of text in one call, in bytes.
    static let bytesPerCall = 8 << 20

    let environment: AgentEnvironment
    private let desk: SuggestionDesk
    private let activities: ActivitiesService
    private var rates = CallerRates(burst: 50_000, perSecond: 500)
    private var shares: DonorShares

    init(_ environment: AgentEnvironment, desk: SuggestionDesk, activities: ActivitiesService) {
        self.environment = environment
        shares = DonorShares(limit: environment.configuration.donorShare)
        self.desk = desk
        self.activities = activities
    }

    nonisolated func interfaces() -> [ObjectPath: [ExportedInterface]] { [HunchNames.root: [interface]] }

    private nonisolated var interface: ExportedInterface {
        ExportedInterface(
            evolving: HunchNames.donations,
            [
                .method("Donate", arguments: ["items"], results: ["results"]) {
                    [self] (call, items: [VariantMap]) async throws -> [DonationResult] in
                    try await donate(items, by: callers.permission(of: call))
                },
                .method("SetUpcoming", arguments: ["items"]) {
                    [self] (call, items: [VariantMap]) async throws -> Void in
                    try await announce(items, in: .upcoming, of: callers.application(of: call))
                },
                .method("SetRelevant", arguments: ["items"]) {
                    [self] (call, items: [VariantMap]) async throws -> Void in
                    try await announce(items, in: .relevant, of: callers.application(of: call))
                },
                .method("DeleteOf", arguments: ["app", "selection"], results: ["deleted"]) {
                    [self] (call, application: AppID, selection: VariantMap) async throws -> UInt32 in
                    try await delete(selection, of: application, by: callers.permission(of: call))
                },
                .method("SetScript", arguments: ["name", "allowed"], results: ["changed"]) {
                    [self] (call, name: String, allowed: Bool) async throws -> Bool in
                    try await callers.permission(of: call).mustBePerson("allow a script to donate")
                    return try await history.use { store, now in
                        try store.setScript(name, isAllowed: allowed, now: now)
                    }
                },
                .method("Scripts", results: ["names"]) { [self] call async throws -> [String] in
                    try await callers.permission(of: call).mayReadEverything()
                    return try await history.use { store, _ in try store.allowedScripts() }
                },
            ]
                + ExportedMember.deletion(
                    callers,
                    scriptCommand: { what in
                        switch what {
                        case "GROUP"?: "hunch donate --as script:NAME --delete-group GROUP"
                        case let name?: "hunch donate --as script:NAME --delete \(name)"
                        case nil: "hunch forget --app script:NAME"
                        }
                    }
                ) { [self] in try await delete($0, of: $1) })
    }

    func handle(_ event: CoreEvent) {
        // The stored amounts are counted again when needed.
        if case .recordsChanged = event { shares.forgetAll() }
    }

    // MARK: Donating

    /// Records a batch.
    ///
    /// - Throws: ``DBusError`` `…LimitsExceeded`; `HistoryError` if nothing could be stored.
    func donate(_ items: [VariantMap], by permission: CallerPermission) async throws -> [DonationResult] {
        guard items.count <= Self.itemsPerCall else {
            throw DBusError(.limitsExceeded, "\(items.count) items in one call; the limit is \(Self.itemsPerCall)")
        }
        let size = items.reduce(0) { $0 + $1.textSize }
        guard size <= Self.bytesPerCall else {
            throw DBusError(
                .limitsExceeded,
                "\(size) bytes of text in one call; the limit is \(Self.bytesPerCall); donate fewer at once")
        }
        let now = configuration.now()
        let scripts = try await history.use { store, _ in Set(try store.allowedScripts()) }
        if permission != .person {
            let callers = items.map { permission.measured($0, scripts: scripts) }
            for (caller, items) in Dictionary(grouping: callers, by: \.self) { try charge(items.count, to: caller) }
        }
        var results = [DonationResult](repeating: .accepted, count: items.count)
        var accepted: [(place: Int, donation: Donation)] = []
        for (place, item) in items.enumerated() {
            do {
                try Donation.checkKeys(of: item)
                let application = try permission.donor(
                    try item.text("app").map { AppID(entryName: $0) }, scripts: scripts)
                try DonorRefusal.checkInitiator(of: item)
                let donation = try Donation(transfer: item, application: application, now: now).withLocalTime
                if permission != .person { try donation.checkIsOwn() }
                accepted.append((place, donation))
            } catch {
                results[place] = Self.refusal(error)
            }
        }
        try await combine(&accepted, &results)
        try await keepWithinShares(&accepted, &results)
        let told = accepted.map(\.donation)
        guard !told.isEmpty else { return results }
        defer { shares.finish(told) }
        let donations = permission == .person ? told : await present.completed(told)
        let outcomes: [RecordOutcome]
        do {
            outcomes = try await habits.record(donations)
        } catch {
            // It is unknown how many of them were stored.
            for donation in donations { shares.forget(donation.application) }
            throw error
        }
        var done: [Donation] = []
        for ((place, donation), outcome) in zip(zip(accepted.map(\.place), donations), outcomes) {
            if let refusal = outcome.refusal {
                results[place] = refusal
                shares.forget(donation.application)
            } else {
                done.append(donation)
            }
        }
        await desk.withdrawOffers(of: done)
        return results
    }

    private func charge(_ count: Int, to caller: String) throws(DBusError) {
        guard rates.take(max(count, 1), of: caller, at: configuration.now()) else {
            throw DBusError(.limitsExceeded, "too much in a short time; wait a moment and try again")
        }
    }

    /// Determines the identifying parameters of each donation, and rejects donations without any.
    private func combine(
        _ accepted: inout [(place: Int, donation: Donation)], _ results: inout [DonationResult]
    ) async throws {
        let donors = Set(
            accepted.map(\.donation).filter {
                $0.combination == nil && KindDeclaration.standard[$0.kind] == nil
            }.map(\.application))
        // Desktop entries are read only for kinds that are not standard.
        let entries =
            donors.isEmpty
            ? [:]
            : try await installed.read { installed in
                Dictionary(uniqueKeysWithValues: donors.compactMap { id in installed.entry(id).map { (id, $0) } })
            }
        var kept: [(place: Int, donation: Donation)] = []
        kept.reserveCapacity(accepted.count)
        for (place, var donation) in accepted {
            // An imported donation was checked before. The app that declared its kind may be gone.
            if donation.combination != nil {
                kept.append((place, donation))
                continue
            }
            do throws(KindError) {
                let kind = try Self.kind(donation.kind, entry: entries[donation.application])
                donation.combination = try kind.combination(of: donation.parameters, at: donation.date)
                kept.append((place, donation))
            } catch {
                results[place] = Self.refusal(error)
            }
        }
        accepted = kept
    }

    private static func kind(_ kind: Donation.Kind, entry: DesktopEntry?) throws(KindError) -> KindDeclaration {
        // Hunch itself sees which apps are launched.
        if kind != .openApp, let declared = try KindDeclaration(kind, of: entry) { return declared }
        throw KindError(
            .unknownKind,
            localized(
                "the kind “%1” is neither a standard one nor declared in the app's desktop entry",
                kind.rawValue.cut(to: 64)))
    }

    /// Rejects donations beyond an app's share and counts the rest at once, before they are stored.
    private func keepWithinShares(
        _ accepted: inout [(place: Int, donation: Donation)], _ results: inout [DonationResult]
    ) async throws {
        let donations = accepted.map(\.donation)
        var applications = shares.uncertain(for: donations)
        while !applications.isEmpty {
            for application in applications {
                var share: DonorShare
                var before: Int
                repeat {
                    before = shares.finished
                    share = try await history.use { store, _ in try store.share(of: application) }
                } while shares.finished != before
                shares.count(share, of: application)
            }
            // A refusal or a deletion may have discarded an amount while the next one was read.
            applications = shares.uncounted(for: donations)
        }
        accepted.removeAll { place, donation in
            guard !shares.admit(donation) else { return false }
            results[place] = .rejected(
                "tooMuch",
                "\(donation.application) has as much as is kept of one app, \(shares.limit.donations) donations or "
                    + "\(shares.limit.bytes) bytes; delete some")
            return true
        }
    }

    private static func refusal(_ error: any Error) -> DonationResult {
        switch error {
        case let error as KindError: .rejected(error.code.rawValue, error.message)
        case let error as DonorRefusal: .rejected(error.code, error.message)
        case let error as DBusError: .rejected("invalidInput", error.message)
        default: .rejected("invalidInput", "\(error)")
        }
    }

    // MARK: Deleting

    /// Removes donations of an app, the suggestions based on them, and what was learned from them.
    func delete(_ selection: DonationSelection, of application: AppID) async throws -> UInt32 {
        try charge(Self.deletionCost, to: application.rawValue)
        return try await remove(selection, of: application)
    }

    /// Removes donations of a script that the user allowed, or of any app if the user asks, with the keys of
    /// `org.hunch.Donations1.DeleteOf`.
    func delete(_ map: VariantMap, of application: AppID, by permission: CallerPermission) async throws -> UInt32 {
        try map.checkKeys("ids", "groups")
        let scripts = try await history.use { store, _ in Set(try store.allowedScripts()) }
        let donor: AppID
        do throws(DonorRefusal) {
            donor = try permission.donor(AppID(entryName: application.rawValue), scripts: scripts)
        } catch {
            throw error.code == "invalidInput"
                ? DBusError(.invalidInput, error.message)
                : DBusError(
                    .accessDenied,
                    "this program may not take back what \(application.rawValue.cut(to: 255)) donated; use “hunch donate --as”"
                )
        }
        let identifiers = try map.value("ids", as: [String].self) ?? []
        let groups = try map.value("groups", as: [String].self) ?? []
        let limit = ExportedMember.selectionLimit
        guard (1...limit).contains(identifiers.count + groups.count) else {
            throw DBusError(.invalidInput, "“ids” and “groups” are together 1 to \(limit) names")
        }
        if permission != .person { try charge(Self.deletionCost, to: donor.rawValue) }
        var deleted: UInt32 = 0
        if !identifiers.isEmpty { deleted += try await remove(.identifiers(identifiers), of: donor) }
        if !groups.isEmpty { deleted += try await remove(.groups(groups), of: donor) }
        return deleted
    }

    private func remove(_ selection: DonationSelection, of application: AppID) async throws -> UInt32 {
        // Activities about the same content are removed as well, with all donations about it. They come first: if one
        // of their stores fails, the donations still show what belongs together.
        let content = selection == .all ? [] : try await activities.takeBack(selection, of: application).identifiers
        let deleted = try await history.use { store, now in
            if selection == .all {
                for list in Announcement.List.allCases {
                    try store.announce([], in: list, of: application, now: now)
                }
            }
            return try [selection, .identifiers(content)].map { try store.delete($0, of: application) }
        }
        shares.forget(application)
        let count = deleted.reduce(0) { $0 + $1.count }
        guard count > 0 || selection == .all else { return 0 }
        await desk.withdraw(because: "the app took it back") { suggestion in
            if let origin = suggestion.origin {
                return origin.application == application
                    && (selection == .all || deleted.contains { $0.holds(origin) })
            }
            guard suggestion.application == application else { return false }
            guard selection != .all, case .play(let item, _, _) = suggestion.action else { return true }
            return deleted.contains { $0.items.contains(item) }
        }
        await habits.learn()
        return UInt32(clamping: count)
    }

    // MARK: Announcing

    func announce(_ items: [VariantMap], in list: Announcement.List, of application: AppID) async throws {
        guard items.count <= HistoryLimits.announcements else {
            throw DBusError(.invalidInput, "\(items.count) items; the limit is \(HistoryLimits.announcements)")
        }
        try charge(items.count, to: application.rawValue)
        let announced = try items.map { item in
            try Announcement.checkKeys(of: item, in: list)
            return try Announcement(transfer: item)
        }
        try await check(announced, of: application)
        await history.privacyGate.pass()
        let (outcome, former) = try await history.use { store, now in
            let former = try store.announcements(in: list)[application] ?? []
            return (try store.announce(announced, in: list, of: application, now: now), former)
        }
        if let obstacle = outcome.obstacle { throw DBusError(.disabled, obstacle) }
        if let refusal = outcome.refusal { throw DBusError(.invalidInput, refusal.message) }
        let gone = Set(former.map(\.item)).subtracting(announced.map(\.item))
        await desk.withdraw(because: "the app took it back") { suggestion in
            guard suggestion.application == application else { return false }
            return switch suggestion.action {
            case .play(let item, _, _): gone.contains(item)
            case .open(let donation): donation.identifier.map(gone.contains) ?? false
            default: false
            }
        }
    }

    /// Checks the actions of announcements.
    ///
    /// - Throws: ``DBusError`` `InvalidInput` for an unknown kind, and for parameters that do not fit it.
    private func check(_ items: [Announcement], of application: AppID) async throws {
        let actions = items.filter { !$0.isMedia }
        guard !actions.isEmpty else { return }
        let entry = try await installed.read { $0.entry(application) }
        for action in actions {
            guard let kind = action.kind else { continue }
            do throws(KindError) {
                _ = try Self.kind(kind, entry: entry).combination(
                    of: action.parameters ?? [:], at: configuration.now())
            } catch {
                throw DBusError(.invalidInput, error.message)
            }
        }
    }
}

extension RecordOutcome {
    /// The result of an item that was not recorded; `nil` if it was.
    fileprivate var refusal: DonationResult? {
        let obstacle = obstacle ?? ""
        return switch self {
        case .recorded: nil
        case .notEnabled: .rejected("notEnabled", obstacle)
        case .paused: .rejected("paused", obstacle)
        case .withheld: .rejected("withheld", obstacle)
        case .refused(let error):
            .rejected(error.code == .tooOld ? error.code.rawValue : "invalidInput", error.message)
        }
    }
}
