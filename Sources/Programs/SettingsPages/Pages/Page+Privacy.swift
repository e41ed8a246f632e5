public import CommandReports
internal import AgentInterface
public import FoundationEssentials
internal import HunchModel
internal import Localization

extension Page {
    /// Returns the page about recording and forgetting.
    public static func privacy(_ state: SettingsState, now: Date) -> Page {
        if let notice = notice(state.agent) { return Page(.privacy, notice: notice) }
        return Page(.privacy, [recording(state), forgetting(state, now: now), history(state, now: now)])
    }

    // MARK: Recording

    private static func recording(_ state: SettingsState) -> Section {
        let titles = [
            "calendar": (
                localized("Calendar"),
                localized("To tell you when to leave for appointments. Events are read, but not kept.")
            ),
            "apps": (localized("Apps"), localized("Which apps you start")),
            "files": (
                localized("Files"), localized("Which documents you open, in your home folder and not in hidden ones")
            ),
            "messages": (localized("Messages"), localized("To whom you write, in apps that report it")),
            "calls": (localized("Calls"), localized("Whom you call, in apps that report it")),
            "location": (
                localized("Location"), localized("Where this computer is, to suggest things at home and at work")
            ),
        ]
        var rows = [
            Row(
                "always", localized("Media and routes"),
                localized(
                    "What you play, the routes that you ask for, and what became of suggestions. Recorded while Hunch is on."
                ))
        ]
        rows += state.categories.sorted { $0.key < $1.key }.map { category, isOn in
            var (title, text) = titles[category] ?? (category, "")
            let part = state.status?.parts.first { $0.id == category && $0.level == .limited }
            if isOn, let part { text = part.text.withCapital + "." }
            return Row(
                category, title, text,
                [.toggle(isOn, on: .record(true, category: category), off: .record(false, category: category))])
        }
        rows.append(retention(state))
        rows += UserSetting.allCases.map { setting in
            Row(
                setting.rawValue, setting.title, setting.explanation,
                [
                    .toggle(
                        state.switchedOn.contains(setting), on: .set(setting, isOn: true),
                        off: .set(setting, isOn: false))
                ])
        }
        return Section(
            "recording", title: localized("Recorded"),
            text: localized("Kept on this computer, in a folder that only you can read."), rows)
    }

    private static func retention(_ state: SettingsState) -> Row {
        let usual: [UInt32] = [7, 30, 120, 365, 3_650]
        let days = usual.contains(state.retentionDays) ? usual : (usual + [state.retentionDays]).sorted()
        let choices = days.map { days in
            let label =
                switch days {
                case 365: localized("A year")
                case 3_650: localized("Ten years")
                default: localizedPlural("%1 day", "%1 days", Int(clamping: days))
                }
            let keep = Action.keep(days: days)
            guard days < state.retentionDays else { return Choice(label, keep) }
            return Choice(
                label,
                .ask(
                    Question(
                        title: localized("Delete older data?"),
                        text: localizedPlural(
                            "Hunch deletes everything older than %1 day now. This cannot be undone.",
                            "Hunch deletes everything older than %1 days now. This cannot be undone.",
                            Int(clamping: days)), agree: localized("Delete")), then: keep))
        }
        return Row(
            "retention", localized("Kept for"), localized("Older data is deleted every day."),
            [.choice(choices, selected: days.firstIndex(of: state.retentionDays))])
    }

    // MARK: Forgetting

    private static func forgetting(_ state: SettingsState, now: Date) -> Section {
        func since(_ label: String, _ question: String, _ seconds: Double) -> Choice {
            Choice(label, .forgetTime(since: now.addingTimeInterval(-seconds), question: question))
        }
        let running = Row("running", localized("Forgetting…"), localized("The files are rewritten."), [.progress(nil)])
        return Section(
            "forgetting", title: localized("Forget"),
            text: localized("Apps and devices are forgotten on their pages."),
            [
                Row(
                    "time", localized("Lately"), localized("Everything of the time that you choose"),
                    [
                        .choice(
                            [
                                Choice(localized("Choose"), .none),
                                since(localized("The last hour"), localized("Forget the last hour?"), 3_600),
                                since(localized("The last day"), localized("Forget the last day?"), 86_400),
                                since(localized("The last week"), localized("Forget the last week?"), 604_800),
                                since(localized("The last month"), localized("Forget the last month?"), 2_592_000),
                            ], selected: 0)
                    ]),
                Row(
                    "place", localized("Name of a place, “home” or “work”"),
                    localized("Everything about it. A part of its name is enough."),
                    [.entry(.forgetPlace)]),
                Row(
                    "all", localized("Everything"), localized("Also the places that you named. Other settings stay."),
                    [
                        .button(
                            Button(
                                localized("Forget…"),
                                .ask(
                                    Question(
                                        title: localized("Forget everything?"),
                                        text: localized(
                                            "Hunch deletes all that it recorded and learned, the places that you named, and the items that you imported into the search index. Other settings stay. This cannot be undone."
                                        ),
                                        agree: localized("Forget Everything")), then: .forget(.everything)),
                                .destructive))
                    ]),
            ] + (state.operation(.forget) == nil ? [] : [running]))
    }

    // MARK: The history

    /// The maximum number of actions that the page shows.
    public static let historyLimit = 100

    /// - Parameter details: the app and the time of the action.
    private static func deletion(of action: RecordedAction, _ row: ActionRow, _ details: String) -> Button {
        Button(
            localized("Delete…"),
            .ask(
                Question(
                    title: localized("Delete “%1”?", action.summary),
                    text: details + "\n\n"
                        + localized("Hunch deletes this action, and what it learned from it. This cannot be undone."),
                    agree: localized("Delete")), then: .forget(.action(row))))
    }

    private static func history(_ state: SettingsState, now: Date) -> Section {
        let dates = LocalDate(now: now)
        var rows = (state.actions ?? []).prefix(historyLimit).enumerated().map { number, action in
            let when = Dates.date(action.date).map { dates.words(for: $0) } ?? action.date
            let details = "\(action.name) · \(when)"
            return Row(
                "\(number)", action.summary, details, icon: state.icon(of: action.app),
                ActionRow(action.id).map { [.button(deletion(of: action, $0, details))] } ?? [])
        }
        if rows.isEmpty {
            rows = [
                Row(
                    "nothing",
                    state.actions == nil
                        ? localized("Reading the history…")
                        : state.search.isEmpty
                            ? localized("Nothing is recorded yet") : localized("Nothing matches “%1”", state.search),
                    state.actions != nil && state.search.isEmpty
                        ? localized("Play something for half a minute, or ask for a route.") : "")
            ]
        } else if rows.count == historyLimit {
            rows.append(
                Row(
                    "more",
                    localized("Only the latest %1 actions are shown", historyLimit),
                    localized("Search for others, or export the history.")))
        }
        let export =
            state.operation(.export) == nil
            ? Button(localized("Export…"), .choose(.export)) : Button(localized("Stop Export"), .cancel(.export))
        return Section(
            "history", title: localized("History"), button: export,
            search: SearchField(state.search, label: localized("Search the history"), .search), rows)
    }
}
