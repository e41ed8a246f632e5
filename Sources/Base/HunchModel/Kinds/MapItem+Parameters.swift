extension MapItem {
    /// The parameters of a `getDirections` donation to this place; empty when it has neither coordinate nor name.
    public var parameters: [String: String] {
        var parameters: [String: String] = [:]
        // Five decimals are about a metre. Rounding makes donations to the same place equivalent.
        func degrees(_ value: Double) -> String { "\((value * 100_000).rounded() / 100_000)" }
        parameters["latitude"] = (coordinate?.latitude).map(degrees)
        parameters["longitude"] = (coordinate?.longitude).map(degrees)
        parameters["name"] = name ?? query
        return parameters
    }
}

extension MapItem {
    /// Creates the destination of a `getDirections` donation; `nil` if the parameters name no place.
    public init?(parameters: [String: String]) {
        let degrees = ["latitude", "longitude"].compactMap { parameters[$0].flatMap(Double.init) }
        let coordinate = degrees.count == 2 ? try? Coordinate(latitude: degrees[0], longitude: degrees[1]) : nil
        self.init(
            name: parameters["name"], coordinate: coordinate, query: coordinate == nil ? parameters["address"] : nil)
        if self == MapItem() { return nil }
    }
}
