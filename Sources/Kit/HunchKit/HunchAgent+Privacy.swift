internal import AgentInterface
public import FoundationEssentials
public import HunchDBus
public import HunchModel

/// Controls of recording, and of the recorded data. See `org.hunch.Privacy1` for the caller permissions.
extension HunchAgent {
    private var root: Proxy { Proxy(connection, HunchNames.agent, HunchNames.root) }

    /// Pauses recording, preparing and suggesting.
    ///
    /// - Parameter date: the end of the pause; `nil` until ``resume()``.
    public func pause(until date: Date? = nil) async throws {
        let () = try await root.call(HunchNames.privacy, "Pause", date.map(Self.microseconds) ?? 0)
    }

    /// Ends a pause.
    public func resume() async throws {
        let () = try await root.call(HunchNames.privacy, "Resume")
    }

    /// Forgets recorded data. Does not start the agent.
    ///
    /// - Returns: the counts by table and cache, with the keys of the receipt of `org.hunch.Privacy1.Forget`.
    public func forget(_ scope: ForgetScope) async throws -> [String: UInt32] {
        // Rewriting a large history takes minutes.
        try await root.call(HunchNames.privacy, "Forget", scope, timeout: .seconds(600), startsService: false)
    }

    /// Exports all data and settings as JSON Lines.
    ///
    /// - Returns: the read end of a pipe.
    public func export() async throws -> UnixDescriptor {
        try await root.call(HunchNames.privacy, "Export")
    }

    /// Imports an export completely or not at all. Only for the command `hunch`.
    ///
    /// - Parameter file: a file with the output of ``export()``, read from its beginning.
    /// - Returns: the counts of lines, with the keys of the receipt of `org.hunch.Privacy1.Import`.
    public func importHistory(_ file: UnixDescriptor) async throws -> [String: UInt32] {
        try await root.call(HunchNames.privacy, "Import", file, timeout: .seconds(600))
    }

    /// Excludes an app from recording and suggestions. Returns `false` if it was excluded already.
    public func exclude(_ application: AppID) async throws -> Bool {
        try await root.call(HunchNames.privacy, "Exclude", application)
    }

    /// Ends the exclusion of an app. Returns `false` if it was not excluded.
    public func include(_ application: AppID) async throws -> Bool {
        try await root.call(HunchNames.privacy, "Include", application)
    }

    /// Returns the desktop identifiers of the excluded apps.
    public func exclusions() async throws -> [AppID] {
        try await root.call(HunchNames.privacy, "Exclusions")
    }

    /// Returns what is muted.
    public func mutedPairs() async throws -> [SuggestionPair] {
        try await root.call(HunchNames.privacy, "Muted")
    }

    /// Ends a mute, and removes the dismissals that led to it. Returns `false` if the pair was not muted.
    public func unmute(_ pair: SuggestionPair) async throws -> Bool {
        try await root.call(HunchNames.privacy, "Unmute", pair)
    }

    /// Allows or forbids an app outside sandboxes to read other apps' actions. Only for the command `hunch`.
    /// Returns `false` if nothing changed.
    public func setReader(_ application: AppID, isAllowed: Bool) async throws -> Bool {
        try await root.call(HunchNames.privacy, "SetReader", application, isAllowed)
    }

    /// Allows or forbids an app to read the places that the user looked at. Only for the command `hunch`.
    /// Returns `false` if nothing changed.
    public func setPlaceAccess(_ application: AppID, isAllowed: Bool) async throws -> Bool {
        try await root.call(HunchNames.privacy, "SetPlaceAccess", application, isAllowed)
    }

    /// Returns which apps may read the places that the user looked at, and which may not.
    public func placeAccess() async throws -> [AppID: Bool] {
        let allowed: [String: Bool] = try await root.call(HunchNames.privacy, "PlaceAccess")
        return Dictionary(allowed.map { (AppID($0.key), $0.value) }) { first, _ in first }
    }

    /// Returns the desktop identifiers of the apps that may read other apps' actions.
    public func readers() async throws -> [AppID] {
        try await root.call(HunchNames.privacy, "Readers")
    }

    /// Returns how many days data is kept, and whether each optional category is recorded.
    public func retention() async throws -> (days: UInt32, categories: [String: Bool]) {
        try await start()
        return (
            try await root.property(HunchNames.privacy, "RetentionDays"),
            try await root.property(HunchNames.privacy, "Categories")
        )
    }

    /// Sets how long data is kept, 1 to 3,650 days.
    public func setRetention(days: UInt32) async throws {
        try await start()
        try await root.setProperty(HunchNames.privacy, "RetentionDays", to: days)
    }

    /// Switches the recording of a category on or off.
    public func setCategory(_ category: String, isRecorded: Bool) async throws {
        let () = try await root.call(HunchNames.privacy, "SetCategory", category, isRecorded)
    }

    /// Returns whether a setting is on.
    public func isOn(_ setting: UserSetting) async throws -> Bool {
        try await start()
        return try await root.property(HunchNames.privacy, setting.property)
    }

    /// Switches a setting on or off.
    public func set(_ setting: UserSetting, isOn: Bool) async throws {
        try await start()
        try await root.setProperty(HunchNames.privacy, setting.property, to: isOn)
    }

    /// Returns a date in microseconds since 1970, as in Hunch's interfaces; 0 for earlier dates.
    public static func microseconds(_ date: Date) -> UInt64 {
        date.microseconds
    }
}
