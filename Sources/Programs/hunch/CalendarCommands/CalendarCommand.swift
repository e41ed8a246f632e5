import AgentInterface
import ArgumentParser
import CommandSupport
import PlaceCommands
import FoundationEssentials
import History
import HunchKit
import HunchModel
import Localization
import Markup

/// `hunch calendar`: lists appointments, and keeps reservations of tickets.
struct CalendarCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calendar",
        abstract: localized("List appointments and when to leave for them, and keep reservations."),
        discussion: localized(
            """
            Hunch reads the calendars of GNOME and Evolution, and iCalendar files in ~/.calendars and where khal, vdirsyncer and \
            KDE keep them, after “hunch allow calendar”. It keeps no event of a calendar. “hunch directions --next” \
            shows routes to the next appointment.

            Example:
              hunch allow calendar
              hunch calendar
              hunch calendar add ticket.eml
              hunch calendar list --days 30 --json
            """),
        subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

    /// `hunch calendar list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: localized("List the next appointments."),
            discussion: localized(
                """
                The time to leave is estimated from the distance: it needs a place that is certain, and a known position \
                (“hunch allow location”).

                Exit code 1: there is no appointment.

                Example:
                  hunch calendar list --days 30
                """))

        /// The maximum number of lines.
        private static let most: UInt32 = 200

        @Option(help: .localized("The number of days to look ahead, 1 to 365."))
        var days: UInt32 = 7
        @Option(help: .localized("The maximum number of lines, 1 to 200."))
        var limit: UInt32 = 20
        @Flag(help: .localized("Write one JSON object a line."))
        var json = false

        func validate() throws {
            guard (1...365).contains(days) else { throw ValidationError(localized("--days must be 1 to 365")) }
            guard (1...Self.most).contains(limit) else { throw ValidationError(localized("--limit must be 1 to 200")) }
        }

        func run() async throws {
            let now = Date()
            let (days, limit) = (days, Int(limit))
            let found = try await AgentSession.run { agent in
                let (appointments, problems) = try await agent.appointments(
                    until: now.addingTimeInterval(Double(days) * 86_400 - 60), limit: Self.most)
                let isAllowed = try await agent.retention().categories[PrivacyCategory.location.rawValue] == true
                return (
                    appointments: appointments.prefix(limit), more: appointments.count - limit, problems: problems,
                    isLocationAllowed: isAllowed,
                    status: try await agent.status()
                )
            }
            if json {
                for appointment in found.appointments { try Output.raw(Output.json(AppointmentFields(appointment))) }
            } else if !found.appointments.isEmpty {
                var table = Table(
                    localized("When"), localized("Leave by"), localized("What"), localized("Where"), localized("id"))
                for appointment in found.appointments {
                    let event = appointment.event
                    table.add(
                        event.startWords(now: now),
                        appointment.leave.map { Self.words($0, for: event, now: now) } ?? "", event.title,
                        [event.place.map(CurrentActivity.label), event.meetingURL.map(WebAddress.withoutSecrets)]
                            .compactMap(\.self).joined(separator: ", "),
                        event.reservation == nil ? "" : event.identifier)
                }
                try table.print()
            }
            for problem in found.problems { Output.complain(problem) }
            if !json {
                if found.more > 0 {
                    Output.complain(
                        localizedPlural(
                            "%1 later appointment is not shown; “--limit” sets how many are",
                            "%1 later appointments are not shown; “--limit” sets how many are", found.more))
                }
                if found.appointments.contains(where: { $0.obstacle == "noPosition" }) {
                    Output.complain(
                        found.status.isPaused
                            ? localized("times to leave are missing while Hunch is paused")
                            : found.isLocationAllowed
                                ? localized("your position is not known now, so times to leave are missing")
                                : localized(
                                    "your position is not known, so times to leave are missing; “hunch allow location” allows it"
                                ))
                }
                let gaps = found.appointments.compactMap { appointment in
                    Self.obstacle(of: appointment, hasGazetteer: found.status.part("gazetteer")?.level == .ok)
                }
                for gap in gaps { Output.complain(gap) }
            }
            guard found.appointments.isEmpty else { return }
            throw CommandError(
                localizedPlural(
                    "there is no appointment in the next %1 day", "there is no appointment in the next %1 days",
                    Int(days)),
                ExitStatus.nothingFound)
        }

        /// Returns the reason why there is no time to leave for a place; `nil` if there is one, or if it concerns all places.
        private static func obstacle(of appointment: AppointmentReport, hasGazetteer: Bool) -> String? {
            guard let item = appointment.event.place else { return nil }
            let place = item.name ?? CurrentActivity.label(item)
            let title = appointment.event.title
            return switch appointment.obstacle {
            case "notFound" where !hasGazetteer:
                localized(
                    "no time to leave for “%1”: there is no gazetteer to look up “%2” in; “hunch gazetteer import” makes one",
                    title, place)
            case "notFound":
                localized(
                    "no time to leave for “%1”: the place “%2” was not found; “%3” adds streets and places, or write coordinates into the appointment",
                    title, place, GazetteerGap.commandForStreets)
            case "ambiguous":
                localized(
                    "no time to leave for “%1”: “%2” may mean several places; write the town or coordinates into the appointment",
                    title, place)
            case "townOnly":
                localized("no time to leave for “%1”: only the town of “%2” is known", title, place)
            case "noApp": localized("no time to leave for “%1”: no app shows a route to “%2”", title, place)
            case "arrived": localized("no time to leave for “%1”: you are at “%2”", title, place)
            case "tooFar":
                localized("no time to leave for “%1”: the route to “%2” takes more than six hours", title, place)
            default: nil
            }
        }

        /// Returns the time to leave, with its day if that is not the day of the event.
        private static func words(_ leave: Date, for event: CalendarEvent, now: Date) -> String {
            LocalDay(leave) == LocalDay(event.start) ? LocalDate.time(leave) : LocalDate(now: now).moment(leave)
        }

    }

    /// `hunch calendar add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: localized("Keep the reservations of a mail, a pass, a ticket or a page."),
            discussion: localized(
                """
                Hunch then suggests when to leave for them, as for other appointments. They are kept until “hunch forget”, \
                “hunch calendar remove”, or the time limit of “hunch keep” after their start. Tickets in PDF files need KDE's \
                kitinerary-extractor. Those that the file says are cancelled are removed.

                Exit code 1: the file has no reservation with a time and a place.

                Example:
                  hunch calendar add ticket.eml
                  hunch calendar add boarding-pass.pkpass
                """))

        @Argument(
            help: .localized("A mail, a pass, a PDF file or a web page; “-” reads standard input.", valueName: "file"),
            completion: .file())
        var file: String
        @Flag(help: .localized("Write one JSON object a line."))
        var json = false

        func run() async throws {
            let page = try MarkupFile.markup(of: MarkupFile.bytes(of: file), named: file)
            let now = Date()
            let events = page.reservations.compactMap(\.event).filter { $0.place != nil && $0.start > now }
            let cancelled = page.reservations.filter(\.isCancelled).compactMap(\.plannedEvent)
            guard !events.isEmpty || !cancelled.isEmpty else {
                let wereFound = page.reservations.contains { $0.event?.place != nil }
                throw CommandError(
                    wereFound
                        ? localized("the reservations of “%1” have begun already", file)
                        : localized(
                            "“%1” has no reservation with a time and a place; “hunch markup” shows what it has", file),
                    ExitStatus.nothingFound)
            }
            try await AgentSession.run { agent in
                for event in cancelled {
                    let wasKept = try await agent.removeReservation(event.identifier)
                    if json {
                        let report = AppointmentReport(event: event)
                        try Output.raw(Output.json(AppointmentFields(report, isCancelled: true)))
                    } else {
                        try Output.line(
                            wasKept
                                ? localized("removed “%1”, which is cancelled", event.title)
                                : localized("“%1” is cancelled, and was not kept", event.title))
                    }
                }
                for event in events {
                    let id = try await agent.addReservation(event)
                    if json {
                        try Output.raw(Output.json(AppointmentFields(AppointmentReport(event: event))))
                    } else {
                        try Output.line(
                            localized("kept “%1”, %2 (%3)", event.title, event.startWords(now: now), id))
                    }
                }
            }
        }
    }

    /// `hunch calendar remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: localized("Remove a reservation."),
            discussion: localized(
                """
                Exit code 1: there is no such reservation.

                Example:
                  hunch calendar remove 8f2c1d
                """))

        @Argument(help: .localized("The identifier of the reservation from “hunch calendar”, or its beginning."))
        var id: String

        func run() async throws {
            let id = id
            let removed = try await AgentSession.run { agent -> CalendarEvent? in
                let (appointments, _) = try await agent.appointments(
                    until: Date().addingTimeInterval(364 * 86_400), limit: 200)
                let meant = appointments.map(\.event).filter {
                    $0.reservation != nil && !id.isEmpty && $0.identifier.hasPrefix(id)
                }
                guard meant.count < 2 else {
                    throw CommandError(
                        localized("several reservations begin with “%1”; give more of the identifier", id),
                        ExitStatus.badInput)
                }
                guard let event = meant.first, try await agent.removeReservation(event.identifier) else { return nil }
                return event
            }
            guard let removed else {
                throw CommandError(
                    localized("there is no reservation “%1”; “hunch calendar” lists them", id), ExitStatus.nothingFound)
            }
            try Output.line(localized("removed “%1”", removed.title))
        }
    }
}

/// An appointment in JSON.
struct AppointmentFields: Encodable {
    let id, title: String
    let start: String
    let end: String?
    let allDay: Bool
    let place: MapItemFields?
    let url, meeting, reservation: String?
    /// The name of the time zone of the start, if it is not known; absent otherwise.
    let unknownZone: String?
    /// The estimated time to leave.
    let leave: String?
    /// The distance in metres.
    let distance: Double?
    /// The reason why there is no time to leave; absent if there is one, and without a place.
    let obstacle: String?
    /// Whether it is cancelled; absent if it is not.
    let cancelled: Bool?

    init(_ report: AppointmentReport, isCancelled: Bool = false) {
        let event = report.event
        (id, title, allDay) = (event.identifier, event.title, event.isAllDay)
        (url, meeting, reservation) = (event.webPageURL, event.meetingURL, event.reservation)
        unknownZone = event.unknownZone
        start = Self.text(event.start)
        end = event.end.map(Self.text)
        place = event.place.map(MapItemFields.init)
        leave = report.leave.map(Self.text)
        distance = report.distance
        obstacle = report.obstacle
        cancelled = isCancelled ? true : nil
    }

    private static func text(_ date: Date) -> String { Date.ISO8601FormatStyle().format(date) }
}
