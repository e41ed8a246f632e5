public import FoundationEssentials
public import HunchDBus
public import HunchModel

/// A client of the calendar reader, which the bus starts on demand. It answers the agent only. The agent must check
/// that the user allowed it to read calendars.
public struct CalendarReaderClient: Sendable {
    /// The timeout of a request. Calendars on the network may ask for a password first.
    private static let patience = Duration.seconds(60)

    private let bus: Connection

    /// Creates a client.
    public init(bus: Connection) { self.bus = bus }

    /// Returns the events that begin between two dates, in order of time, and sentences about calendars that cannot be
    /// read. Events with invalid values are left out.
    ///
    /// - Throws: ``HunchDBus/DBusError`` from the calendar reader or the bus.
    public func upcoming(from start: Date, until end: Date) async throws -> (
        events: [CalendarEvent], problems: [String]
    ) {
        let (events, problems): ([VariantMap], [String]) = try await bus.call(
            HunchNames.calendarReader, HunchNames.calendarReaderPath, HunchNames.calendarReaderInterface, "Upcoming",
            start.microseconds, end.microseconds, timeout: Self.patience)
        return (events.compactMap { try? CalendarEvent(transfer: $0) }, problems)
    }

    /// Returns whether this desktop has task lists. Starts nothing.
    ///
    /// - Throws: ``HunchDBus/DBusError`` from the bus.
    public func hasTaskLists() async throws -> Bool {
        let names = try await bus.activatableNames()
        return names.contains(HunchNames.calendarReader)
            && names.contains { $0.text.hasPrefix("org.gnome.evolution.dataserver.Calendar") }
    }

    /// Adds a task to a task list of the user.
    ///
    /// - Parameters:
    ///   - task: a `VTODO` of iCalendar, at most 64 KiB. One with the same `UID` is not added twice.
    ///   - list: the identifier of the preferred list; others follow if it does not exist or cannot be changed.
    /// - Returns: the name of the list.
    /// - Throws: ``HunchDBus/DBusError`` from the calendar reader or the bus.
    public func addTask(_ task: String, preferring list: String) async throws -> String {
        try await bus.call(
            HunchNames.calendarReader, HunchNames.calendarReaderPath, HunchNames.calendarReaderInterface, "AddTask",
            task, list, timeout: Self.patience)
    }

    /// Keeps the calendar reader running, so that it reports changes.
    ///
    /// - Throws: ``HunchDBus/DBusError`` from the calendar reader or the bus.
    public func follow() async throws {
        let () = try await bus.call(
            HunchNames.calendarReader, HunchNames.calendarReaderPath, HunchNames.calendarReaderInterface, "Follow",
            true, timeout: Self.patience)
    }

    /// Allows the calendar reader to exit. Does not start it.
    public func unfollow() async {
        let call = MethodCall(
            HunchNames.calendarReader, HunchNames.calendarReaderPath, HunchNames.calendarReaderInterface, "Follow",
            body: [.boolean(false)], startsService: false)
        // A reader that is gone follows nothing.
        _ = try? await bus.reply(to: call, timeout: Self.patience)
    }

    /// Returns a stream of the reader's signals `Changed`.
    public func changes() async throws -> SignalStream {
        try await bus.signals(
            [
                MatchRule(
                    sender: HunchNames.calendarReader, path: HunchNames.calendarReaderPath,
                    interface: HunchNames.calendarReaderInterface, member: "Changed")
            ], capacity: 1)
    }
}
