public import CommandReports
internal import AgentInterface
public import FoundationEssentials
internal import HunchModel
internal import Localization

extension Page {
    /// Returns the page of the apps that take part.
    public static func apps(_ state: SettingsState, now: Date) -> Page {
        if let notice = notice(state.agent) { return Page(.apps, notice: notice) }
        guard let apps = state.apps else {
            return Page(
                .apps,
                notice: Notice(
                    icon: "content-loading-symbolic", title: localized("Reading the apps…"),
                    text: localized("This takes a few seconds at most.")))
        }
        let isOn = state.status?.isEnabled == true
        let switchOn = isOn ? nil : Button(localized("Switch On"), .enable(true), .suggested)
        guard !apps.isEmpty || !state.scripts.isEmpty else {
            return Page(
                .apps,
                notice: Notice(
                    icon: "view-app-grid-symbolic", title: localized("No apps yet"),
                    text: localized("Players and map apps appear here when you use them while Hunch is on."),
                    button: switchOn))
        }
        return Page(
            .apps,
            [
                apps.isEmpty
                    ? nil
                    : Section(
                        "apps", title: isOn ? "" : localized("Hunch is off"),
                        text: isOn
                            ? localized("Hunch learns from what these apps do, and suggests it.")
                            : localized("It learns from these apps when it is on."), button: switchOn,
                        apps.map { row(for: $0, state, now: now) }),
                scripts(state),
            ].compactMap(\.self))
    }

    private static func row(for app: ParticipatingApp, _ state: SettingsState, now: Date) -> Row {
        var children = [
            Row(
                "include", localized("Record and suggest"), localized("Hunch learns from this app"),
                [.toggle(!app.excluded, on: .include(true, app.app), off: .include(false, app.app))])
        ]
        // A web service cannot ask for anything. Permissions can be revoked.
        if app.installed || app.reader || app.places == true { children += sharing(with: app) }
        let kinds = app.kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        for (kind, count) in kinds {
            children.append(Row("kind-\(kind)", KindWords.title(kind), "", [.text("\(count)")]))
        }
        for pair in state.muted where pair.application == app.app {
            let title =
                if case .device(let device)? = pair.trigger {
                    localized("Its suggestions are muted on %1", state.name(of: device))
                } else {
                    localized("Its suggestions are muted")
                }
            children.append(muted(pair, title: title))
        }
        if app.recorded > 0 {
            children.append(
                Row(
                    "forget", localized("Forget"), localized("Deletes everything that was recorded of it"),
                    [
                        .button(
                            Button(
                                localized("Forget…"), .forgetting(.application(app.app), what: app.name),
                                .destructive))
                    ]))
        }
        return Row(
            app.app.rawValue, app.name, summary(of: app, now: now), icon: .app(app.app), [],
            children: children)
    }

    private static func sharing(with app: ParticipatingApp) -> [Row] {
        [
            Row(
                "reader", localized("Share the history with it"),
                localized("It may read what you did in other apps"),
                [.toggle(app.reader, on: allowReading(app), off: .allowReading(false, app.app))]),
            Row(
                "places", localized("Share places with it"),
                localized("It may suggest places you looked at when you enter an address"),
                [
                    .toggle(
                        app.places == true, on: .allowPlaces(true, app.app),
                        off: .allowPlaces(false, app.app))
                ]),
        ]
    }

    private static func allowReading(_ app: ParticipatingApp) -> Action {
        .ask(
            Question(
                title: localized("Let %1 read what you did in other apps?", app.name),
                text: localized("It can then read the whole history: what you played, where you went, and when."),
                agree: localized("Allow")),
            then: .allowReading(true, app.app))
    }

    private static func summary(of app: ParticipatingApp, now: Date) -> String {
        let roles = app.roles.compactMap { role in
            switch role {
            case "player": localized("player")
            case "content": localized("offers its content")
            case "activities": localized("shows activities")
            case "donations": localized("reports actions")
            case "routing": localized("opens places")
            default: nil as String?
            }
        }
        let recorded =
            app.recorded > 0 ? localizedPlural("%1 action recorded", "%1 actions recorded", app.recorded) : nil
        let last = app.last.flatMap(Dates.date).map { localized("last: %1", LocalDate(now: now).words(for: $0)) }
        let excluded = app.excluded ? localized("excluded") : nil
        let words = ([excluded] + roles + [recorded, last]).compactMap(\.self)
        return words.joined(separator: " · ").withCapital
    }

    private static func scripts(_ state: SettingsState) -> Section? {
        guard !state.scripts.isEmpty else { return nil }
        return Section(
            "scripts", title: localized("Scripts"),
            text: localized("Programs without a desktop entry that may report actions."),
            state.scripts.map { script in
                Row(
                    script, script, "",
                    [.button(Button(localized("Revoke"), .revokeScript(script), .destructive))])
            })
    }
}

/// The words for kinds of actions.
enum KindWords {
    /// Returns the name of a kind; the kind itself if an app declared it.
    static func title(_ kind: String) -> String {
        switch kind {
        case "playMedia": localized("Played media")
        case "getDirections": localized("Routes")
        case "openItem": localized("Opened documents and pages")
        case "sendMessage": localized("Messages")
        case "startCall": localized("Calls")
        case "getReservationDetails": localized("Reservations")
        default: kind
        }
    }
}
