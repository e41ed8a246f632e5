import CommandReports
internal import AgentInterface
public import FoundationEssentials
internal import HunchModel
internal import Localization

extension Page {
    /// Returns the page of what Hunch does now, and what became of earlier suggestions.
    public static func overview(_ state: SettingsState, now: Date) -> Page {
        if let notice = notice(state.agent) { return Page(.overview, notice: notice) }
        guard let status = state.status else { return Page(.overview, []) }
        guard status.isEnabled else { return state.wasEnabled || status.donations ?? 0 > 0 ? off : introduction(state) }
        // Only the results, while the user searches.
        guard state.finding.text.isEmpty else { return Page(.overview, [finding(state)]) }
        return Page(
            .overview,
            [
                finding(state), general(status, now: now), offered(state, now: now), likely(state),
                appointments(state, now: now),
                muted(state),
                lately(state, now: now), learned(state),
            ].compactMap(\.self))
    }

    /// The page of a user who switched Hunch off.
    private static var off: Page {
        Page(
            .overview,
            notice: Notice(
                icon: "org.hunch.Hunch", title: localized("Hunch is off"),
                text: localized("It watches and records nothing. What it learned is kept until you forget it."),
                button: Button(localized("Switch On"), .enable(true), .suggested)))
    }

    private static func general(_ status: AgentStatus, now: Date) -> Section {
        var rows = [
            Row(
                "enabled", localized("Suggestions"), watching(status),
                [.toggle(true, on: .enable(true), off: .enable(false))])
        ]
        if status.isPaused {
            let until = status.pausedUntil.flatMap { Date(checkedMicroseconds: $0) }
            rows.append(
                Row(
                    "pause",
                    until.map { localized("Paused until %1", LocalDate(now: now).words(for: $0)) }
                        ?? localized("Paused"),
                    localized("Hunch records nothing, and suggests nothing by itself."),
                    [.button(Button(localized("Resume"), .resume, .suggested))]))
        } else {
            rows.append(
                Row(
                    "pause", localized("Pause"), localized("Record, prepare and suggest nothing for a while."),
                    [
                        .choice(
                            [
                                Choice(localized("Not paused"), .none),
                                Choice(localized("For an hour"), .pause(until: now.addingTimeInterval(3_600))),
                                Choice(
                                    localized("Until tomorrow"), .pause(until: LocalDate(now: now).tomorrow(hour: 6))),
                                Choice(localized("Until I resume"), .pause(until: nil)),
                            ], selected: 0)
                    ]))
        }
        if let veto = status.withheld {
            let title =
                switch veto {
                case .settingsUnknown: localized("Nothing is recorded yet")
                case .historyLost: localized("Nothing is recorded")
                case .gnomeAppUsage, .gnomeRecentFiles, .kdeRecentFiles: localized("The desktop forbids recording")
                }
            let icon = veto.isSetting ? "changes-prevent" : veto == .historyLost ? "dialog-warning" : "content-loading"
            rows.append(
                Row(
                    "withheld", title,
                    veto == .settingsUnknown
                        ? localized("Hunch is reading the desktop's privacy settings.") : veto.sentence,
                    icon: .symbol("\(icon)-symbolic")))
        }
        if let renewed = status.renewed.flatMap({ Date(checkedMicroseconds: $0) }) {
            rows.append(
                Row(
                    "renewed", localized("A new history began %1", LocalDate(now: now).words(for: renewed)),
                    localized("The former one was deleted or moved while Hunch was using it."),
                    icon: .symbol("dialog-information-symbolic")))
        }
        return Section("general", rows)
    }

    /// Returns what the agent watches, or what keeps it from watching.
    private static func watching(_ status: AgentStatus) -> String {
        if status.isPaused { return localized("Hunch is on, but paused.") }
        let limits = status.parts.filter { $0.level == .limited }.map { "\($0.title): \($0.text)" }
        return limits.isEmpty
            ? localized("Hunch watches for headphones, cars and places.")
            : localized("Hunch is on, with limits. %1.", limits.joined(separator: "; "))
    }

    // MARK: Suggestions

    /// The time in seconds for which the last trigger is of interest.
    private static let outcomeTime = 3_600.0

