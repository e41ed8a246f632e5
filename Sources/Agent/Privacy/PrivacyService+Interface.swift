internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Suggestions

extension PrivacyService {
    /// Returns the interface of privacy.
    nonisolated func interface() -> ExportedInterface {
        ExportedInterface(
            HunchNames.privacy,
            [
                .method("Pause", arguments: ["until"]) { [self] (call, until: UInt64) async throws -> Void in
                    try await standing(call).mayDecide()
                    try await pause(until: Self.date(until))
                },
                .method("Resume") { [self] call async throws -> Void in
                    try await standing(call).mayDecide()
                    try await resume()
                },
                .method("Forget", arguments: ["what"], results: ["receipt"]) {
                    [self] (call, what: VariantMap) async throws -> [String: UInt32] in
                    let scope = try ForgetScope(transfer: what)
                    try await standing(call).mayForget(application: scope.onlyApplication)
                    return try await forget(scope)
                },
                .method("Export", results: ["lines"]) { [self] call async throws -> UnixDescriptor in
                    try await checkReader(call)
                    return try await export()
                },
                .method("Import", arguments: ["lines"], results: ["receipt"]) {
                    [self] (call, lines: UnixDescriptor) async throws -> [String: UInt32] in
                    try await standing(call).mayAlone("read an export back")
                    return try await readBack(lines)
                },
                .method("Exclude", arguments: ["application"], results: ["changed"]) {
                    [self] (call, application: String) async throws -> Bool in
                    try await standing(call).mayDecide()
                    return try await exclude(application)
                },
                .method("Include", arguments: ["application"], results: ["changed"]) {
                    [self] (call, application: String) async throws -> Bool in
                    try await standing(call).mayDecide()
                    return try await history.use { store, _ in try store.include(application) }
                },
                .method("Exclusions", results: ["applications"]) { [self] call async throws -> [String] in
                    try await checkReader(call)
                    return try await history.use { store, _ in try store.exclusions().sorted() }
                },
                .method("Muted", results: ["pairs"]) { [self] call async throws -> [VariantMap] in
                    try await checkReader(call)
                    let limits = SuggestionLimits()
                    return try await history.use { store, now in
                        try store.mutedPairs().filter { limits.isMuted(since: $0.date, at: now) }.map {
                            ["application": .string($0.application), "trigger": .string($0.trigger?.description ?? "")]
                        }
                    }
                },
                .method("Unmute", arguments: ["application", "trigger"], results: ["changed"]) {
                    [self] (call, application: String, trigger: String) async throws -> Bool in
                    try await standing(call).mayDecide()
                    return try await unmute(application, at: trigger.isEmpty ? nil : Trigger(trigger))
                },
                .method("SetReader", arguments: ["application", "allowed"], results: ["changed"]) {
                    [self] (call, application: String, isAllowed: Bool) async throws -> Bool in
                    try await standing(call).mayAlone("allow an app to read what others did")
                    return try await history.use { store, _ in
                        try store.setReader(application, isAllowed: isAllowed)
                    }
                },
                .method("Readers", results: ["applications"]) { [self] call async throws -> [String] in
                    try await checkReader(call)
                    return try await history.use { store, _ in try store.readers().sorted() }
                },
                .method("SetCategory", arguments: ["category", "recorded"]) {
                    [self] (call, category: String, isRecorded: Bool) async throws -> Void in
                    try await standing(call).mayDecide()
                    try await setCategory(category, isAllowed: isRecorded)
                },
                .property("Paused") { [self] in try await pausedUntil() != nil },
                .property("PausedUntil") { [self] in try await Self.transfer(pausedUntil()) },
                .property("Withheld", notice: .none) { [self] in history.withholdingReason ?? "" },
                .property(
                    "RetentionDays",
                    get: { [self] in UInt32(clamping: try await settings().retentionDays) },
                    set: { [self] (call, days: UInt32) async throws -> Void in
                        try await standing(call).mayDecide()
                        try await setRetention(days: days)
                    }),
                .property(
                    "LockScreenTitles",
                    get: { [self] in try await settings().showsTitlesWhenLocked },
                    set: { [self] (call, areShown: Bool) async throws -> Void in
                        try await standing(call).mayDecide()
                        try await setTitlesWhenLocked(areShown)
                    }),
                .property("Categories") { [self] in
                    let allowed = try await settings().allowedCategories
                    return Dictionary(
                        uniqueKeysWithValues: PrivacyCategory.allCases.map { ($0.rawValue, allowed.contains($0)) })
                },
                .property("Version", notice: .constant) { HunchNames.version },
            ])
    }

    private nonisolated func standing(_ call: IncomingCall) async throws -> CallerStanding {
        try await CallerStanding.of(call, configuration)
    }

    private nonisolated func checkReader(_ call: IncomingCall) async throws {
        let readers = try await history.use { store, _ in try store.readers() }
        try await standing(call).mayReadEverything(readers: readers)
    }

    private nonisolated func settings() async throws -> HistorySettings {
        try await history.use { store, _ in try store.settings() }
    }

    /// Microseconds since 1970 as a date; 0, and what lies beyond the year 9999, for never.
    private static func date(_ microseconds: UInt64) -> Date {
        microseconds == 0 ? endless : Date(checkedMicroseconds: microseconds) ?? endless
    }

    /// 0 for never and for no pause.
    private static func transfer(_ date: Date?) -> UInt64 {
        guard let date, date < endless else { return 0 }
        return date.microseconds
    }

    /// The keys of `org.hunch.Agent1.Status` that are about privacy.
    func status() async throws -> VariantMap {
        let until = try await pausedUntil()
        var status: VariantMap = ["paused": .boolean(until != nil)]
        if let until, until < Self.endless { status["paused-until"] = .uint64(Self.transfer(until)) }
        status["withheld"] = history.withholdingReason.map(Value.string)
        return status
    }
}

extension ForgetScope {
    /// The app whose rows alone are meant; `nil` for more than one app's.
    var onlyApplication: String? { if case .application(let application) = self { application } else { nil } }

    /// Reads the argument of `org.hunch.Privacy1.Forget`.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for a value of the wrong type, `InvalidInput` unless there is exactly one
    ///   key of those that are known.
    init(transfer map: VariantMap) throws(DBusError) {
        guard map.count == 1, let key = map.keys.first else {
            throw DBusError(.invalidInput, "say one thing to forget: all, since, application, kind, device or place")
        }
        switch key {
        case "all":
            guard try map.value(key, as: Bool.self) == true else {
                throw DBusError(.invalidInput, "“all” can only be true")
            }
            self = .everything
        case "since":
            self = .since(try map.date(microseconds: key) ?? Date.accepted.lowerBound)
        case "application": self = .application(try Self.text(key, map))
        case "kind": self = .kind(Donation.Kind(rawValue: try Self.text(key, map)))
        case "device": self = .device(try Self.text(key, map))
        case "place": self = .place(try Self.text(key, map))
        default:
            throw DBusError(.invalidInput, "“\(key.cut(to: 40))” cannot be forgotten; see org.hunch.Privacy1.xml")
        }
    }

    private static func text(_ key: String, _ map: VariantMap) throws(DBusError) -> String {
        guard let text = try map.text(key), !text.isEmpty else { throw DBusError(.invalidInput, "“\(key)” is empty") }
        return text
    }
}
