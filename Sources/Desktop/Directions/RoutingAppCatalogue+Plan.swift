public import HunchModel
public import Prediction
internal import Localization
internal import Regions

extension RoutingAppCatalogue {
    /// Returns the apps that can answer a request, best first, and the reasons why the others cannot. If none shows a
    /// route, the apps of the nearest travel modes come instead; see ``DirectionsPlan/modesInstead``.
    ///
    /// An app can answer if it is installed, one of its services covers both ends (only the destination if the source
    /// is unknown) and serves a requested mode, and one of its links can be filled. If the area is only estimated, the
    /// app is also offered outside, but ranks lower and has a caution.
    ///
    /// - Parameters:
    ///   - request: the request. Ends without coordinates are only possible for apps that serve everywhere and search
    ///     themselves.
    ///   - here: the user's position, if known: the source of a request from the current location. If the source is unknown, it
    ///     only tells how far the destination is.
    ///   - isLink: whether the user clicked a link. If it has only a destination, an app that shows the place does
    ///     all that was asked. Otherwise an app that shows the route is better.
    ///   - preferences: the learned preferences, by an app's own or installed identifier. Without any, apps that can
    ///     show the requested route come first: the default handler of `geo:` links, then other programs, then web
    ///     services by their use in the country of the destination. Then come those whose links lack the source or
    ///     the mode or that may not serve the route, then those that only show the place.
    ///   - excluded: the apps that the user excluded, by either identifier.
    ///   - handingBack: the apps that just received the request and handed it back, by either identifier.
    ///   - limit: the maximum number of offers. With a limit there are no omissions, and the time grows with the apps that
    ///     may serve the destination. `nil` for all offers and omissions.
    public func plan(
        for request: DirectionsRequest, here: Coordinate? = nil, isLink: Bool = false,
        preferences: [AppID: RoutingHabits.Choice] = [:], excluding excluded: Set<AppID> = [],
        handingBack: [AppID] = [],
        limit: Int? = nil
    ) -> DirectionsPlan {
        func plan(_ request: DirectionsRequest) -> DirectionsPlan {
            exactPlan(
                for: request, here: here, isLink: isLink, preferences: preferences, excluding: excluded,
                handingBack: handingBack, limit: limit)
        }
        let exact = plan(request)
        guard !exact.hasRoute, let modes = Self.nearestModes(request.modes) else { return exact }
        var other = request
        other.travel(by: modes)
        var nearest = plan(other)
        guard nearest.hasRoute else { return exact }
        nearest.request = request
        nearest.modesInstead = other.modes
        return nearest
    }

    /// Returns the modes that come nearest to ones that few apps serve; `nil` for others.
    private static func nearestModes(_ modes: [TransportMode]) -> Set<TransportMode>? {
        guard !modes.isEmpty else { return nil }
        if Set(modes).isSubset(of: [.taxi, .rideShare]) { return [.car] }
        return modes.contains(.plane) ? TransportMode.transit : nil
    }

