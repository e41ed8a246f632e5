internal import Glibc
public import HunchModel
internal import Localization
internal import Regions

extension RoutingAppCatalogue {
    /// Returns the apps that can answer a request, best first, and the reasons why the others cannot.
    ///
    /// An app can answer if it is installed, one of its services covers both ends (only the destination if the source
    /// is unknown) and serves a requested mode, and one of its links can be filled. If the area is only estimated, the
    /// app is also offered outside, but ranks lower and has a caution.
    ///
    /// - Parameters:
    ///   - request: the request. Ends without coordinates are only possible for apps that serve everywhere and search
    ///     themselves.
    ///   - here: the person's position, if known: the source of a request from the current location.
    ///   - preferences: the learned preferences, by an app's own or installed identifier. Without any, the default
    ///     handler of `geo:` links comes first, then other programs, then web services. Among equals, apps rank higher
    ///     that serve more modes, use open data, state their area or can carry the whole request.
    ///   - excluded: the apps that the person excluded, by either identifier.
    ///   - handingBack: the apps that just received the request and handed it back, by either identifier.
    public func plan(
        for request: DirectionsRequest, here: Coordinate? = nil,
        preferences: [AppID: RoutingPreference] = [:], excluding excluded: Set<AppID> = [], handingBack: [AppID] = []
    ) -> DirectionsPlan {
        let source: MapItem? =
            switch request.source {
            case .unknown: nil
            case .currentLocation: here.map { MapItem(coordinate: $0) }
            case .place(let item): item
            }
        let ends = [
            EndCoverage(source, roughly: request.roughSource, regions),
            EndCoverage(request.destination, roughly: request.roughDestination, regions),
        ]
        let kilometres = source?.coordinate.flatMap { start in
            request.destination.coordinate.map { start.distance(to: $0) / 1_000 }
        }
        var offers: [DirectionsPlan.Offer] = []
        var omissions: [DirectionsPlan.Omission] = []
        let wanted = Set(request.modes)
        for app in apps {
            let installed = installedIDs[app.id]
            func isAmong(_ names: some Collection<AppID>) -> Bool {
                !names.isEmpty && (names.contains(app.id) || installed.map(names.contains) ?? false)
            }
            var against: [Exclusion] = []
            if isAmong(excluded) { against.append(.muted) }
            if isAmong(handingBack) { against.append(.handedBack) }
            if app.kind == .native, installed == nil { against.append(.notInstalled) }
            switch judge(app, request, by: wanted, ends: (ends[0], ends[1]), kilometres, here: here, against) {
            case .failure(let faults): omissions.append(DirectionsPlan.Omission(app: app, reasons: faults.reasons))
            case .success(let fit): offers.append(offer(app, fit, request, preferences, handingBack))
            }
        }
        offers.sort { ($1.score, $0.app.id) < ($0.score, $1.app.id) }
        return DirectionsPlan(request: request, offers: offers, omissions: omissions)
    }

    private struct Fit {
        let modes: [TransportMode]
        let link: LaunchTemplate.Link
        /// Whether the link leads to the middle of the map on which the words were searched.
        let isRough: Bool
        let mayNotServe: Bool
        /// Whether all services are for routes between cities, but this route is short or of unknown length.
        let isShortForIt: Bool
        /// Whether an area that contains the route, stated or estimated, is much smaller than the world.
        let isRegional: Bool
        /// The smallest stated area that contains the route, in km²; `nil` without one. Areas of intercity services
        /// do not count: they extend into countries that have a planner of their own.
        let statedArea: Double?
    }

    private struct Faults: Error {
        let reasons: [Exclusion]
    }

    private func judge(
        _ app: RoutingApp, _ request: DirectionsRequest, by wanted: Set<TransportMode>,
        ends: (source: EndCoverage, destination: EndCoverage), _ kilometres: Double?,
        here: Coordinate?, _ against: [Exclusion]
    ) -> Result<Fit, Faults> {
        var reasons = against
        let services = app.services.filter { wanted.isEmpty || $0.modes.isEmpty || !$0.modes.isDisjoint(with: wanted) }
        if services.isEmpty {
            reasons.append(.modeUnsupported(TransportMode.allCases.filter(app.modes.contains)))
        }
        var serving = services.filter { ends.source.isPlausible(for: $0) && ends.destination.isPlausible(for: $0) }
        var mayNotServe = serving.isEmpty
        if mayNotServe {
            serving = services.filter {
                $0.isEstimate || ends.source.mayBeServed(by: $0) && ends.destination.mayBeServed(by: $0)
            }
        }
        if serving.isEmpty, !services.isEmpty {
            if services.allSatisfy({ ends.source.isUndecided(for: $0) || ends.destination.isUndecided(for: $0) }) {
                reasons.append(.needsCoordinates)
            } else {
                reasons.append(.outsideCoverage(unserved(services, ends)))
            }
        }
        let served = serving.reduce(into: Set<TransportMode>()) { $0.formUnion($1.modes) }
        let modes = TransportMode.allCases.filter { served.contains($0) && (wanted.isEmpty || wanted.contains($0)) }
        func filled(_ request: DirectionsRequest) -> LaunchTemplate.Link? {
            serving.lazy.compactMap { service in
                service.template.link(
                    for: request, mode: modes.first { service.modes.contains($0) } ?? modes.first, here: here,
                    serving: service.modes)
            }.first
        }
        var (link, isRough) = (filled(request), false)
        if link == nil, let request = request.onMap { (link, isRough) = (filled(request), true) }
        if link == nil, reasons.isEmpty {
            reasons.append(Self.need(of: serving.map { $0.template }, for: request))
        }
        guard let link, reasons.isEmpty else { return .failure(Faults(reasons: reasons)) }
        let isRegional =
            !mayNotServe && serving.contains { $0.squareKilometres.map { $0 < Self.regionalArea } ?? false }
        if let kilometres, app.opening == .route, !modes.isEmpty,
            serving.allSatisfy({ $0.scope == .city }) && kilometres > Self.cityReach
                || modes.allSatisfy({ kilometres > $0.reach })
        {
            mayNotServe = true
        }
        return .success(
            Fit(
                modes: modes, link: link, isRough: isRough, mayNotServe: mayNotServe,
                isShortForIt: serving.allSatisfy { $0.scope == .intercity }
                    && (kilometres ?? 0) < Self.intercityDistance,
                isRegional: isRegional,
                statedArea: serving.filter { !$0.isEstimate && $0.scope != .intercity }.compactMap(\.squareKilometres)
                    .min()))
    }

