import CommandReports
internal import AgentInterface
internal import HunchModel
internal import Localization

extension Page {
    /// The page of a user who starts Hunch for the first time.
    static func introduction(_ state: SettingsState) -> Page {
        Page(
            .overview,
            notice: Notice(
                icon: "org.hunch.Hunch", title: localized("Hunch suggests what comes next"),
                text: localized(
                    "It notices when headphones connect, a car pairs or an app shows a place. Then it offers what you likely want: the next episode, or the way there. It starts nothing by itself."
                )),
            Notice(
                icon: "channel-secure-symbolic", title: localized("What it keeps stays here"),
                text: localized(
                    "Hunch records what you play, the routes that you ask for and what became of its suggestions, for 120 days, in a folder that only you can read: %1. It sends nothing anywhere unless you allow it. Messages, calls, your location, documents and started apps are not recorded, and your calendar is not read, unless you allow it.",
                    folder(state))),
            Notice(
                icon: "org.hunch.Hunch-symbolic", title: localized("What may it use?"),
                text: localized("Each of these is off until you allow it. You can change it later."),
                rows: uses(state)),
            Notice(
                icon: "emblem-ok-symbolic", title: localized("You decide"),
                text: localized(
                    "Switch it off, pause it, exclude apps and devices, or forget what it learned at any time, on these pages."
                ),
                button: Button(localized("Switch On"), .enable(true), .suggested)))
    }

    /// Returns the folder of the history, as people write it.
    private static func folder(_ state: SettingsState) -> String {
        let usual = "/.local/state/hunch"
        let path = state.status?.history ?? usual
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
        return folder.hasSuffix(usual) || path == usual ? "~" + usual : folder
    }

    /// Returns the rows of what the user may allow, each with what it gives and what it keeps.
    private static func uses(_ state: SettingsState) -> [Row] {
        [
            use(
                "calendar", localized("Calendar"), "x-office-calendar-symbolic",
                localized("Gives: when to leave for appointments, and calls to join."),
                localized("Keeps: nothing. Events are read and not kept."), toggle("calendar", state)),
            use(
                "location", localized("Location"), "find-location-symbolic",
                localized("Gives: what you do at home and at work, and routes from where you are."),
                localized("Keeps: where you stay for a while, until its time limit."), toggle("location", state)),
            use(
                "places", localized("Places"), "mark-location-symbolic",
                localized("Gives: towns and addresses that Hunch understands without the network."),
                localized("Keeps: the list, and nothing about you."), places(state)),
            use(
                "browser", localized("Browser"), "web-browser-symbolic",
                localized("Gives: routes to what you look at, with Hunch's extension. Add it in the browser."),
                localized("Keeps: title, address and place of pages about places, events and reservations."),
                browser(state)),
        ].compactMap(\.self)
    }

    /// Returns a row; `nil` if its control is not known yet or there is nothing to allow.
    private static func use(
        _ id: Row.ID, _ title: String, _ icon: String, _ gives: String, _ keeps: String, _ control: Control?
    ) -> Row? {
        control.map { Row(id, title, "\(gives)\n\(keeps)", icon: .symbol(icon), [$0]) }
    }

    private static func toggle(_ category: String, _ state: SettingsState) -> Control? {
        state.categories[category].map {
            .toggle($0, on: .record(true, category: category), off: .record(false, category: category))
        }
    }

    private static func places(_ state: SettingsState) -> Control? {
        if let operation = state.operation(.importPlaces) { return .progress(operation.fraction) }
        return state.gazetteer.map {
            $0.sources.isEmpty
                ? .button(Button(localized("Import"), .importInstalledPlaces))
                : .text(localizedPlural("%1 place", "%1 places", $0.placeCount))
        }
    }

    private static func browser(_ state: SettingsState) -> Control? {
        guard let browsers = state.browsers, !browsers.isEmpty else { return nil }
        return browsers.allSatisfy(\.isConnected)
            ? .text(localizedIn("browser", "Connected"))
            : .button(Button(localizedIn("browser", "Connect"), .connectBrowsers))
    }
}