    private func exactPlan(
        for request: DirectionsRequest, here: Coordinate?, isLink: Bool, preferences: [AppID: RoutingHabits.Choice],
        excluding excluded: Set<AppID>, handingBack: [AppID], limit: Int?
    ) -> DirectionsPlan {
        let source: MapItem? =
            switch request.source {
            case .unknown: nil
            case .currentLocation: here.map { MapItem(coordinate: $0) }
            case .place(let item): item
            }
        let start = request.source == .unknown ? here : source?.coordinate
        let length = RouteLength(from: start, to: request.destination)
        let ends = [
            EndCoverage(source, roughly: request.roughSource, regions),
            // Apps search for words near the start.
            EndCoverage(request.destination, roughly: request.roughDestination ?? start, regions),
        ]
        let prior = RoutingPrior(request, isLink: isLink)
        var ranked: [RankedApp] = []
        var omissions: [DirectionsPlan.Omission] = []
        let wanted = Set(request.modes)
        for app in limit == nil ? apps : self.apps(for: ends[1]) {
            let installed = installedIDs[app.id]
            func isAmong(_ names: some Collection<AppID>) -> Bool {
                !names.isEmpty && (names.contains(app.id) || installed.map(names.contains) ?? false)
            }
            var against: [Exclusion] = []
            if isAmong(excluded) { against.append(.muted) }
            if isAmong(handingBack) { against.append(.handedBack) }
            if app.kind == .native, installed == nil { against.append(.notInstalled) }
            func judged(asksForMode: Bool = true) -> Result<RoutingFit, Faults> {
                judge(
                    app, request, by: wanted, asksForMode: asksForMode, ends: (ends[0], ends[1]), length, here: here,
                    against)
            }
            var judgement = judged()
            // An app that searches for the words is of use without the mode, too.
            if case .failure = judgement, request.destination.coordinate == nil, !wanted.isEmpty,
                case .success(let fit) = judged(asksForMode: false), fit.link.isSearch
            {
                judgement = .success(fit)
            }
            switch judgement {
            case .failure(let faults):
                if limit == nil { omissions.append(DirectionsPlan.Omission(app: app, reasons: faults.reasons)) }
            case .success(let fit): ranked.append(rank(app, fit, prior, preferences))
            }
        }
        let keys = ranked.map { (score: $0.score, tieBreak: prior.tieBreak($0.app.id)) }
        let order = keys.indices.sorted {
            keys[$0].score == keys[$1].score ? keys[$0].tieBreak < keys[$1].tieBreak : keys[$0].score > keys[$1].score
        }
        return DirectionsPlan(
            request: request,
            offers: order.prefix(limit ?? .max).map { offer(ranked[$0], request, prior, handingBack) },
            offerCount: ranked.count,
            // An app that only searches for the words shows a route in another mode.
            hasRoute: ranked.contains { $0.app.opening == .route && !$0.fit.modes.isEmpty }, omissions: omissions)
    }

    /// Returns the apps that may serve an end: those with a service for its regions, or for no certain area.
    private func apps(for end: EndCoverage) -> [RoutingApp] {
        guard let regions = end.regions else { return apps }
        let here = regions.flatMap { appsOfRegions[$0] ?? [] }
        return Set(here + appsOfNoRegion).sorted().map { apps[$0] }
    }

    private struct Faults: Error {
        let reasons: [Exclusion]
    }

    private func judge(
        _ app: RoutingApp, _ request: DirectionsRequest, by wanted: Set<TransportMode>, asksForMode: Bool,
        ends: (source: EndCoverage, destination: EndCoverage), _ length: RouteLength,
        here: Coordinate?, _ against: [Exclusion]
    ) -> Result<RoutingFit, Faults> {
        var reasons = against
        let wanted = asksForMode ? wanted : []
        let services =
            wanted.isEmpty
            ? app.services : app.services.filter { $0.modes.isEmpty || !$0.modes.isDisjoint(with: wanted) }
        if services.isEmpty {
            reasons.append(.modeUnsupported(TransportMode.allCases.filter(app.modes.contains)))
        }
        var serving = services.filter { ends.source.isPlausible(for: $0) && ends.destination.isPlausible(for: $0) }
        var mayNotServe = serving.isEmpty
        if mayNotServe {
            serving = services.filter {
                $0.isEstimate || ends.source.mayBeServed(by: $0) && ends.destination.mayBeServed(by: $0)
                    || $0.template.isByName && Self.mayServe($0, ends.source, ends.destination)
            }
        }
        if serving.isEmpty, !services.isEmpty {
            if services.allSatisfy({ ends.source.isUndecided(for: $0) || ends.destination.isUndecided(for: $0) }) {
                reasons.append(.needsCoordinates)
            } else {
                reasons.append(.outsideCoverage(unserved(services, ends)))
            }
        }
        // Most apps of a large catalogue end here.
        guard reasons.isEmpty else { return .failure(Faults(reasons: reasons)) }
        let served = serving.reduce(into: Set<TransportMode>()) { $0.formUnion($1.modes) }
        let modes = (wanted.isEmpty ? TransportMode.allCases : request.modes).filter(served.contains)
        // The first of several modes is in the link, whichever service carries it.
        let first = wanted.isEmpty ? nil : modes.first
        let ordered = serving.filter { service in first.map(service.modes.contains) ?? false } + serving
        func filled(_ request: DirectionsRequest) -> LaunchTemplate.Link? {
            ordered.lazy.compactMap { service in
                service.template.link(
                    for: request, mode: asksForMode ? modes.first { service.modes.contains($0) } ?? modes.first : nil,
                    here: here, serving: service.modes)
            }.first
        }
        var (link, isRough) = (filled(request), false)
        if link == nil, let request = request.onMap { (link, isRough) = (filled(request), true) }
        guard let link else {
            let hasOtherWord = serving.contains { service in
                service.template.modeWords.keys.contains {
                    service.template.link(for: request, mode: $0, here: here, serving: service.modes) != nil
                }
            }
            let need =
                hasOtherWord && !modes.isEmpty
                ? .needsModeWord(modes) : Self.need(of: serving.map { $0.template }, for: request)
            return .failure(Faults(reasons: [need]))
        }
        let families = TransportMode.families(link.carriedModes)
        let others =
            link.missing.contains(.mode)
            ? [] : request.modes.filter { TransportMode.families([$0]).isDisjoint(with: families) }
        let isRegional =
            !mayNotServe && serving.contains { $0.squareKilometres.map { $0 < Self.regionalArea } ?? false }
        let kilometres = length.kilometres
        if let kilometres, app.opening == .route, !modes.isEmpty,
            serving.allSatisfy({ $0.scope == .city }) && kilometres > Self.cityReach
                || !modes.contains(where: length.allows)
        {
            mayNotServe = true
        }
        return .success(
            RoutingFit(
                modes: asksForMode ? modes.filter { !request.modes.isEmpty || length.allows($0) } : [],
                otherModes: others, link: link, isRough: isRough, mayNotServe: mayNotServe,
                isShortForIt: serving.allSatisfy { $0.scope == .intercity }
                    && (kilometres ?? 0) < Self.intercityDistance,
                isLongForIt: serving.allSatisfy { $0.scope == .city }
                    && kilometres.map { $0 > Self.cityReach } ?? request.destination.isTown,
                isRegional: isRegional,
                statedArea: serving.filter { !$0.isEstimate && $0.scope != .intercity }.compactMap(\.squareKilometres)
                    .min()))
    }

