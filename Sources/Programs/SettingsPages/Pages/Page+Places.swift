public import CommandReports
internal import AgentInterface
public import FoundationEssentials
public import HunchModel
internal import Localization

extension Page {
    /// Returns the page of routing apps, coverage and places.
    public static func places(_ state: SettingsState, now: Date) -> Page {
        if let notice = notice(state.agent) { return Page(.places, notice: notice) }
        return Page(
            .places,
            [
                own(state), routing(state), choices(state), links(state), gazetteer(state, now: now), online(state),
                // Last, because it shows the areas of apps that the user might not use.
                coverage(state),
            ].compactMap(\.self))
    }

    // MARK: Routing apps

    private static func routing(_ state: SettingsState) -> Section {
        let installed = state.routingApps.filter { $0.isInstalled && !$0.isWeb }
        let used = Dictionary(
            (state.apps ?? []).map { ($0.app, $0.kinds["getDirections"] ?? 0) }, uniquingKeysWith: max)
        func count(_ app: RoutingAppReport) -> Int {
            max(used[app.id] ?? 0, app.desktopID.flatMap { used[$0] } ?? 0)
        }
        let shown = (installed + state.routingApps.filter { $0.isWeb && count($0) > 0 })
            .sorted { (count($1), $0.name) < (count($0), $1.name) }
        let rows = shown.map { app in
            let uses = count(app)
            return Row(
                app.id.rawValue, app.name,
                [modes(of: app), area(of: app)].filter { !$0.isEmpty }.joined(separator: " · ").withCapital,
                icon: state.icon(of: app.desktopID ?? app.id),
                uses > 0 ? [.text(localizedPlural("%1 route", "%1 routes", uses))] : [])
        }
        return Section(
            "routing", title: localized("Routing Apps"),
            text: localized(
                "Hunch suggests those that serve both ends of a route. The ones that you use most come first, for each mode and area."
            ),
            rows.isEmpty
                ? [
                    Row(
                        "nothing", localized("No map app is installed"),
                        localized(
                            "Install one, such as GNOME Maps. Until then, Hunch suggests web services, such as OpenStreetMap."
                        ))
                ] : rows)
    }

    private static func modes(of app: RoutingAppReport) -> String {
        guard app.opens == "route" else { return localized("shows the place only") }
        return app.modes.map(ModeWords.name).joined(separator: localized(", "))
    }

    private static func area(of app: RoutingAppReport) -> String {
        if app.isEverywhere { return localized("everywhere") }
        return app.isEstimate ? localized("estimated area") : localized("its own area")
    }

    // MARK: Choices

    /// The maximum number of combinations of mode and area.
    public static let choiceLimit = 8

    private static func choices(_ state: SettingsState) -> Section? {
        let usual = UsualRoutes(state.routes ?? []).habits.prefix(choiceLimit)
        guard !usual.isEmpty else { return nil }
        return Section(
            "choices", title: localized("You Usually Choose"),
            usual.map { choice in
                // Without a gazetteer, the position is the name of an area.
                let area = choice.area.map { state.areas[$0] ?? "\($0.latitude), \($0.longitude)" }
                let place = area.map { localized("near %1", $0) } ?? localized("to places without a position")
                let mode = choice.mode.map { ModeWords.title($0) }
                return Row(
                    choice.id, choice.applicationName,
                    [mode, place].compactMap(\.self).joined(separator: " · ").withCapital,
                    icon: state.icon(of: choice.application),
                    [.text(localizedPlural("%2 of %1 route", "%2 of %1 routes", choice.total, choice.count))])
            })
    }

    // MARK: Coverage

    /// Returns the routing apps with an area of their own: installed ones first, then web services.
    static func drawable(_ state: SettingsState) -> [RoutingAppReport] {
        state.routingApps.filter { $0.isInstalled && !$0.isEverywhere }
            .sorted { one, other in
                (one.isWeb ? 1 : 0, one.name.lowercased(), one.id.rawValue)
                    < (other.isWeb ? 1 : 0, other.name.lowercased(), other.id.rawValue)
            }
    }

    /// Returns the routing app whose coverage is drawn first: the one that the user chooses most, else one that serves
    /// the surroundings, else the first in the list; `nil` if none has an area of its own.
    ///
    /// - Parameter local: the identifiers of areas around the user, the smallest first.
    public static func firstDrawable(_ state: SettingsState, near local: [AppID] = []) -> AppID? {
        let apps = drawable(state)
        let usual = UsualRoutes(state.routes ?? []).habits.lazy.compactMap { habit in
            apps.first { [$0.id, $0.desktopID].contains(habit.application) }
        }
        let serving = local.lazy.compactMap { id in apps.first { $0.id == id } }
        return (usual.first ?? serving.first ?? apps.first)?.id
    }

    private static func coverage(_ state: SettingsState) -> Section? {
        let apps = drawable(state)
        guard let map = state.coverage, let shown = apps.firstIndex(where: { $0.id == map.application }) else {
            return nil
        }
        let choices = apps.map { Choice($0.name, .drawCoverage($0.id)) }
        return Section(
            "coverage", title: localized("Coverage"),
            text: localized(
                "The area that an app or a web service serves. Those that serve the whole world are not listed."),
            picture: Picture(svg: map.svg, text: localized("A map with the area of %1", apps[shown].name)),
            [
                Row(
                    "app", localized("App"),
                    apps[shown].isEstimate ? localized("Estimated: it may serve places outside.") : "",
                    [.choice(choices, selected: shown)])
            ])
    }

