internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import PersonalStores
internal import Suggestions

extension PrivacyService {
    /// Returns the interface of privacy.
    package nonisolated var interface: ExportedInterface {
        ExportedInterface(
            evolving: HunchNames.privacy,
            [
                .method("Pause", arguments: ["until"]) { [self] (call, until: UInt64) async throws -> Void in
                    try await callers.permission(of: call).mayDecide()
                    try VariantMap.checkUnit(of: until, "until")
                    try await watch.pause(until: Self.date(until))
                },
                .method("Resume") { [self] call async throws -> Void in
                    try await callers.permission(of: call).mayDecide()
                    try await watch.resume()
                },
                .method("Forget", arguments: ["what"], results: ["receipt"]) {
                    [self] (call, scope: ForgetScope) async throws -> [String: UInt32] in
                    try await callers.permission(of: call).mayForget(application: scope.onlyApplication)
                    let counts = try await forget(scope)
                    return Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue.busKey, $0.value) })
                },
                .method("Export", results: ["lines"]) { [self] call async throws -> UnixDescriptor in
                    try await checkReader(call)
                    return try await export()
                },
                .method("Import", arguments: ["lines"], results: ["receipt"]) {
                    [self] (call, lines: UnixDescriptor) async throws -> [String: UInt32] in
                    try await callers.permission(of: call).mustBePerson("import an export")
                    return try await importHistory(lines)
                },
                .method("Exclude", arguments: ["app"], results: ["changed"]) {
                    [self] (call, application: AppID) async throws -> Bool in
                    try await callers.permission(of: call).mayDecide()
                    return try await exclude(application)
                },
                .method("Include", arguments: ["app"], results: ["changed"]) {
                    [self] (call, application: AppID) async throws -> Bool in
                    try await callers.permission(of: call).mayDecide()
                    return try await history.use { store, _ in try store.include(application) }
                },
                .method("Exclusions", results: ["apps"]) { [self] call async throws -> [AppID] in
                    try await checkReader(call)
                    return try await history.use { store, _ in try store.exclusions().sorted() }
                },
                .method("Muted", results: ["pairs"]) { [self] call async throws -> [SuggestionPair] in
                    try await checkReader(call)
                    let limits = SuggestionLimits()
                    return try await history.use { store, now in
                        try store.mutedPairs().filter { limits.isMuted(since: $0.date, at: now) }.map(\.pair)
                    }
                },
                .method("Unmute", arguments: ["pair"], results: ["changed"]) {
                    [self] (call, pair: VariantMap) async throws -> Bool in
                    try await callers.permission(of: call).mayDecide()
                    try SuggestionPair.checkKeys(of: pair)
                    return try await desk.unmute(SuggestionPair(transfer: pair))
                },
                .method("SetReader", arguments: ["app", "allowed"], results: ["changed"]) {
                    [self] (call, application: AppID, isAllowed: Bool) async throws -> Bool in
                    try await callers.permission(of: call).mustBePerson("allow an app to read what others did")
                    return try await history.use { store, _ in
                        try store.setReader(application, isAllowed: isAllowed)
                    }
                },
                .method("SetPlaceAccess", arguments: ["app", "allowed"], results: ["changed"]) {
                    [self] (call, application: AppID, isAllowed: Bool) async throws -> Bool in
                    try await callers.permission(of: call).mustBePerson("allow an app to read places")
                    return try await history.use { store, _ in
                        try store.setPlaceAccess(application, isAllowed: isAllowed)
                    }
                },
                .method("PlaceAccess", results: ["allowed"]) { [self] call async throws -> [String: Bool] in
                    try await checkReader(call)
                    let access = try await history.use { store, _ in try store.placeAccess() }
                    return Dictionary(access.map { ($0.key.rawValue, $0.value) }) { first, _ in first }
                },
                .method("Readers", results: ["apps"]) { [self] call async throws -> [AppID] in
                    try await checkReader(call)
                    return try await history.use { store, _ in try store.readers().sorted() }
                },
                .method("SetCategory", arguments: ["category", "recorded"]) {
                    [self] (call, category: String, isRecorded: Bool) async throws -> Void in
                    try await callers.permission(of: call).mayDecide()
                    try await setCategory(category, isAllowed: isRecorded)
                },
                .property("Paused") { [self] in try await watch.pausedUntil() != nil },
                .property("PausedUntil") { [self] in try await Self.transfer(watch.pausedUntil()) },
                .property("Withheld") { [self] in history.veto?.rawValue ?? "" },
                .property(
                    "RetentionDays",
                    get: { [self] in UInt32(clamping: try await settings().retentionDays) },
                    set: { [self] (call, days: UInt32) async throws -> Void in
                        try await callers.permission(of: call).mayDecide()
                        try await setRetention(days: days)
                    }),
                .property("Categories") { [self] in
                    let allowed = try await settings().allowedCategories
                    return Dictionary(
                        uniqueKeysWithValues: PrivacyCategory.allCases.map { ($0.rawValue, allowed.contains($0)) })
                },
            ] + UserSetting.allCases.map(property))
    }

    private nonisolated func property(of setting: UserSetting) -> ExportedMember {
        .property(
            setting.property,
            get: { [self] in try await settings().switchedOn.contains(setting) },
            set: { [self] (call, isOn: Bool) async throws -> Void in
                try await callers.permission(of: call).mayDecide()
                try await set(setting, isOn: isOn)
            })
    }

    private nonisolated func checkReader(_ call: IncomingCall) async throws {
        let readers = try await history.use { store, _ in try store.readers() }
        try await callers.permission(of: call).mayReadEverything(readers: readers)
    }

    nonisolated func settings() async throws -> HistorySettings {
        try await history.use { store, _ in try store.settings() }
    }

    /// Converts microseconds since 1970 to a date. 0 and dates beyond the year 9999 mean never.
    private static func date(_ microseconds: UInt64) -> Date {
        microseconds == 0 ? Watch.endless : Date(checkedMicroseconds: microseconds) ?? Watch.endless
    }

    /// Converts a date to microseconds since 1970; 0 for never and for no pause.
    private static func transfer(_ date: Date?) -> UInt64 {
        guard let date, date < Watch.endless else { return 0 }
        return date.microseconds
    }

    /// Completes the agent's status with the values about privacy.
    package func complete(_ status: AgentStatus) async throws -> AgentStatus {
        var status = status
        let until = try await watch.pausedUntil()
        status.isPaused = until != nil
        if let until, until < Watch.endless { status.pausedUntil = Self.transfer(until) }
        status.withheld = history.veto
        return status
    }
}

extension ForgetScope {
    /// The only app in scope; `nil` for several apps.
    var onlyApplication: AppID? { if case .application(let application) = self { application } else { nil } }
}