    /// Returns whether a service that looks up names may serve a route of which it serves one end, and the other one is only
    /// words.
    private static func mayServe(_ service: RoutingApp.Service, _ source: EndCoverage, _ destination: EndCoverage)
        -> Bool
    {
        source.isKnown(in: service) && destination.isUndecided(for: service)
            || source.isUndecided(for: service) && destination.isKnown(in: service)
    }

    /// The maximum distance for a city planner, in km as the crow flies. Most regions of such planners are smaller.
    private static let cityReach = 100.0
    /// The minimum distance for intercity planners, in km.
    private static let intercityDistance = 50.0
    /// The size in km² below which an area is regional: a fifth of all land. Russia with Central Asia has 2.4·10^7.
    private static let regionalArea = 3e7

    private func rank(
        _ app: RoutingApp, _ fit: RoutingFit, _ prior: RoutingPrior, _ preferences: [AppID: RoutingHabits.Choice]
    ) -> RankedApp {
        let desktopID = app.kind == .web ? nil : installedIDs[app.id]
        let isDefault = defaultHandler != nil && desktopID == defaultHandler
        let preference = desktopID.flatMap { preferences[$0] } ?? preferences[app.id]
        let weight = prior.weight(of: app, fit, isDefault: isDefault, isLearned: preference != nil)
        // The user's choices count more than the desktop's settings and other people's choices.
        let score = (preference.map { 0.8 * min(max($0.likelihood, 0), 1) } ?? 0) + 0.2 * weight
        return RankedApp(app: app, fit: fit, isDefault: isDefault, preference: preference, score: score)
    }

    private func offer(
        _ ranked: RankedApp, _ request: DirectionsRequest, _ prior: RoutingPrior, _ tried: [AppID]
    ) -> DirectionsPlan.Offer {
        let (app, fit, preference) = (ranked.app, ranked.fit, ranked.preference)
        let cautions = DirectionsPlan.Caution.all(fit)
        let isAskedFor =
            !request.modes.isEmpty && !fit.modes.isEmpty && Set(fit.modes).isSubset(of: [.taxi, .rideShare])
        let isRide = app.isRideShareOnly || isAskedFor && !fit.link.missing.contains(.mode)
        var explanation = preference?.explanation ?? []
        explanation.reasons += prior.reasons(for: app, fit, isDefault: ranked.isDefault).map { .init($0) }
        explanation.reasons += cautions.map { .init($0.description) }
        if app.kind == .native { explanation.reasons.append(.init(localized("it is installed"))) }
        return DirectionsPlan.Offer(
            app: app, modes: fit.modes, launch: launch(app, link: fit.link.uri, tried: tried),
            title: app.title(for: request.destination, isSearch: fit.link.isSearch, isRide: isRide),
            score: ranked.score,
            assumedMode: fit.link.assumedMode, isLearned: preference != nil, isRide: isRide, cautions: cautions,
            explanation: explanation)
    }

