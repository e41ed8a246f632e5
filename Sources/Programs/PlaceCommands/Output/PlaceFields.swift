import Coordinates
package import HunchModel
import CommandSupport
import MapLinks

/// The output of `hunch place --json`. Every key is always present, except those that only links have: `altitude` and
/// `uncertainty` (metres), and `modes` (travel modes). The coordinate of words that were searched on a map is the middle
/// of that map, and the uncertainty the radius of the view.
struct PlaceFields: Encodable {
    let input: String
    let result: Result<ParsedPlace, PlaceError>

    private enum Key: CodingKey {
        case input, coordinate, altitude, uncertainty, name, query, zoom, address, rule, source, modes, error
    }

    func encode(to encoder: any Encoder) throws {
        let place = try? result.get()
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Output.cut(input), forKey: .input)
        let rough = place?.roughPosition
        try container.encode((place?.item.coordinate ?? rough?.middle).map(CoordinateField.init), forKey: .coordinate)
        try container.encodeIfPresent(place?.altitude, forKey: .altitude)
        try container.encodeIfPresent(place?.uncertainty ?? rough?.radius, forKey: .uncertainty)
        try container.encode(place?.item.name, forKey: .name)
        try container.encode(place?.item.query, forKey: .query)
        try container.encode(place?.zoom, forKey: .zoom)
        try container.encode(place?.item.address.map(AddressField.init), forKey: .address)
        try container.encode(place?.rule, forKey: .rule)
        try container.encode(place?.source.map(MapItemFields.init), forKey: .source)
        let modes = TransportMode.allCases.filter { place?.modes.contains($0) ?? false }
        if !modes.isEmpty { try container.encode(modes, forKey: .modes) }
        try container.encode(failure, forKey: .error)
    }

    private var failure: ErrorField? {
        guard case .failure(let error) = result else { return nil }
        return ErrorField(code: error.code.rawValue, message: error.message)
    }
}

/// A map item in the output of commands. Every key is always present.
package struct MapItemFields: Encodable {
    private let item: MapItem

    package init(_ item: MapItem) { self.item = item }

    private enum Key: CodingKey { case coordinate, name, query, address }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(item.coordinate.map(CoordinateField.init), forKey: .coordinate)
        try container.encode(item.name, forKey: .name)
        try container.encode(item.query, forKey: .query)
        try container.encode(item.address.map(AddressField.init), forKey: .address)
    }
}
