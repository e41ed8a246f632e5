internal import AgentInterface
internal import Directions
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Places
internal import Regions

extension DirectionsRequest {
    /// Reads the request of `org.hunch.Directions1.Suggest`.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for a value of the wrong type, `InvalidInput` for what is no request.
    init(transfer map: VariantMap) throws(DBusError) {
        var request: DirectionsRequest
        if let text = try map.value("uri", as: String.self) {
            do {
                request = try DirectionsRequest(text: text)
            } catch {
                throw DBusError(.invalidInput, "\(error)")
            }
        } else if let destination = try map.value("destination", as: VariantMap.self) {
            request = DirectionsRequest(to: try MapItem(transfer: destination))
        } else {
            throw DBusError(.invalidArgs, "the request needs “uri” or “destination”")
        }
        if let source = try map.value("source", as: VariantMap.self) {
            request.source = .place(try MapItem(transfer: source))
        }
        if try map.value("here", as: Bool.self) == true { request.source = .currentLocation }
        if let time = try map.date(seconds: "departure") { request.travel(at: .departure(time)) }
        if let time = try map.date(seconds: "arrival") { request.travel(at: .arrival(time)) }
        if let wantsAlternates = try map.value("alternates", as: Bool.self) {
            request.wantsAlternates = wantsAlternates
        }
        if let zoom = try map.value("zoom", as: Double.self) { request.zoom = zoom }
        if let uncertainty = try map.value("uncertainty", as: Double.self) { request.uncertainty = uncertainty }
        if let words = try map.value("modes", as: [String].self) {
            var modes: Set<TransportMode> = []
            for word in words {
                guard let mode = TransportMode(rawValue: word) else {
                    let known = TransportMode.allCases.map(\.rawValue).joined(separator: ", ")
                    throw DBusError(.invalidInput, "“\(word.cut(to: 40))” is not a travel mode; the modes are \(known)")
                }
                modes.insert(mode)
            }
            request.travel(by: modes)
        }
        self = request
    }

    /// Reads a link, coordinates, or a text that is to be looked up.
    private init(text: String) throws {
        if DirectionsRequest.isDirectionsRequest(text) || text.lowercased().hasPrefix(Self.scheme + ":") {
            try self.init(uri: text)
        } else {
            self.init(to: try PlaceParser().parse(text))
        }
    }
}

extension ResolvedDirections {
    /// The resolution with the keys of `org.hunch.Directions1.Suggest`.
    var transfer: VariantMap {
        var map: VariantMap = [
            "destination": request.destination.transfer.dbusValue, "certain": .boolean(isCertain),
            "ambiguous": .boolean(isAmbiguous),
        ]
        if case .place(let item) = request.source { map["source"] = item.transfer.dbusValue }
        map["uri"] = .string(request.uri)
        if let destination { map["candidates"] = destination.candidates.map(\.transfer).dbusValue }
        return map
    }
}

extension GeocodingCandidate {
    /// The place with the keys of `org.hunch.Directions1.Geocode`.
    var transfer: VariantMap {
        var map = item.transfer
        map["kind"] = .string(kind.rawValue)
        map["confidence"] = .double(confidence)
        map["matched"] = matched.dbusValue
        map["distance"] = distance.map(Value.double)
        map["attribution"] = attribution.map(Value.string)
        return map
    }
}

extension Exclusion {
    /// Why an app is left out, with the keys of `org.hunch.Directions1.Suggest`.
    func transfer(for app: RoutingApp) -> VariantMap {
        var map: VariantMap = [
            "app": .string(app.id), "name": .string(app.name), "reason": .string(code),
            "message": .string(description),
        ]
        if case .outsideCoverage(let ends) = self {
            map["end"] = .string(ends.map(\.rawValue).joined(separator: ","))
        }
        return map
    }
}

extension RoutingApp.Service {
    func isEverywhere(in regions: RegionIndex) -> Bool {
        guard let region else { return true }
        return regions.regions.first { $0.id == region }?.isEverywhere ?? false
    }
}
