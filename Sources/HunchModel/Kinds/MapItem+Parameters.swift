extension MapItem {
    /// The parameters of a donated `getDirections` to this place; empty when it has neither coordinate nor name.
    public var parameters: [String: String] {
        var parameters: [String: String] = [:]
        // Five decimals are a metre: the same place is the same donation.
        func degrees(_ value: Double) -> String { "\((value * 100_000).rounded() / 100_000)" }
        parameters["latitude"] = (coordinate?.latitude).map(degrees)
        parameters["longitude"] = (coordinate?.longitude).map(degrees)
        parameters["name"] = name ?? query
        return parameters
    }
}