    /// Returns why the last trigger led to nothing, as `hunch why-not` says it; `nil` if it did, or is long ago.
    private static func lastOutcome(_ state: SettingsState, now: Date) -> String? {
        guard let report = state.status?.outcomes?.last, let hold = report.hold,
            now.timeIntervalSince1970 - Double(report.date) / 1_000_000 < outcomeTime
        else { return nil }
        let occasion =
            switch Trigger(report.trigger) {
            case .device(let id):
                Trigger.device(id).words(deviceName: state.devices.first { $0.id == id }?.name ?? id.rawValue)
            case .activity(let app): Trigger.activity(AppID(state.name(of: app))).words(deviceName: "")
            case let trigger: trigger.words(deviceName: "")
            }
        return localized("%1: %2", occasion, hold.pastClause { state.name(of: $0) }).withCapital
    }

    private static func offered(_ state: SettingsState, now: Date) -> Section {
        let title = localized("Suggested Now")
        let offered = state.suggestions.filter { !$0.isRequested }
        guard offered.isEmpty else {
            let likeliest = offered.sorted { ($1.score, $0.id) < ($0.score, $1.id) }
            return Section("offered", title: title, likeliest.map { row(for: $0, state) })
        }
        if state.status?.isPaused == true {
            return Section("offered", title: title, [Row("nothing", localized("Nothing is suggested while paused"))])
        }
        var reasons = (state.status?.holds ?? []).map { $0.sentence(naming: state.name(of:)) }
        if reasons.isEmpty { reasons = [lastOutcome(state, now: now)].compactMap(\.self) }
        return Section(
            "offered", title: title,
            [
                Row(
                    "nothing", localized("Nothing is suggested now"),
                    reasons.isEmpty
                        ? localized("Hunch waits for headphones, a car or a place.")
                        : reasons.joined(separator: "\n"))
            ])
    }

    /// The maximum number of reasons on a card.
    private static let reasonLimit = 3

    /// The actions that the user often takes in this context, though nothing has happened.
    private static func likely(_ state: SettingsState) -> Section? {
        let likely = state.likely.compactMap { id in state.suggestions.first { $0.id == id } }
        guard !likely.isEmpty else { return nil }
        return Section(
            "likely", title: localized("Likely Now"),
            likely.map { suggestion in
                let reason =
                    state.explanations[suggestion.id]?.explanation.texts.first?.withCapital ?? suggestion.source
                // A later answer has other identifiers, and its row stays in place.
                return Row(
                    "likely-\(suggestion.application.rawValue)/\(suggestion.title)", suggestion.title, reason,
                    icon: state.icon(of: suggestion.application),
                    [.button(Button(localizedIn("verb", "Open"), .accept(suggestion.id)))])
            })
    }

    private static func row(for suggestion: OfferedSuggestion, _ state: SettingsState) -> Row {
        let accept =
            switch suggestion.kind {
            case "media": localizedIn("verb", "Play")
            case "meeting": localizedIn("verb", "Join")
            case "reminder": localizedIn("verb", "Remind Me")
            case "event": localizedIn("verb", "Save")
            case "call": localizedIn("verb", "Call")
            default: localizedIn("verb", "Open")
            }
        let explanation = state.explanations[suggestion.id]
        let isNamed = "\(suggestion.title) \(suggestion.subtitle)".contains(suggestion.applicationName)
        let subtitle = [suggestion.subtitle, isNamed ? "" : suggestion.applicationName].filter { !$0.isEmpty }
        return Row(
            suggestion.id, suggestion.title, subtitle.joined(separator: " · "),
            icon: suggestion.artwork.isEmpty ? state.icon(of: suggestion.application) : .image(suggestion.artwork),
            [
                .button(Button(localized("Not Now"), .dismiss(suggestion.id))),
                .button(
                    Button(accept, .accept(suggestion.id), .suggested)),
            ],
            // The agent gives phrases, as they follow a dash elsewhere.
            card: (explanation?.explanation.texts ?? []).filter { !$0.isEmpty }.prefix(reasonLimit).map(\.withCapital))
    }

    /// The maximum number of appointments on the page.
    public static let appointmentLimit: UInt32 = 5

    private static func appointments(_ state: SettingsState, now: Date) -> Section? {
        guard !state.appointments.isEmpty else { return nil }
        let dates = LocalDate(now: now)
        return Section(
            "appointments", title: localized("Next Appointments"),
            text: state.status?.isPaused == true
                ? localized("Hunch says nothing about them while it is paused.")
                : state.categories["location"] == true
                    ? localized("Hunch says when to leave for them.")
                    : localized("Hunch says when to leave for them if you allow it to use the location."),
            state.appointments.prefix(Int(appointmentLimit)).map { appointment in
                let event = appointment.event
                // A table is called by its place, so that only the address says more.
                let place = [event.place?.name, event.place?.address?.singleLine, event.place?.query].lazy
                    .compactMap(\.self).first { $0 != event.title && !$0.isEmpty }
                let start =
                    event.isAllDay
                    ? localized("%1, all day", LocalDay(event.start).words) : dates.moment(event.start)
                let leave = appointment.leave.map { localized("leave by %1", LocalDate.time($0)) }
                return Row(
                    event.identifier, event.title,
                    [start, event.doubt, leave, place].compactMap(\.self).joined(separator: " · ").withCapital,
                    icon: .symbol("x-office-calendar-symbolic"),
                    event.reservation == nil ? [] : [.button(removal(of: event))])
            })
    }