    /// Returns the requirement of an app's templates that a request does not meet.
    private static func need(of templates: [LaunchTemplate], for request: DirectionsRequest) -> Exclusion {
        if request.destination.coordinate == nil { return .needsCoordinates }
        if case .place(let source) = request.source { return source.coordinate == nil ? .needsCoordinates : .needsName }
        // A position has no name.
        if request.source == .currentLocation, !templates.isEmpty, templates.allSatisfy(\.isByName) {
            return .needsName
        }
        let needsSource = templates.allSatisfy { $0.toDestination == nil && $0.fromHere == nil }
        return needsSource ? .needsSource : .needsName
    }

    /// Returns the ends that no service covers; both if each is covered by a different service.
    private func unserved(
        _ services: [RoutingApp.Service], _ ends: (source: EndCoverage, destination: EndCoverage)
    ) -> [Exclusion.End] {
        var found: [Exclusion.End] = []
        if !services.contains(where: ends.source.isServed) { found.append(.source) }
        if !services.contains(where: ends.destination.isServed) { found.append(.destination) }
        return found.isEmpty ? [.source, .destination] : found
    }
}

/// An app that can answer, with its score.
private struct RankedApp {
    let app: RoutingApp
    let fit: RoutingFit
    let isDefault: Bool
    let preference: RoutingHabits.Choice?
    let score: Double
}

/// The regions that contain an end of a route.
private struct EndCoverage {
    private enum Knowledge {
        /// The request has no such end.
        case notAsked
        case regions(Set<String>)
        /// The coordinate is unknown. The regions are those around its rough position.
        case unknown(roughly: Set<String>)
    }

    private let knowledge: Knowledge

    /// - Parameters:
    ///   - place: the place; `nil` if the end is unknown and not requested.
    ///   - rough: its rough position, if it has no coordinate.
    init(_ place: MapItem?, roughly rough: Coordinate?, _ regions: RegionIndex) {
        guard let place else {
            knowledge = .notAsked
            return
        }
        func around(_ position: Coordinate) -> Set<String> { Set(regions.regions(containing: position)) }
        knowledge = place.coordinate.map { .regions(around($0)) } ?? .unknown(roughly: rough.map(around) ?? [])
    }

    /// The regions that contain the place; `nil` without its coordinate.
    var regions: Set<String>? { if case .regions(let regions) = knowledge { regions } else { nil } }

    func isServed(by service: RoutingApp.Service) -> Bool {
        guard let region = service.region else { return true }
        return switch knowledge {
        case .notAsked: true
        case .regions(let regions): regions.contains(region)
        case .unknown: false
        }
    }

    /// Returns whether the coordinate of the place is known, and a service serves it.
    func isKnown(in service: RoutingApp.Service) -> Bool {
        if case .regions = knowledge { isServed(by: service) } else { false }
    }

    /// Returns whether a service serves the place, or may serve it because its area is an estimate and the coordinate
    /// of the place is unknown.
    func isPlausible(for service: RoutingApp.Service) -> Bool {
        isServed(by: service) || service.isEstimate && isUndecided(for: service)
    }

    /// Returns whether a service serves the place, or its rough position if its coordinate is unknown.
    func mayBeServed(by service: RoutingApp.Service) -> Bool {
        if case .unknown(let regions) = knowledge, let region = service.region { return regions.contains(region) }
        return isServed(by: service)
    }

    /// Returns whether it cannot be decided whether a service serves the place, because the coordinate is unknown.
    func isUndecided(for service: RoutingApp.Service) -> Bool {
        if case .unknown = knowledge { service.region != nil } else { false }
    }
}

extension MapItem {
    /// Whether it is a town as a whole. Most journeys to one come from another town.
    fileprivate var isTown: Bool {
        guard let address, address.street == nil, let city = address.city else { return false }
        return name == nil || name == city
    }
}
