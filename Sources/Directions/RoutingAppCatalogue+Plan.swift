public import HunchModel
internal import Regions

extension RoutingAppCatalogue {
    /// Which apps can answer a request, in which order, and why the others cannot.
    ///
    /// An app can answer when it is there, one of its services holds both ends (the destination alone when the source
    /// is not known) and serves a wanted mode, and one of its links can be filled.
    ///
    /// - Parameters:
    ///   - request: what is wanted; ends that are known only by name fit apps alone that serve everywhere and search
    ///     by themselves.
    ///   - here: where the person is, when known: the source of a request from the current location.
    ///   - preferences: what was learned of the person, by an app's own identifier or by one under which it is installed.
    ///     Without any the default handler of `geo:` links comes first, then other programs, then web services, each by
    ///     name.
    ///   - muted: apps that the person excluded, by either identifier.
    ///   - handingBack: apps that were just handed the request and handed it back, by either identifier.
    public func plan(
        for request: DirectionsRequest, here: Coordinate? = nil,
        preferences: [String: RoutingPreference] = [:], muted: Set<String> = [], handingBack: [String] = []
    ) -> DirectionsPlan {
        let source: MapItem? =
            switch request.source {
            case .unknown: nil
            case .currentLocation: here.map { MapItem(coordinate: $0) }
            case .place(let item): item
            }
        let ends = [source, request.destination].map { EndCoverage($0, regions) }
        var offers: [DirectionsPlan.Offer] = []
        var omissions: [DirectionsPlan.Omission] = []
        for app in apps {
            let names = [app.id, installedIDs[app.id] ?? app.id]
            var against: [Exclusion] = []
            if names.contains(where: muted.contains) { against.append(.muted) }
            if names.contains(where: handingBack.contains) { against.append(.handedBack) }
            switch judge(app, request, ends: (ends[0], ends[1]), here: here, against) {
            case .failure(let faults): omissions.append(DirectionsPlan.Omission(app: app, reasons: faults.reasons))
            case .success(let fit): offers.append(offer(app, fit, request, preferences, handingBack))
            }
        }
        offers.sort { ($1.score, $0.app.name, $0.app.id) < ($0.score, $1.app.name, $1.app.id) }
        return DirectionsPlan(request: request, offers: offers, omissions: omissions)
    }

    private struct Fit {
        let modes: [TransportMode]
        let link: String
    }

    private struct Faults: Error {
        let reasons: [Exclusion]
    }

    private func judge(
        _ app: RoutingApp, _ request: DirectionsRequest, ends: (source: EndCoverage, destination: EndCoverage),
        here: Coordinate?, _ against: [Exclusion]
    ) -> Result<Fit, Faults> {
        var reasons = against
        if app.kind == .native, installedIDs[app.id] == nil { reasons.append(.notInstalled) }
        let wanted = Set(request.modes)
        let services = app.services.filter { wanted.isEmpty || !$0.modes.isDisjoint(with: wanted) }
        if services.isEmpty {
            reasons.append(.modeUnsupported(TransportMode.allCases.filter(app.modes.contains)))
        }
        let serving = services.filter { ends.source.isServed(by: $0) && ends.destination.isServed(by: $0) }
        if serving.isEmpty, !services.isEmpty {
            if services.allSatisfy({ ends.source.isUndecided(for: $0) || ends.destination.isUndecided(for: $0) }) {
                reasons.append(.needsCoordinates)
            } else {
                reasons.append(.outsideCoverage(unserved(services, ends)))
            }
        }
        let served = serving.reduce(into: Set<TransportMode>()) { $0.formUnion($1.modes) }
        let modes = TransportMode.allCases.filter { served.contains($0) && (wanted.isEmpty || wanted.contains($0)) }
        let link = app.template.link(for: request, mode: modes.first, here: here)
        if link == nil, reasons.isEmpty {
            reasons.append(request.destination.coordinate == nil ? .needsCoordinates : .needsSource)
        }
        guard let link, reasons.isEmpty else { return .failure(Faults(reasons: reasons)) }
        return .success(Fit(modes: modes, link: link))
    }

    /// The ends that no service holds; both when each is held, but by different services.
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
        _ preferences: [String: RoutingPreference], _ tried: [String]
    ) -> DirectionsPlan.Offer {
        let launch = launch(app, link: fit.link, tried: tried)
        var prior = app.kind == .native ? 0.5 : 0.25
        var explanation: Explanation = []
        if let defaultHandler, launch.desktopID == defaultHandler {
            prior = 1
            explanation.reasons.append("it opens map links on this desktop")
        }
        var score = prior
        let preference = launch.desktopID.flatMap { preferences[$0] } ?? preferences[app.id]
        if let learned = preference {
            // What the person did counts for more than what the desktop was set to.
            score = 0.8 * min(max(learned.likelihood, 0), 1) + 0.2 * prior
            explanation = learned.explanation + explanation
        } else {
            score = 0.2 * prior
        }
        if request.destination.coordinate == nil { explanation.reasons.append("it searches for the words itself") }
        explanation.reasons.append(app.kind == .native ? "it is installed" : "it is a web service")
        return DirectionsPlan.Offer(
            app: app, modes: fit.modes, launch: launch, title: app.title(for: request.destination), score: score,
            isLearned: preference != nil, explanation: explanation)
    }
}

/// Which regions hold an end of a route.
private struct EndCoverage {
    private enum Knowledge {
        case notAsked
        case regions(Set<String>)
        case unknown
    }

    private let knowledge: Knowledge

    /// - Parameter place: `nil` when the end is not known, and not asked about.
    init(_ place: MapItem?, _ regions: RegionIndex) {
        guard let place else {
            knowledge = .notAsked
            return
        }
        knowledge = place.coordinate.map { .regions(Set(regions.regions(containing: $0))) } ?? .unknown
    }

    func isServed(by service: RoutingApp.Service) -> Bool {
        guard let region = service.region else { return true }
        return switch knowledge {
        case .notAsked: true
        case .regions(let regions): regions.contains(region)
        case .unknown: false
        }
    }

    /// Whether it takes a coordinate to tell.
    func isUndecided(for service: RoutingApp.Service) -> Bool {
        if case .unknown = knowledge { service.region != nil } else { false }
    }
}
