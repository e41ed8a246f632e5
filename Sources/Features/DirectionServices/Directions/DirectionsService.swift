internal import DesktopFiles
package import Agent
internal import Apps
package import AgentInterface
internal import Directions
internal import FoundationEssentials
internal import Geocoding
internal import History
internal import EventLoops
package import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization
internal import Gazetteers
internal import Prediction
internal import Regions
internal import Suggestions
internal import Surfaces

/// Answers requests for directions.
package actor DirectionsService: Feature {
    package static let name = "directions"

    package let environment: AgentEnvironment
    private let desk: SuggestionDesk
    private let gazetteer: GazetteerFile?
    private let geocoder: GazetteerGeocoder
    private let online: OnlinePlaces
    private var catalogue: RoutingAppCatalogue
    private var linkForms: OwnLinkForms
    private var fingerprint: FolderFingerprint
    /// The directions that were just opened.
    private var handovers = RecentHandovers()

    /// Loads the coverage files and finds the installed apps, on the thread for blocking work.
    package init(_ environment: AgentEnvironment, desk: SuggestionDesk) async throws {
        self.environment = environment
        self.desk = desk
        online = OnlinePlaces(
            bus: environment.bus, directories: environment.configuration.directories, worker: environment.worker)
        gazetteer = try? GazetteerFile(environment: environment.configuration.environment)
        geocoder = GazetteerGeocoder(gazetteer, executor: environment.worker)
        (catalogue, linkForms, fingerprint) = try await Self.load(environment.configuration, environment.installed)
        for problem in loadingProblems { problems.report(problem) }
    }

    package func handle(_ event: CoreEvent) {
        guard case .carriedOut(let suggestion, _) = event, case .openDirections(let launch) = suggestion.action,
            let application = launch.desktopID, let request = try? DirectionsRequest(uri: launch.uri)
        else { return }
        handovers.note(application, for: request, at: milliseconds)
    }

    private var milliseconds: Int { Int(clamping: configuration.now().microseconds / 1_000) }

    package func completed(_ status: AgentStatus, isComplete: Bool) async throws -> AgentStatus {
        var status = status
        let hasGazetteer = if let gazetteer { try await worker.run { gazetteer.exists } } else { false }
        let count = catalogue.regions.regions.count
        status.parts += [
            PartReport(
                "gazetteer", localized("gazetteer"), state: hasGazetteer ? "installed" : "none",
                hasGazetteer ? localized("installed") : localized("none"), hasGazetteer ? .ok : .limited),
            PartReport("coverage", localized("coverage regions"), state: "loaded", "\(count)", count: count),
        ]
        return status
    }

    /// The problems of loading, as sentences.
    private var loadingProblems: [String] {
        catalogue.regions.problems.map { "\($0)" } + catalogue.problems.map { "\($0)" }
            + linkForms.problems.map { "\($0.file): \($0.message)" }
    }

    /// Loads the coverage, the routing apps and the user's link forms.
    ///
    /// - Parameter former: the previous coverage, used for files that are broken now.
    private static func load(
        _ configuration: AgentConfiguration, _ installed: InstalledAppsCache, keeping former: RegionIndex? = nil
    ) async throws -> (RoutingAppCatalogue, OwnLinkForms, FolderFingerprint) {
        try await installed.read { installed, fingerprint in
            let environment = configuration.environment
            let folders = CoverageFolder.standard(
                environment: environment, executableFolder: OwnProgram.folder)
            // Take the fingerprint first. Then a change during the load causes another load.
            var fingerprint = fingerprint
            fingerprint.add(entries: installed.entryFiles)
            fingerprint.add(folders.map(\.path) + folders.flatMap { (try? $0.files()) ?? [] })
            let linkForms = OwnLinkForms(environment: environment)
            fingerprint.add([linkForms.folder].compactMap(\.self) + linkForms.files)
            fingerprint.watchLargeFolders()
            let defaults = DefaultApps(environment: environment, installed: installed)
            let catalogue = RoutingAppCatalogue(
                regions: try RegionIndex(folders: folders, keeping: former), installed: installed,
                defaultHandler: defaults.mapApplication,
                locales: DesktopEntry.localeNames(for: configuration.messageLocale))
            return (catalogue, linkForms, fingerprint)
        }
    }

    /// Returns the catalogue, reloaded if one of its folders has changed.
    private func currentCatalogue() async throws -> RoutingAppCatalogue {
        let fingerprint = fingerprint
        return try await worker.run { fingerprint.isCurrent } ? catalogue : try await reload()
    }

    private func reload() async throws -> RoutingAppCatalogue {
        let known = Set(loadingProblems)
        (catalogue, linkForms, self.fingerprint) = try await Self.load(
            configuration, installed, keeping: catalogue.regions)
        for problem in loadingProblems where !known.contains(problem) { problems.report(problem) }
        return catalogue
    }

    // MARK: The interface

    package nonisolated func interfaces() -> [ObjectPath: [ExportedInterface]] { [HunchNames.root: [interface]] }

    private nonisolated var interface: ExportedInterface {
        ExportedInterface(
            evolving: HunchNames.directions,
            [
                .method("Suggest", arguments: ["request"], results: ["resolved", "suggestions", "excluded"]) {
                    [self] (call, request: VariantMap) async throws
                        -> (DirectionsAnswer.Resolved, [ObjectPath], [DirectionsAnswer.Exclusion]) in
                    let permission = try await callers.permission(of: call)
                    let answer = try await suggest(
                        DirectionsQuery(checked: request), by: permission, for: Requester(permission, call))
                    return (answer.resolved, answer.suggestions, answer.excluded)
                },
                .method("Parse", arguments: ["uri"], results: ["request"]) {
                    [self] (_, text: String) async throws -> DirectionsQuery in
                    try await DirectionsQuery(request(DirectionsQuery(checked: ["uri": .string(text)])))
                },
                .method("Geocode", arguments: ["text", "options"], results: ["places"]) {
                    [self] (call, text: String, options: VariantMap) async throws -> [PlaceReport] in
                    try await geocode(text, options, by: call)
                },
                .method("ReverseGeocode", arguments: ["latitude", "longitude", "options"], results: ["places"]) {
                    [self] (_, latitude: Double, longitude: Double, options: VariantMap) async throws -> [PlaceReport]
                    in
                    try await reverseGeocode(latitude, longitude, options)
                },
                .method("RoutingApps", results: ["apps"]) { [self] call async throws -> [RoutingAppReport] in
                    try await callers.permission(of: call).mayLook()
                    return try await routingApps()
                },
                .method("Places", results: ["places"]) { [self] call async throws -> [String: MapItem] in
                    try await callers.permission(of: call).mustBePerson("read the places that the person named")
                    return try await history.use { store, _ in try store.ownPlaces() }
                },
                .method("SetPlace", arguments: ["name", "place"], results: ["changed"]) {
                    [self] (call, name: String, place: VariantMap) async throws -> Bool in
                    try await callers.permission(of: call).mustBePerson("name the person's places")
                    let item = place.isEmpty ? nil : try MapItem(checked: place)
                    let isChanged = try await history.use { store, _ in try store.setOwnPlace(item, named: name) }
                    if isChanged { await desk.tell(.recordsChanged) }
                    return isChanged
                },
            ])
    }

    /// The default maximum number of suggestions for a request.
    private static let usualOffers = 12
    /// The maximum number of suggestions that a caller may request. As many are kept for it.
    private static let mostOffers = SuggestionLimits().requested

    /// To a caller that may not see what apps do, the answer has no habits and no missing or excluded apps.
    private func suggest(
        _ query: DirectionsQuery, by permission: CallerPermission, for requester: Requester
    ) async throws -> DirectionsAnswer {
        let isStranger = (try? permission.mayLook()) == nil
        var query = query
        if let link = query.uri { query.uri = try await online.followed(link, for: permission) }
        let request = try await request(query)
        var resolved = ResolvedDirections(request: request)
        if request.needsGeocoding {
            // Apps must not learn the position from what is near it.
            let here = permission == .person ? await present.position()?.coordinate : nil
            resolved = try await DirectionsPlanner(geocoder: geocoder(for: permission)).resolve(request, here: here)
        }
        let limit = min(max(query.limit.map(Int.init) ?? Self.usualOffers, 1), Self.mostOffers)
        // Only a clicked link can be one that an app handed back.
        let returnedBy = query.ask == nil ? [] : handovers.applications(for: resolved.request, at: milliseconds)
        let handingBack = (query.excluded ?? []) + returnedBy
        let isLink = query.ask != nil
        let plan = try await plan(
            for: resolved.request, isLink: isLink, byHabits: !isStranger, handingBack: handingBack,
            limit: query.explain == true ? nil : limit)
        var report = resolved.report
        report.offers = UInt32(clamping: plan.offerCount)
        // Do not ask after a hand-back: the app would hand the link back again.
        let asks = try !isStranger && returnedBy.isEmpty && Self.asks(query, about: plan, of: resolved)
        if asks {
            let places = try await routes(toEachOf: resolved, isLink: isLink, handingBack: handingBack)
            if let words = resolved.words, places.count > 1 {
                let paths = try await desk.present(places, for: requester, as: .requested)
                if try await desk.ask(.whichPlace(words), paths.map(\.lastElement), for: permission.requester) {
                    report.hasAsked = true
                    return DirectionsAnswer(report, suggestions: paths)
                }
            }
        }
        // A clicked link is shown to a user. An app that asks knows what it asks for, and right after a start the look-up
        // would wait until the history is learned.
        let town = isLink ? await town(near: plan.request.destination) : nil
        let routes = plan.offers.prefix(limit).map {
            $0.suggestion(desk.makeIdentifier(), for: plan.request, near: town, until: configuration.offerEnd)
        }
        let paths = try await desk.present(routes, for: requester, as: .requested)
        if asks {
            let asked = try await desk.ask(.whichApp, paths.map(\.lastElement), for: permission.requester)
            report.hasAsked = asked
        }
        guard query.explain == true else { return DirectionsAnswer(report, suggestions: paths) }
        return DirectionsAnswer(
            report, suggestions: paths,
            excluded: plan.omissions.flatMap { omission in
                // Installed and muted apps are private.
                omission.reasons.filter { !isStranger || ($0 != .notInstalled && $0 != .muted) }
                    .map { $0.report(of: omission.app) }
            })
    }

    private func request(_ query: DirectionsQuery) async throws -> DirectionsRequest {
        do throws(DBusError) {
            return try DirectionsRequest(query, parser: linkForms.parser)
        } catch {
            // The user may just have added the form of this link.
            let fingerprint = fingerprint
            guard query.uri != nil, try await !worker.run({ fingerprint.isCurrent }) else { throw error }
            _ = try await reload()
            return try DirectionsRequest(query, parser: linkForms.parser)
        }
    }

    /// The maximum distance in metres of a town after which a position is named.
    private static let vicinity = 30_000.0

    /// Returns the name of the place nearest to a destination that has only a position; `nil` if the destination has
    /// words, or none is near.
    private func town(near destination: MapItem) async -> String? {
        guard let position = destination.coordinate, destination.name == nil, destination.address == nil,
            destination.query == nil
        else { return nil }
        // Without a gazetteer the position itself is the title.
        let nearest = try? await geocoder(showing: .none).places(near: position, limit: 1).first
        guard let nearest, let distance = nearest.distance, distance < Self.vicinity else { return nil }
        return nearest.item.name
    }

    /// Returns the best route to each of the places among which the user has to choose.
    private func routes(
        toEachOf resolved: ResolvedDirections, isLink: Bool, handingBack: [AppID]
    ) async throws -> [Suggestion] {
        guard case .ambiguous(let places) = resolved.destination else { return [] }
        var routes: [Suggestion] = []
        for place in places.prefix(SuggestionDesk.choiceLimit) {
            let request = resolved.choosing(destination: place).request
            let plan = try await plan(for: request, isLink: isLink, handingBack: handingBack, limit: 1)
            if let offer = plan.offers.first {
                routes.append(
                    offer.suggestion(
                        desk.makeIdentifier(), for: request, place: place.label, until: configuration.offerEnd))
            }
        }
        return routes
    }

    /// Whether to ask the user which place or which app is meant.
    private static func asks(
        _ query: DirectionsQuery, about plan: DirectionsPlan, of resolved: ResolvedDirections
    ) throws(DBusError) -> Bool {
        switch query.ask {
        case nil, "never": return false
        case "unsure": return !plan.isDecided || resolved.isAmbiguous
        case "always": return true
        case .some(let word):
            throw DBusError(.invalidInput, "“\(word.cut(to: 40))” is not when to ask: never, unsure or always")
        }
    }

    /// Plans the apps for a resolved request.
    ///
    /// - Parameters:
    ///   - isLink: whether the user clicked a link, so that showing its place may be enough.
    ///   - byHabits: whether the user's habits and position count.
    ///   - startsHere: whether a route without a source starts at the user's position.
    ///   - handingBack: the apps that were just handed the request and handed it back.
    ///   - limit: the maximum number of offers, without the apps that are left out; `nil` for all, with these.
    func plan(
        for request: DirectionsRequest, isLink: Bool = false, byHabits: Bool = true, startsHere: Bool = true,
        handingBack: [AppID] = [], limit: Int? = nil
    ) async throws -> DirectionsPlan {
        let fingerprint = fingerprint
        async let read = history.use { store, _ in (try store.exclusions(), fingerprint.isCurrent) }
        let choices =
            byHabits ? await habits.routes.choices(for: request.parameters, await present.now()) : [:]
        let isFromHere = request.source == .currentLocation || startsHere && request.source == .unknown
        let here = byHabits && isFromHere ? await present.position()?.coordinate : nil
        let (excluded, isCurrent) = try await read
        return try await (isCurrent ? catalogue : reload()).plan(
            for: request, here: here, isLink: isLink, preferences: choices, excluding: excluded,
            handingBack: handingBack, limit: limit)
    }

    /// Returns the geocoders for a caller: the seen places that it may see, the gazetteer, and the online geocoder if
    /// the user allows it.
    private func geocoder(for caller: CallerPermission) async throws -> GeocoderChain {
        let readers = try await history.use { store, _ in try store.readers() }
        let online = online
        return geocoder(showing: caller.visibleApps(readers: readers)) { query throws(GeocoderError) in
            try await online.candidates(for: query, of: caller)
        }
    }

    /// Returns the geocoders with the seen places of some apps.
    func geocoder(
        showing visible: VisibleApps,
        network: @escaping GeocoderChain.Network = { _ throws(GeocoderError) in nil }
    ) -> GeocoderChain {
        let history = history
        return GeocoderChain(
            gazetteer: geocoder,
            // Home and work are as private as what apps showed.
            own: { visible == .all ? (try? await history.use { store, _ in try store.ownPlaces() }) ?? [:] : [:] },
            seen: { await Self.seenPlaces(in: history, of: visible) }, network: network)
    }

    /// Returns the places that apps showed lately; empty if the history cannot be read.
    private static func seenPlaces(in history: HistoryKeeper, of visible: VisibleApps) async -> [MapItem] {
        guard visible != .none else { return [] }
        let application: AppID? = if case .one(let own) = visible { own } else { nil }
        let places = try? await history.use { store, _ in
            try store.seenPlaces(of: application, limit: SeenPlaces.considered).map(\.place)
        }
        return places ?? []
    }

    private func geocode(_ text: String, _ options: VariantMap, by call: IncomingCall) async throws -> [PlaceReport] {
        try options.checkKeys("limit")
        let query = GeocodingQuery(text, limit: Int(try options.value("limit", as: UInt32.self) ?? 10))
        let candidates = try await geocoder(for: callers.permission(of: call)).candidates(for: query)
        let isCertain = GeocodingOutcome(candidates).isCertain
        return candidates.enumerated().map { index, candidate in
            var report = candidate.report
            report.match.isCertain = isCertain && index == 0
            return report
        }
    }

    private func reverseGeocode(
        _ latitude: Double, _ longitude: Double, _ options: VariantMap
    ) async throws -> [PlaceReport] {
        try options.checkKeys("limit")
        let limit = Int(try options.value("limit", as: UInt32.self) ?? 1)
        return try await geocoder(showing: .none).places(
            near: Coordinate(latitude: latitude, longitude: longitude), limit: limit
        ).map(\.report)
    }

    private func routingApps() async throws -> [RoutingAppReport] {
        let catalogue = try await currentCatalogue()
        return catalogue.apps.map { app in
            let desktopID = catalogue.installedIDs[app.id]
            var report = RoutingAppReport()
            (report.id, report.name) = (app.id, app.name)
            report.opens = app.opening.rawValue
            report.modes = TransportMode.allCases.filter(app.modes.contains).map(\.rawValue)
            report.isInstalled = app.kind == .web || desktopID != nil
            report.isWeb = app.kind == .web
            report.isEverywhere = app.services.contains { $0.isEverywhere(in: catalogue.regions) }
            report.isEstimate = app.services.contains(where: \.isEstimate)
            report.desktopID = desktopID
            return report
        }
    }
}
