internal import Coordinates
internal import HunchModel
internal import Localization

extension [GeocodingCandidate] {
    /// The labels of the candidates, each of which is different. Namesakes get their street, then their distance, then
    /// their coordinate: “EDEKA, Torstraße 1, Berlin”, “EDEKA, Berlin (1.2 km away)”.
    public var labels: [String] {
        var labels = map(\.label)
        for further in [\GeocodingCandidate.labelWithStreet, \.labelWithDistance, \.labelWithCoordinate] {
            let counts = labels.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            for index in indices where counts[labels[index]] ?? 0 > 1 {
                labels[index] = self[index][keyPath: further] ?? labels[index]
            }
        }
        return labels
    }
}

extension GeocodingCandidate {
    /// The name with its areas in the user's language, to distinguish namesakes: “Springfield, Illinois, United States”.
    public var label: String {
        let address = item.address
        let state = address?.state.flatMap { state in
            address?.country.map { LocalArea.state(state, beside: $0) } ?? LocalArea.state(state, in: nil)
        }
        let country = address?.country.map(LocalArea.country)
        let name =
            switch kind {
            case .country: item.name.map(LocalArea.country)
            case .state: item.name.map { LocalArea.state($0, in: address?.country) }
            default: localName ?? item.name
            }
        let city = localName == nil ? address?.city : nil
        var parts: [String] = []
        for part in [name, address?.postalCode, city, state, country] {
            if let part, !parts.contains(part) { parts.append(part) }
        }
        return parts.isEmpty ? matched.first ?? "" : parts.joined(separator: ", ")
    }

    fileprivate var labelWithStreet: String? {
        guard let name = item.name, let street = item.address?.street, street != name, label.hasPrefix(name) else {
            return nil
        }
        return "\(name), \(street)\(label.dropFirst(name.count))"
    }

    fileprivate var labelWithDistance: String? {
        distance.map { localized("%1 (%2 away)", label, LocalNumber.distance($0)) }
    }

    fileprivate var labelWithCoordinate: String? {
        item.coordinate.map {
            "\(label) (\(DecimalNumber.text(of: $0.latitude)),\(DecimalNumber.text(of: $0.longitude)))"
        }
    }
}
