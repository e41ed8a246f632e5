internal import Agent
internal import AgentInterface
internal import Directions
internal import FoundationEssentials
internal import Geocoding
internal import HunchDBus
internal import HunchModel
internal import Places
internal import Regions

extension DirectionsRequest {
    /// Reads the request of `org.hunch.Directions1.Suggest`.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` without a destination, `InvalidInput` for an invalid request.
    init(_ query: DirectionsQuery, parser: PlaceParser) throws(DBusError) {
        var request: DirectionsRequest
        if let text = query.uri {
            do {
                request = try DirectionsRequest(text: text, parser)
            } catch {
                throw DBusError(.invalidInput, "\(error)")
            }
        } else if let destination = query.destination {
            request = DirectionsRequest(to: destination)
        } else {
            throw DBusError(.invalidArgs, "the request needs “uri” or “destination”")
        }
        if let source = query.source { request.source = .place(source) }
        if query.startsHere == true { request.source = .currentLocation }
        if let time = query.departure { request.travel(at: .departure(time)) }
        if let time = query.arrival { request.travel(at: .arrival(time)) }
        request.wantsAlternates = query.wantsAlternates ?? request.wantsAlternates
        request.zoom = query.zoom ?? request.zoom
        request.uncertainty = query.uncertainty ?? request.uncertainty
        if let words = query.modes {
            var modes: [TransportMode] = []
            for word in words {
                guard let mode = TransportMode(rawValue: word) else {
                    let known = TransportMode.allCases.map(\.rawValue).joined(separator: ", ")
                    throw DBusError(.invalidInput, "“\(word.cut(to: 40))” is not a travel mode; the modes are \(known)")
                }
                modes.append(mode)
            }
            request.travel(by: modes)
        }
        self = request
    }

    /// Reads a link, coordinates, or text to look up.
    private init(text: String, _ parser: PlaceParser) throws {
        if DirectionsRequest.isDirectionsRequest(text) || text.lowercased().hasPrefix(Self.scheme + ":") {
            try self.init(uri: text)
        } else {
            self.init(to: try parser.parse(text))
        }
    }
}

extension DirectionsQuery {
    /// The request for the bus.
    init(_ request: DirectionsRequest) {
        self.init(destination: request.destination)
        switch request.source {
        case .unknown: break
        case .currentLocation: startsHere = true
        case .place(let item): source = item
        }
        if !request.modes.isEmpty { modes = request.modes.map(\.rawValue) }
        switch request.time {
        case nil: break
        case .departure(let date): departure = date
        case .arrival(let date): arrival = date
        }
        if request.wantsAlternates { wantsAlternates = true }
        (zoom, uncertainty) = (request.zoom, request.uncertainty)
    }
}

extension ResolvedDirections {
    /// The resolution for the bus.
    var report: DirectionsAnswer.Resolved {
        var report = DirectionsAnswer.Resolved()
        report.destination = request.destination
        if case .place(let item) = request.source { report.source = item }
        report.uri = request.uri
        report.isCertain = isCertain
        report.isAmbiguous = isAmbiguous
        report.candidates = destination?.candidates.map(\.report)
        return report
    }
}

extension GeocodingCandidate {
    /// The report of the place for the bus.
    var report: PlaceReport {
        var match = PlaceReport.Match()
        match.kind = kind.rawValue
        match.confidence = confidence
        match.matched = self.matched
        match.distance = distance
        match.attribution = attribution
        return PlaceReport(item, match)
    }
}

extension Exclusion {
    /// Returns the report of an app that is left out for this reason.
    func report(of app: RoutingApp) -> DirectionsAnswer.Exclusion {
        var report = DirectionsAnswer.Exclusion()
        (report.app, report.name) = (app.id, app.name)
        (report.reason, report.message) = (code, description)
        if case .outsideCoverage(let ends) = self { report.end = ends.map(\.rawValue).joined(separator: ",") }
        return report
    }
}

extension RoutingApp.Service {
    func isEverywhere(in regions: RegionIndex) -> Bool {
        guard let region else { return true }
        return regions.regions.first { $0.id == region }?.isEverywhere ?? false
    }
}