    private static func removal(of event: CalendarEvent) -> Button {
        Button(
            localized("Remove…"),
            .ask(
                Question(
                    title: localized("Remove “%1”?", event.title),
                    text: localized("Hunch then suggests nothing for this reservation. The booking itself stays."),
                    agree: localized("Remove")),
                then: .removeReservation(event.identifier)))
    }

    private static func muted(_ state: SettingsState) -> Section? {
        guard !state.muted.isEmpty else { return nil }
        return Section(
            "muted", title: localized("Muted"), text: localized("You dismissed these suggestions several times."),
            state.muted.map { pair in
                let name = pair.subject?.words ?? state.name(of: pair.application)
                guard case .device(let device)? = pair.trigger else { return muted(pair, title: name) }
                return muted(pair, title: localized("%1 on %2", name, state.name(of: device)))
            })
    }

    /// The maximum number of earlier suggestions.
    private static let recentLimit = 10

    private static func lately(_ state: SettingsState, now: Date) -> Section? {
        guard let recent = state.recent, !recent.isEmpty else { return nil }
        let dates = LocalDate(now: now)
        return Section(
            "lately", title: localized("Suggested Lately"),
            recent.prefix(recentLimit).map { past in
                let when = Dates.date(past.date).map { dates.words(for: $0) } ?? past.date
                let parts = [
                    past.title == nil ? Suggestion.Kind(rawValue: past.kind).words : past.name,
                    occasion(past.trigger, state), when,
                ]
                return Row(
                    past.suggestion, past.title ?? past.name,
                    parts.compactMap(\.self).joined(separator: " · "),
                    icon: state.icon(of: past.app),
                    [.text(Engagement.Outcome(rawValue: past.outcome)?.words ?? past.outcome)])
            })
    }

    private static func occasion(_ trigger: Trigger?, _ state: SettingsState) -> String? {
        switch trigger {
        case nil: nil
        case .device(let device)?: trigger?.words(deviceName: state.name(of: device))
        case .activity(let application)?:
            Trigger.activity(AppID(state.name(of: application))).words(deviceName: "")
        default: trigger?.words(deviceName: "")
        }
    }

    // MARK: Learning

    private static func learned(_ state: SettingsState) -> Section? {
        guard state.status?.donations != nil, let apps = state.apps else { return nil }
        var counts: [String: Int] = [:]
        for app in apps { counts.merge(app.kinds) { $0 + $1 } }
        let plays = counts["playMedia"] ?? 0
        let routes = counts["getDirections"] ?? 0
        let others = counts.values.reduce(0, +) - plays - routes
        let pieces = [
            plays > 0 ? localizedPlural("%1 play", "%1 plays", plays) : nil,
            routes > 0 ? localizedPlural("%1 route", "%1 routes", routes) : nil,
            others > 0 ? localizedPlural("%1 other action", "%1 other actions", others) : nil,
        ].compactMap(\.self)
        guard !pieces.isEmpty else {
            return Section(
                "learned", title: localized("Learned"),
                [
                    Row(
                        "nothing", localized("Nothing is recorded yet"),
                        state.status?.isPaused == true
                            ? localized("Hunch learns nothing while it is paused.")
                            : localized(
                                "Hunch learns from what you play for half a minute or longer, and from the routes that you ask for."
                            ))
                ])
        }
        var rows = [
            Row(
                "counts", localized("Learned from: %1", pieces.joined(separator: localized(", "))), "",
                [.button(Button(localized("History"), .showHistory))])
        ]
        if let record = state.record, record.predicted >= 10, let rates = record.methods["hunch"]?.micro {
            let tenths = Int(exactly: (rates.hr1 * 10).rounded()) ?? 0
            rows.append(
                Row(
                    "rate", localized("Right %1 of 10 times", tenths),
                    localized(
                        "How often your next action would have been the first suggestion, and %1 of 10 times among the first three.",
                        Int(exactly: (rates.hr3 * 10).rounded()) ?? 0)))
        }
        return Section("learned", title: localized("Learned"), rows)
    }
}
