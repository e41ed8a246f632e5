internal import AgentInterface
internal import Directions
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Places
internal import Prediction
internal import Regions
internal import Suggestions
internal import Surfaces

/// Answers requests for directions from this machine alone.
actor DirectionsService {
    let configuration: AgentConfiguration
    private let loop: EventLoop
    private let worker: WorkerThread
    private let desk: SuggestionDesk
    let habits: Habits
    private let history: HistoryKeeper
    private let present: PresentContext
    private let gazetteer: GazetteerFile?
    private let geocoder: GazetteerGeocoder
    private let online: OnlinePlaces
    private var catalogue: RoutingAppCatalogue
    private var fingerprint: FolderFingerprint
    private var note: @Sendable (String) async -> Void = { _ in }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Loads the coverage files and looks for installed apps, on the thread for blocking work.
    init(
        configuration: AgentConfiguration, loop: EventLoop, worker: WorkerThread, desk: SuggestionDesk,
        history: HistoryKeeper, habits: Habits, present: PresentContext, bus: Connection
    ) async throws {
        self.configuration = configuration
        self.loop = loop
        self.worker = worker
        self.desk = desk
        self.habits = habits
        self.history = history
        self.present = present
        online = OnlinePlaces(bus: bus, directories: configuration.directories, worker: worker)
        gazetteer = try? GazetteerFile(environment: configuration.environment)
        geocoder = GazetteerGeocoder(gazetteer, executor: worker)
        (catalogue, fingerprint) = try await Self.load(configuration, on: worker)
    }

    /// Says where problems go that are found later, when coverage files or apps have changed.
    func setNote(_ note: @escaping @Sendable (String) async -> Void) { self.note = note }

    /// Whether a gazetteer is installed.
    func hasGazetteer() async throws -> Bool {
        guard let gazetteer else { return false }
        return try await worker.run { gazetteer.exists }
    }
    /// The number of loaded coverage regions.
    var regionCount: Int { catalogue.regions.regions.count }
    /// The faults of loading, in words.
    var problems: [String] {
        catalogue.regions.problems.map { "\($0)" } + catalogue.problems.map { "\($0)" }
    }

    /// - Parameter former: what was loaded before; it stands in for files that are broken now.
    private static func load(
        _ configuration: AgentConfiguration, on worker: WorkerThread, keeping former: RegionIndex? = nil
    ) async throws -> (RoutingAppCatalogue, FolderFingerprint) {
        try await worker.run {
            let environment = configuration.environment
            let folders = CoverageFolder.standard(
                environment: environment, executableFolder: configuration.executableFolder)
            // Taken first: what changes while it is read is then read again.
            var fingerprint = FolderFingerprint(coverage: folders, environment: environment)
            let installed = InstalledApplications(environment: environment)
            fingerprint.add(entries: installed.identifiers.compactMap(installed.file(of:)))
            let defaults = DefaultApplications(environment: environment, installed: installed)
            let catalogue = RoutingAppCatalogue(
                regions: try RegionIndex(folders: folders, keeping: former), installed: installed,
                defaultHandler: defaults.mapApplication,
                locales: DesktopEntry.localeNames(for: configuration.messageLocale))
            return (catalogue, fingerprint)
        }
    }

    /// The catalogue, read anew when a folder that it comes from has changed.
    private func currentCatalogue() async throws -> RoutingAppCatalogue {
        let fingerprint = fingerprint
        return try await worker.run { fingerprint.isCurrent } ? catalogue : try await readAnew()
    }

    private func readAnew() async throws -> RoutingAppCatalogue {
        let known = Set(problems)
        (catalogue, self.fingerprint) = try await Self.load(configuration, on: worker, keeping: catalogue.regions)
        for problem in problems where !known.contains(problem) { await note(problem) }
        return catalogue
    }

    // MARK: The interface

    nonisolated func interface() -> ExportedInterface {
        ExportedInterface(
            HunchNames.directions,
            [
                .method("Suggest", arguments: ["request"], results: ["resolved", "suggestions", "excluded"]) {
                    [self] (call, request: VariantMap) async throws -> (VariantMap, [ObjectPath], [VariantMap]) in
                    let standing = try await CallerStanding.of(call, configuration)
                    let stranger = (try? standing.mayLook()) == nil ? call.sender : nil
                    let answer = try await suggest(request, by: standing, stranger: stranger)
                    return (answer.resolved, answer.suggestions, answer.excluded)
                },
                .method("Geocode", arguments: ["text", "options"], results: ["places"]) {
                    [self] (call, text: String, options: VariantMap) async throws -> [VariantMap] in
                    try await geocode(text, options, by: call)
                },
                .method("ReverseGeocode", arguments: ["latitude", "longitude", "options"], results: ["places"]) {
                    [self] (_, latitude: Double, longitude: Double, options: VariantMap) async throws -> [VariantMap] in
                    try await reverseGeocode(latitude, longitude, options)
                },
                .method("RoutingApps", results: ["apps"]) { [self] call async throws -> [VariantMap] in
                    try await CallerStanding.of(call, configuration).mayLook()
                    return try await routingApps()
                },
                .property("Version", notice: .constant) { HunchNames.version },
            ])
    }

    /// The most suggestions that one request is answered with, where the caller names no other number.
    private static let usualOffers = 12
    /// The most suggestions that a caller may ask for: as many as are kept for it.
    private static let mostOffers = SuggestionLimits().requested

    private struct Answer {
        let resolved: VariantMap
        let suggestions: [ObjectPath]
        let excluded: [VariantMap]
    }

    /// - Parameter stranger: who asks and may not look at what apps do: the answer says nothing of the person's habits nor of
    ///   what is not installed, and what is suggested is shown to nobody else in a sandbox.
    private func suggest(
        _ map: VariantMap, by standing: CallerStanding, stranger: BusName?
    ) async throws -> sending Answer {
        var map = map
        if let link = try map.value("uri", as: String.self) {
            map["uri"] = .string(try await online.followed(link, for: standing))
        }
        let request = try DirectionsRequest(transfer: map)
        var resolved = ResolvedDirections(request: request)
        if request.needsGeocoding {
            resolved = try await DirectionsPlanner(geocoder: geocoder(for: standing)).resolve(request)
        }
        let limit = try map.value("limit", as: UInt32.self).map(Int.init) ?? Self.usualOffers
        // Only what a click started can have come back: other callers just look.
        let cameBack = map["ask"] == nil ? [] : await desk.recentHandovers(of: resolved.request)
        let handingBack = try (map.value("except", as: [String].self) ?? []) + cameBack
        let plan = try await plan(for: resolved.request, byHabits: stranger == nil, handingBack: handingBack)
        var answer = resolved.transfer
        answer["offers"] = .uint32(UInt32(clamping: plan.offers.count))
        // An app that hands a place back opens nothing more for being asked about.
        let asks = try stranger == nil && cameBack.isEmpty && Self.asks(map, about: plan, of: resolved)
        if asks {
            let places = try await routes(toEachOf: resolved, handingBack: handingBack)
            if let words = resolved.words, places.count > 1 {
                let paths = try await desk.offerDirections(places, to: nil, for: standing.requester)
                if try await desk.ask(.whichPlace(words), paths.map(\.lastElement), for: standing.requester) {
                    answer["asked"] = .boolean(true)
                    return Answer(resolved: answer, suggestions: paths, excluded: [])
                }
            }
        }
        let routes = plan.offers.prefix(min(max(limit, 1), Self.mostOffers)).map {
            RequestedRoute($0, for: plan.request)
        }
        let paths = try await desk.offerDirections(routes, to: stranger, for: standing.requester)
        if asks {
            let asked = try await desk.ask(.whichApp, paths.map(\.lastElement), for: standing.requester)
            answer["asked"] = .boolean(asked)
        }
        return Answer(
            resolved: answer, suggestions: paths,
            excluded: plan.omissions.flatMap { omission in
                // What the person has, and what they turned away, is nothing for a stranger.
                omission.reasons.filter { stranger == nil || ($0 != .notInstalled && $0 != .muted) }
                    .map { $0.transfer(for: omission.app) }
            })
    }

    /// The best route to each of the places among which the person has to choose.
    private func routes(
        toEachOf resolved: ResolvedDirections, handingBack: [String]
    ) async throws -> [RequestedRoute] {
        guard case .ambiguous(let places) = resolved.destination else { return [] }
        var routes: [RequestedRoute] = []
        for place in places.prefix(SuggestionDesk.choiceLimit) {
            let request = resolved.choosing(destination: place).request
            let plan = try await plan(for: request, handingBack: handingBack)
            if let offer = plan.offers.first {
                routes.append(RequestedRoute(offer, for: request, place: place.label))
            }
        }
        return routes
    }

    /// Whether a request wants the person asked which place or which app it is to be.
    private static func asks(
        _ map: VariantMap, about plan: DirectionsPlan, of resolved: ResolvedDirections
    ) throws(DBusError) -> Bool {
        switch try map.value("ask", as: String.self) {
        case nil, "never": return false
        case "unsure": return !plan.isDecided || resolved.isAmbiguous
        case "always": return true
        case .some(let word):
            throw DBusError(.invalidInput, "“\(word.cut(to: 40))” is not when to ask: never, unsure or always")
        }
    }

    /// The apps for a request whose ends are known as well as they can be.
    ///
    /// - Parameters:
    ///   - byHabits: whether what was learned of the person counts, and where they are.
    ///   - handingBack: apps that were just handed the request and handed it back.
    func plan(
        for request: DirectionsRequest, byHabits: Bool = true, handingBack: [String] = []
    ) async throws -> DirectionsPlan {
        // The worker thread checks whether files have changed, while this one plans with the catalogue that it has.
        let fingerprint = fingerprint
        async let isCurrent = worker.run { fingerprint.isCurrent }
        let choices =
            byHabits ? await habits.routes.choices(for: request.parameters, await present.now()) : [:]
        let muted = try await history.use { store, _ in Set(try store.exclusions()) }
        let here = byHabits && request.source == .currentLocation ? await present.position()?.coordinate : nil
        let preferences = choices.mapValues {
            RoutingPreference(likelihood: $0.likelihood, explanation: $0.explanation)
        }
        let plan = catalogue.plan(
            for: request, here: here, preferences: preferences, muted: muted, handingBack: handingBack)
        guard try await !isCurrent else { return plan }
        return try await readAnew().plan(
            for: request, here: here, preferences: preferences, muted: muted, handingBack: handingBack)
    }

    /// Returns the geocoders for a caller: seen places that it may know, the gazetteer, and the network if the person
    /// allows it.
    private func geocoder(for caller: CallerStanding) async throws -> GeocoderChain {
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
            gazetteer: geocoder, seen: { await Self.seenPlaces(in: history, of: visible) }, network: network)
    }

    /// Returns the places that apps showed lately; none when the history cannot be read, since they are an addition.
    private static func seenPlaces(in history: HistoryKeeper, of visible: VisibleApps) async -> [MapItem] {
        guard visible != .none else { return [] }
        let application: String? = if case .one(let own) = visible { own } else { nil }
        let places = try? await history.use { store, _ in
            try store.seenPlaces(of: application, limit: SeenPlaces.considered).map(\.place)
        }
        return places ?? []
    }

    private func geocode(_ text: String, _ options: VariantMap, by call: IncomingCall) async throws -> [VariantMap] {
        let query = GeocodingQuery(text, limit: Int(try options.value("limit", as: UInt32.self) ?? 10))
        let candidates = try await geocoder(for: CallerStanding.of(call, configuration)).candidates(for: query)
        let isCertain = GeocodingOutcome(candidates).isCertain
        return candidates.enumerated().map { index, candidate in
            var place = candidate.transfer
            place["certain"] = .boolean(isCertain && index == 0)
            return place
        }
    }

    private func reverseGeocode(
        _ latitude: Double, _ longitude: Double, _ options: VariantMap
    ) async throws -> [VariantMap] {
        let limit = Int(try options.value("limit", as: UInt32.self) ?? 1)
        return try await geocoder(showing: .none).places(
            near: Coordinate(latitude: latitude, longitude: longitude), limit: limit
        ).map(\.transfer)
    }

    private func routingApps() async throws -> [VariantMap] {
        let catalogue = try await currentCatalogue()
        return catalogue.apps.map { app in
            let desktopID = catalogue.installedIDs[app.id]
            var map: VariantMap = [
                "id": .string(app.id), "name": .string(app.name),
                "opens": .string(app.opening.rawValue),
                "modes": TransportMode.allCases.filter(app.modes.contains).map(\.rawValue).dbusValue,
                "installed": .boolean(app.kind == .web || desktopID != nil), "web": .boolean(app.kind == .web),
                "everywhere": .boolean(app.services.contains { $0.isEverywhere(in: catalogue.regions) }),
                "estimate": .boolean(app.services.contains(where: \.isEstimate)),
            ]
            map["desktop-id"] = desktopID.map(Value.string)
            return map
        }
    }
}
