public import AgentInterface
internal import FoundationEssentials
internal import HunchDBus
public import HunchModel

/// Calls for donations and announcements. A donation is a completed action that a user began. An app donates only for
/// itself. See `org.hunch.Donations1` for the permissions of callers.
///
///     let play = Donation(application: "org.example.Podcasts", kind: .playMedia,
///                         parameters: ["item": "show-1/episode-41", "title": "Episode 41"], date: Date())
///     let results = try await agent.donate([play])
extension HunchAgent {
    private var root: Proxy { Proxy(connection, HunchNames.agent, HunchNames.root) }

    /// Donates completed actions, in order.
    ///
    /// - Parameters:
    ///   - donations: at most 1,000. An empty application means the caller's own.
    ///   - timeout: the timeout of the call.
    /// - Returns: a result for each donation, in the same order.
    /// - Throws: `DBusError` `…LimitsExceeded` for too many donations.
    public func donate(
        _ donations: [Donation], timeout: Duration = .seconds(60)
    ) async throws -> [DonationResult] {
        try await root.call(HunchNames.donations, "Donate", donations.map(\.transfer), timeout: timeout)
    }

    /// Deletes the caller's donations with these identifiers. Returns the number of deleted donations.
    public func deleteDonations(identifiers: [String]) async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.donations, "DeleteById", identifiers)
        return Int(count)
    }

    /// Deletes the caller's donations of these groups. Returns the number of deleted donations.
    public func deleteDonations(groups: [String]) async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.donations, "DeleteByGroup", groups)
        return Int(count)
    }

    /// Deletes donations of another app or script. Most callers may only do this for a script that the user allowed.
    /// The command `hunch` may do it for any app.
    ///
    /// - Parameters:
    ///   - application: `script:NAME`, or a desktop identifier.
    ///   - identifiers: 1 to 1,000, together with the groups.
    ///   - groups: the groups to delete as a whole.
    /// - Returns: the number of deleted donations.
    /// - Throws: `DBusError` `…AccessDenied` if the caller lacks the permission.
    public func deleteDonations(
        of application: AppID, identifiers: [String] = [], groups: [String] = []
    ) async throws -> Int {
        let selection: VariantMap = ["ids": identifiers.dbusValue, "groups": groups.dbusValue]
        let count: UInt32 = try await root.call(HunchNames.donations, "DeleteOf", application, selection)
        return Int(count)
    }

    /// Deletes all of the caller's donations and announcements. Returns the number of deleted donations.
    public func deleteAllDonations() async throws -> Int {
        let count: UInt32 = try await root.call(HunchNames.donations, "DeleteAllOfCaller")
        return Int(count)
    }

    /// Announces items that come next and have not been played, in order. Replaces the previous list; at most 100.
    public func setUpcoming(_ items: [Announcement]) async throws {
        let () = try await root.call(HunchNames.donations, "SetUpcoming", items)
    }

    /// Announces items that are wanted at certain times, places or triggers. Replaces the previous list; at most 100.
    public func setRelevant(_ items: [Announcement]) async throws {
        let () = try await root.call(HunchNames.donations, "SetRelevant", items)
    }

    /// Grants or revokes the permission to donate as `script:NAME`. Only for the command `hunch`.
    /// Returns `false` if nothing changed.
    public func setScript(_ name: String, isAllowed: Bool) async throws -> Bool {
        try await root.call(HunchNames.donations, "SetScript", name, isAllowed)
    }

    /// Returns the names that programs may use in `script:NAME`, sorted. Only for the command `hunch`.
    public func allowedScripts() async throws -> [String] {
        try await root.call(HunchNames.donations, "Scripts")
    }
}
