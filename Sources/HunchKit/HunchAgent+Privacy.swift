internal import AgentInterface
public import FoundationEssentials
public import HunchDBus
public import HunchModel

/// What Hunch keeps of the person. See `org.hunch.Privacy1` for who may do what.
extension HunchAgent {
    private var root: Proxy { Proxy(connection, HunchNames.agent, HunchNames.root) }

    /// From now on nothing is recorded, prepared or offered.
    ///
    /// - Parameter date: when that ends by itself; `nil`: with ``resume()``.
    public func pause(until date: Date? = nil) async throws {
        let () = try await root.call(HunchNames.privacy, "Pause", date.map(Self.microseconds) ?? 0)
    }

    /// Ends a pause.
    public func resume() async throws {
        let () = try await root.call(HunchNames.privacy, "Resume")
    }

    /// Removes what is recorded. Starts no agent.
    ///
    /// - Parameter what: the keys are those of `org.hunch.Privacy1.Forget`.
    /// - Returns: counts by table and cache, with the keys of the receipt there.
    public func forget(_ what: VariantMap) async throws -> [String: UInt32] {
        // Rewriting a large file takes its time.
        try await root.call(HunchNames.privacy, "Forget", what, timeout: .seconds(600), startsService: false)
    }

    /// Everything that is recorded and set, as JSON Lines.
    ///
    /// - Returns: the end of a pipe to read from.
    public func export() async throws -> UnixDescriptor {
        try await root.call(HunchNames.privacy, "Export")
    }

    /// Takes a whole export in, all of it or nothing. Only for `hunch`.
    ///
    /// - Parameter file: a file, read from its beginning, with lines that ``export()`` gave.
    /// - Returns: counts of lines, with the keys of the receipt of `org.hunch.Privacy1.Import`.
    public func readBack(_ file: UnixDescriptor) async throws -> [String: UInt32] {
        try await root.call(HunchNames.privacy, "Import", file, timeout: .seconds(600))
    }

    /// Records and offers nothing more of an app. Returns whether it was not excluded before.
    public func exclude(_ application: String) async throws -> Bool {
        try await root.call(HunchNames.privacy, "Exclude", application)
    }

    /// Ends an exclusion. Returns whether there was one.
    public func include(_ application: String) async throws -> Bool {
        try await root.call(HunchNames.privacy, "Include", application)
    }

    /// The desktop identifiers of the excluded apps.
    public func exclusions() async throws -> [String] {
        try await root.call(HunchNames.privacy, "Exclusions")
    }

    /// What is not offered any more because the person turned it down again and again: desktop identifiers, and at what.
    public func mutedPairs() async throws -> [(application: String, trigger: Trigger?)] {
        let pairs: [VariantMap] = try await root.call(HunchNames.privacy, "Muted")
        return try pairs.map { pair in
            let trigger = try pair.value("trigger", as: String.self).flatMap { $0.isEmpty ? nil : Trigger($0) }
            return (try pair.value("application") ?? "", trigger)
        }
    }

    /// Lets an app be offered again at a trigger. Returns whether it was muted there.
    public func unmute(_ application: String, trigger: Trigger?) async throws -> Bool {
        try await root.call(HunchNames.privacy, "Unmute", application, trigger?.description ?? "")
    }

    /// Lets an app outside sandboxes read what other apps did, or no more. Returns whether that is new.
    public func setReader(_ application: String, isAllowed: Bool) async throws -> Bool {
        try await root.call(HunchNames.privacy, "SetReader", application, isAllowed)
    }

    /// The desktop identifiers of the apps that may read what other apps did.
    public func readers() async throws -> [String] {
        try await root.call(HunchNames.privacy, "Readers")
    }

    /// How long anything is kept, in days, and which categories are recorded that are not by default.
    public func retention() async throws -> (days: UInt32, categories: [String: Bool]) {
        try await start()
        return (
            try await root.property(HunchNames.privacy, "RetentionDays"),
            try await root.property(HunchNames.privacy, "Categories")
        )
    }

    /// Chooses how long anything is kept, 1 to 3,650 days.
    public func setRetention(days: UInt32) async throws {
        try await start()
        try await root.setProperty(HunchNames.privacy, "RetentionDays", to: days)
    }

    /// Has a category recorded, or not.
    public func setCategory(_ category: String, isRecorded: Bool) async throws {
        let () = try await root.call(HunchNames.privacy, "SetCategory", category, isRecorded)
    }

    /// Whether what is suggested may be shown while the person's session is locked.
    public func lockScreenTitles() async throws -> Bool {
        try await start()
        return try await root.property(HunchNames.privacy, "LockScreenTitles")
    }

    /// Lets what is suggested be shown while the person's session is locked, or not.
    public func setLockScreenTitles(_ areShown: Bool) async throws {
        try await start()
        try await root.setProperty(HunchNames.privacy, "LockScreenTitles", to: areShown)
    }

    /// A date as the interfaces of Hunch have it: microseconds since 1970; 0 for any before.
    public static func microseconds(_ date: Date) -> UInt64 {
        date.microseconds
    }
}