    /// The maximum distance for a city planner, in km as the crow flies. Most regions of such planners are smaller.
    private static let cityReach = 100.0
    /// The minimum distance for intercity planners, in km.
    private static let intercityDistance = 50.0
    /// The size in km² below which an area is regional: a fifth of all land. Russia with Central Asia has 2.4·10^7.
    private static let regionalArea = 3e7

    /// Returns the requirement of an app's templates that a request does not meet.
    private static func need(of templates: [LaunchTemplate], for request: DirectionsRequest) -> Exclusion {
        if request.destination.coordinate == nil { return .needsCoordinates }
        if case .place = request.source { return .needsName }
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

    private func offer(
        _ app: RoutingApp, _ fit: Fit, _ request: DirectionsRequest,
        _ preferences: [AppID: RoutingPreference], _ tried: [AppID]
    ) -> DirectionsPlan.Offer {
        let launch = launch(app, link: fit.link.uri, tried: tried)
        let isDefault = defaultHandler != nil && launch.desktopID == defaultHandler
        let prior = prior(of: app, fit, request, isDefault: isDefault)
        var score = 0.2 * prior
        var explanation: Explanation = []
        if isDefault { explanation.reasons.append(.init(localized("it is the map app of this desktop"))) }
        let preference = launch.desktopID.flatMap { preferences[$0] } ?? preferences[app.id]
        if let learned = preference {
            // The person's choices count more than the desktop's settings.
            score = 0.8 * min(max(learned.likelihood, 0), 1) + 0.2 * prior
            explanation = learned.explanation + explanation
        }
        let cautions = DirectionsPlan.Caution.all(mayNotServe: fit.mayNotServe, isRough: fit.isRough, fit.link)
        explanation.reasons += cautions.map { .init($0.description) }
        explanation.reasons.append(
            .init(app.kind == .native ? localized("it is installed") : localized("it is a web service")))
        return DirectionsPlan.Offer(
            app: app, modes: fit.modes, launch: launch,
            title: app.title(for: request.destination, isSearch: fit.link.isSearch), score: score,
            assumedMode: fit.link.assumedMode, isLearned: preference != nil, cautions: cautions,
            explanation: explanation)
    }

    /// Returns the prior probability that an app is wanted, 0…1, without knowledge of the person.
    private func prior(of app: RoutingApp, _ fit: Fit, _ request: DirectionsRequest, isDefault: Bool) -> Double {
        var prior = isDefault ? 1 : app.kind == .native ? 0.5 : 0.2
        // An app with more modes is the likelier answer to a request without one.
        if request.modes.isEmpty, app.opening == .route {
            prior += 0.01 * Double(TransportMode.families(fit.modes).count)
        }
        if app.usesOpenData { prior += 0.02 }
        // A service for the region of the place is better than one for the world, and the smaller its area, the better.
        // No area exceeds 10^8 km².
        if fit.isRegional { prior += 0.03 }
        if let area = fit.statedArea { prior += 0.1 * max(0, 1 - log10(max(area, 1)) / 8) }
        if app.isSpecialised { prior *= 0.75 }
        if fit.isShortForIt { prior *= 0.75 }
        // A request with a mode wants a route, not a place on the map.
        if !request.modes.isEmpty {
            if app.modes.isEmpty { prior *= 0.5 } else if app.opening == .place { prior *= 0.75 }
        }
        // If several modes are requested, such as all public transport, an app for all of them is better than one for
        // trains.
        if !request.modes.isEmpty, !app.modes.isEmpty {
            prior *= 0.9 + 0.1 * Double(fit.modes.count) / Double(request.modes.count)
        }
        if fit.mayNotServe { prior *= 0.5 }
        if fit.isRough { prior *= 0.5 }
        // An app that searches by text may find another place although the coordinate is known. For the name of a place
        // that is rare, since planners know stations and towns.
        if fit.link.isSearch, request.destination.coordinate != nil {
            prior *= request.destination.name == nil ? 0.5 : 0.95
        }
        for _ in fit.link.missing { prior *= 0.9 }
        return min(prior, 1)
    }
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

    func isServed(by service: RoutingApp.Service) -> Bool {
        guard let region = service.region else { return true }
        return switch knowledge {
        case .notAsked: true
        case .regions(let regions): regions.contains(region)
        case .unknown: false
        }
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

extension TransportMode {
    /// The length in km, as the crow flies, beyond which a route by this mode is doubtful. Regions describe where an
    /// app works, not whether land connects two places. 5,000 km exceed the width of most continents.
    fileprivate var reach: Double {
        switch self {
        case .pedestrian: 100
        case .bike: 500
        case .plane, .other: .infinity
        default: 5_000
        }
    }
}
