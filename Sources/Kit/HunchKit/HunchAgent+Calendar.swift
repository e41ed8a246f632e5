public import AgentInterface
public import FoundationEssentials
internal import HunchDBus
public import HunchModel

extension HunchAgent {
    /// Returns the appointments that have not begun, in order of time, and sentences about calendars that cannot be read.
    ///
    /// - Parameters:
    ///   - end: the date before which they begin, within the next 365 days; `nil` for the next 7 days.
    ///   - limit: the maximum number, clamped to 200.
    /// - Throws: `DBusError` `Disabled` if the user has not allowed to read calendars, `…AccessDenied` for a caller that
    ///   may not see what other apps do.
    public func appointments(
        until end: Date? = nil, limit: UInt32 = 20
    ) async throws -> (appointments: [AppointmentReport], problems: [String]) {
        var options: VariantMap = ["limit": .uint32(limit)]
        options["until"] = end.map { .uint64($0.microseconds) }
        try await start()
        let (appointments, problems): ([AppointmentReport], [String]) = try await connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.calendar, "Upcoming", options, timeout: Self.launchTime)
        return (appointments, problems)
    }

    /// Keeps a reservation. It replaces one with the same title and start, and earlier versions of its booking. Only `hunch`
    /// may call this.
    ///
    /// - Parameter reservation: an event with a place and the type of the reservation.
    /// - Returns: the identifier.
    /// - Throws: `DBusError` `Disabled` while calendars are not allowed or Hunch is off or paused, `InvalidInput`.
    public func addReservation(_ reservation: CalendarEvent) async throws -> String {
        try await start()
        return try await connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.calendar, "Add", reservation, timeout: Self.answerTime)
    }

    /// Removes the reservations with an identifier. Returns whether there was one. Only `hunch` may call this.
    public func removeReservation(_ identifier: String) async throws -> Bool {
        try await start()
        return try await connection.call(
            HunchNames.agent, HunchNames.root, HunchNames.calendar, "Remove", identifier, timeout: Self.answerTime)
    }
}