    private static func links(_ state: SettingsState) -> Section? {
        guard let handles = state.handlesLinks else { return nil }
        return Section(
            "links", title: localized("Links to Places"),
            [
                Row(
                    "handler", localized("Open links to places with Hunch"),
                    localized("A “geo:” link then opens in the app that serves the place and that you usually choose."),
                    [.toggle(handles, on: .handleLinks(true), off: .handleLinks(false))])
            ])
    }

    // MARK: The gazetteer

    /// More places than the lists of towns of the distribution have together (32,000), and fewer than GeoNames' cities500.
    private static let townsOnly = 60_000

    private static func title(of source: GazetteerContent.Source) -> String {
        if source.name == "hunch-airports" { return localized("Large airports") }
        let words = source.name.split(separator: "-", maxSplits: 1)
        if words.count == 2, words[0] == "geonames", words[1].hasPrefix("cities"),
            let people = Int(words[1].dropFirst(6))
        {
            return localized("Towns with at least %1 people", LocalNumber.text(people))
        }
        return source.name == "gnome-places" ? localized("Towns and airports with weather reports") : source.name
    }

    private static func gazetteer(_ state: SettingsState, now: Date) -> Section? {
        guard let content = state.gazetteer else { return nil }
        let dates = LocalDate(now: now)
        var rows = content.sources.map { source in
            let places = localizedPlural("%1 place", "%1 places", source.placeCount)
            let houses =
                source.houseCount > 0 ? localizedPlural("%1 house", "%1 houses", source.houseCount) : nil
            let imported = Dates.date(source.importDate).map {
                localized("imported %1", dates.words(for: $0))
            }
            let first = [places, houses, imported].compactMap(\.self).joined(separator: " · ")
            return Row(
                source.name, title(of: source),
                [first, source.attribution].filter { !$0.isEmpty }.joined(separator: "\n"),
                [
                    .button(
                        Button(
                            localized("Remove…"),
                            .ask(
                                Question(
                                    title: localized("Remove “%1”?", title(of: source)),
                                    text: localized("Hunch no longer finds them. You can import them again."),
                                    agree: localized("Remove")), then: .removePlaces(source: source.name))))
                ])
        }
        if let operation = state.operation(.importPlaces) {
            rows.append(
                Row(
                    "import", localized("Importing places…"), operation.text,
                    [
                        .progress(operation.fraction),
                        .button(Button(localizedIn("import", "Stop"), .cancel(.importPlaces))),
                    ]))
        } else {
            if content.sources.isEmpty {
                rows.append(
                    Row(
                        "installed", localized("Import towns"),
                        localized("The lists of towns that are installed on this computer"),
                        [.button(Button(localized("Import"), .importInstalledPlaces, .suggested))]))
            }
            if content.placeCount < townsOnly { rows.append(download(isFirst: content.sources.isEmpty)) }
            rows.append(
                Row(
                    "import", localized("Import places from a file"),
                    localized("A file of GeoNames, OpenStreetMap or OpenAddresses, also with streets and houses"),
                    [.button(Button(localized("Choose…"), .choose(.places)))]))
        }
        return Section(
            "gazetteer", title: localized("Known Places"),
            text: localized("Hunch finds these places without the network."), rows)
    }

    /// The row that downloads more than towns.
    private static func download(isFirst: Bool) -> Row {
        Row(
            "download", localized("Download villages and small towns"),
            isFirst ? localized("All places with 500 people and more") : localized("Only larger towns are known now"),
            [
                .button(
                    Button(
                        localized("Download…"),
                        .ask(
                            Question(
                                title: localized("Download places from GeoNames?"),
                                text: localized(
                                    "Hunch fetches the list “cities500” from download.geonames.org, about 12 MB, and imports it. The server learns your network address."
                                ), agree: localized("Download"), isDestructive: false), then: .downloadPlaces)))
            ])
    }

    // MARK: The network

    private static func online(_ state: SettingsState) -> Section? {
        guard let permissions = state.online else { return nil }
        // There is no public aggregator. “hunch online enable --aggregator” names one.
        let uses = OnlineUse.allCases.filter { $0 != .popularity || permissions.aggregator != nil }
        let rows = uses.map { use in
            let (title, text) = words(for: use, permissions)
            return Row(
                use.rawValue, title, text,
                [.toggle(permissions.allows(use), on: .allowOnline(true, use), off: .allowOnline(false, use))])
        }
        return Section(
            "online", title: localized("Network"),
            text: localized(
                "Off by default. Apart from these and the downloads above, Hunch does not use the network."), rows)
    }

    private static func words(for use: OnlineUse, _ permissions: OnlinePermissions) -> (title: String, text: String) {
        switch use {
        case .places:
            (
                localized("Look up unknown places"),
                localized(
                    "Sends the words of places that this computer does not know to %1. Its operator learns them and your network address.",
                    permissions.url)
            )
        case .links:
            (
                localized("Follow short links"),
                localized("Sends a short link that you open to its server, which learns it and your network address.")
            )
        case .covers:
            (
                localized("Download covers"),
                localized("Asks a streaming service for the cover of an item that Hunch suggests.")
            )
        case .popularity:
            (
                localized("Exchange popularity"),
                localized(
                    "Tells %1 once a day, in random bits, which public search results you opened, so that what many people open comes earlier.",
                    permissions.aggregator ?? "")
            )
        }
    }
}
