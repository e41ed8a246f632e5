internal import Agent
internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization

extension AppointmentsService {
    /// The time ahead in seconds for which appointments are listed.
    static let usualTime = 7 * 86_400.0
    private static let longestTime = 365 * 86_400.0
    private static let usualCount: UInt32 = 20
    private static let maximumCount: UInt32 = 200

    /// The interface of appointments.
    nonisolated var interface: ExportedInterface {
        ExportedInterface(
            evolving: HunchNames.calendar,
            [
                .method("Upcoming", arguments: ["options"], results: ["events", "problems"]) {
                    [self] (call, options: VariantMap) async throws -> ([AppointmentReport], [String]) in
                    let readers = try await history.use { store, _ in try store.readers() }
                    try await callers.permission(of: call).mayReadEverything(readers: readers)
                    return try await upcoming(options)
                },
                .method("Add", arguments: ["reservation"], results: ["id"]) {
                    [self] (call, reservation: CalendarEvent) async throws -> String in
                    try await callers.permission(of: call).mustBePerson("add a reservation")
                    return try await add(reservation)
                },
                .method("Remove", arguments: ["id"], results: ["removed"]) {
                    [self] (call, id: String) async throws -> Bool in
                    try await callers.permission(of: call).mustBePerson("remove a reservation")
                    return try await remove(id)
                },
            ])
    }

    private func upcoming(_ options: VariantMap) async throws -> ([AppointmentReport], [String]) {
        try options.checkKeys("until", "limit")
        try await checkAllowed()
        let now = configuration.now()
        let end = try options.date(microseconds: "until") ?? now.addingTimeInterval(Self.usualTime)
        guard (now...now.addingTimeInterval(Self.longestTime)).contains(end) else {
            throw DBusError(.invalidInput, "“until” must be within the next 365 days")
        }
        let limit = min(try options.value("limit", as: UInt32.self) ?? Self.usualCount, Self.maximumCount)
        let (events, problems) = try await readCalendars(from: now, until: end)
        let reserved = try await history.use { store, _ in try store.reservations(from: now, until: end) }
        let outset = try await outset()
        var reports: [AppointmentReport] = []
        var journeys: [Aim: Journey?] = [:]
        for event in Self.merged(events, reserved).prefix(Int(limit)) {
            let plan = try await plan(for: event, from: outset, &journeys)
            var report = AppointmentReport(event: event, leave: AppointmentPolicy.departure(plan)?.leave)
            if case .known(let distance, _, _) = plan.route { report.distance = distance }
            report.obstacle = AppointmentPolicy.obstacle(to: plan)?.rawValue
            reports.append(report)
        }
        return (reports, problems)
    }

    private func checkAllowed() async throws {
        let settings = try await history.use { store, _ in try store.settings() }
        guard settings.isEnabled else {
            throw DBusError(
                .disabled,
                localized(
                    "Hunch is off, so it reads no calendar and keeps no reservation; “hunch enable” switches it on"))
        }
        guard settings.allowedCategories.contains(.calendar) else {
            throw DBusError(
                .disabled,
                localized("calendars are not read, and reservations not kept; “hunch allow calendar” allows it"))
        }
    }

    private func add(_ reservation: CalendarEvent) async throws -> String {
        try await checkAllowed()
        guard let place = reservation.place, reservation.reservation != nil else {
            throw DBusError(.invalidInput, "a reservation needs “place” and “reservation”")
        }
        let application = AppID(HunchNames.desktopEntry)
        let outcome = try await history.use { store, now in
            try store.remember(
                SeenPlace(
                    application: application, place: place, content: reservation.identifier, date: now,
                    reservation: reservation), now: now)
        }
        switch outcome {
        case .recorded: break
        case .refused(let error): throw error
        case .notEnabled, .paused, .withheld:
            throw DBusError(
                .disabled, localized("Hunch is off or paused, so it keeps no reservation; see “hunch status”"))
        }
        reservationsChanged()
        return reservation.identifier
    }

    private func remove(_ id: String) async throws -> Bool {
        let wasRemoved = try await history.use { store, _ in try store.deleteReservation(id) }
        reservationsChanged()
        return wasRemoved
    }
}
