internal import AgentInterface
internal import FoundationEssentials
internal import HunchModel

/// The error for a response whose places have no valid coordinate.
struct BadCoordinates: Error {}

/// An element of a response; `nil` if it is malformed. The others still answer.
private struct Lenient<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) { value = try? Value(from: decoder) }
}

/// A kind of geocoding service: its requests and the format of its responses.
protocol OnlineService {
    /// The attribution that must be shown with the results.
    var attribution: String { get }

    /// Returns the path and query for a search, to be appended to the service's URL.
    func search(_ text: String, limit: Int, near: Coordinate?) -> String
    /// Returns the path and query for reverse geocoding, to be appended to the service's URL.
    func reverse(_ coordinate: Coordinate, limit: Int) -> String
    /// Returns the places in a response, best first.
    ///
    /// - Throws: any error if the response is malformed.
    func places(in body: Data) throws -> [OnlineGeocoderClient.Place]
}

extension OnlineService {
    /// Encodes text for a query. Unreserved characters (RFC 3986) stay unchanged.
    func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var encoded = ""
        for byte in text.utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
            encoded += isPlain ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
        return encoded
    }

    /// Returns a coordinate in degrees; `nil` for one that is missing or out of range.
    fileprivate static func coordinate(_ latitude: Double?, _ longitude: Double?) -> Coordinate? {
        guard let latitude, let longitude, longitude.magnitude <= 180 else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Returns the places of a response. A malformed one, or one with a bad coordinate, is left out, since the others still
    /// answer.
    ///
    /// - Parameter place: returns a place; `nil` for one without a valid coordinate.
    /// - Throws: ``BadCoordinates`` if no place of several has a valid one.
    fileprivate func valid<Item>(
        _ items: [Lenient<Item>], _ place: (Item, _ index: Int) -> OnlineGeocoderClient.Place?
    ) throws -> [OnlineGeocoderClient.Place] {
        let places = items.enumerated().compactMap { index, item in item.value.flatMap { place($0, index) } }
        guard items.isEmpty || !places.isEmpty else { throw BadCoordinates() }
        return places
    }

    fileprivate func kind(_ word: String) -> String {
        switch word {
        case "house", "building": "house"
        case "road", "street", "residential": "street"
        case "city", "town", "village", "hamlet", "municipality": "city"
        case "suburb", "neighbourhood", "quarter", "borough", "locality": "suburb"
        case "district", "county": "district"
        case "state", "country": word
        case "postcode": "postalCode"
        default: "spot"
        }
    }

    /// Returns the confidence of a result by its index. Services return an order, but no comparable probabilities.
    fileprivate func confidence(_ index: Int) -> Double { 0.7 / Double(index + 1) }
}

/// Nominatim 4, `format=jsonv2`; https://nominatim.org/release-docs/latest/api/Overview/.
struct NominatimService: OnlineService {
    let attribution = "© OpenStreetMap contributors, https://www.openstreetmap.org/copyright"

    func search(_ text: String, limit: Int, near: Coordinate?) -> String {
        var query = "/search?q=\(encoded(text))&format=jsonv2&addressdetails=1&limit=\(min(limit, 40))"
        if let near {
            // A preference, not a bound: a box of two by two degrees.
            let (south, north) = (max(near.latitude - 1, -90), min(near.latitude + 1, 90))
            query += "&viewbox=\(near.longitude - 1),\(south),\(near.longitude + 1),\(north)&bounded=0"
        }
        return query
    }

    func reverse(_ coordinate: Coordinate, limit: Int) -> String {
        "/reverse?lat=\(coordinate.latitude)&lon=\(coordinate.longitude)&format=jsonv2&addressdetails=1"
    }

    /// Returns the path and query for looking up an element.
    func lookup(_ element: OpenStreetMapElement) -> String {
        let letter = element.kind.rawValue.cut(to: 1).uppercased()
        return "/lookup?osm_ids=\(letter)\(element.number)&format=jsonv2&addressdetails=1"
    }

    private struct Place: Decodable {
        let lat: String
        let lon: String
        let name: String?
        let displayName: String
        let addresstype: String?
        let address: [String: String]?

        enum CodingKeys: String, CodingKey {
            case lat, lon, name, addresstype, address
            case displayName = "display_name"
        }
    }

    /// Nominatim's response if it finds no place.
    private struct Nothing: Decodable { let error: String }

    func places(in body: Data) throws -> [OnlineGeocoderClient.Place] {
        let decoder = JSONDecoder()
        if (try? decoder.decode(Nothing.self, from: body)) != nil { return [] }
        // A search returns a list, reverse geocoding one place.
        let places =
            try (try? decoder.decode([Lenient<Place>].self, from: body))
            ?? [decoder.decode(Lenient<Place>.self, from: body)]
        return try valid(places) { place, index in
            guard let coordinate = Self.coordinate(Double(place.lat), Double(place.lon)) else { return nil }
            let parts = place.address ?? [:]
            let city = ["city", "town", "village", "municipality", "hamlet"].lazy.compactMap { parts[$0] }.first
            let street = parts["road"].map { road in parts["house_number"].map { "\($0) \(road)" } ?? road }
            let address = PostalAddress(
                street: street, city: city, state: parts["state"], postalCode: parts["postcode"],
                country: parts["country"], countryCode: parts["country_code"]?.uppercased())
            let name = place.name.flatMap { $0.isEmpty ? nil : $0 } ?? street ?? place.displayName
            return OnlineGeocoderClient.Place(
                item: MapItem(name: name, coordinate: coordinate, address: address),
                kind: kind(parts["house_number"] == nil ? place.addresstype ?? "" : "house"),
                confidence: confidence(index))
        }
    }
}

/// Photon; https://github.com/komoot/photon, "API".
struct PhotonService: OnlineService {
    let attribution = "© OpenStreetMap contributors, https://www.openstreetmap.org/copyright; photon.komoot.io"

    func search(_ text: String, limit: Int, near: Coordinate?) -> String {
        let place = near.map { "&lat=\($0.latitude)&lon=\($0.longitude)" } ?? ""
        return "/api?q=\(encoded(text))&limit=\(limit)\(place)"
    }

    func reverse(_ coordinate: Coordinate, limit: Int) -> String {
        "/reverse?lat=\(coordinate.latitude)&lon=\(coordinate.longitude)&limit=\(limit)"
    }

    private struct Collection: Decodable { let features: [Lenient<Feature>] }

    private struct Feature: Decodable {
        struct Geometry: Decodable { let coordinates: [Double] }

        struct Properties: Decodable {
            let name: String?
            let street: String?
            let housenumber: String?
            let city: String?
            let state: String?
            let postcode: String?
            let country: String?
            let countrycode: String?
            let type: String?
        }

        let geometry: Geometry
        let properties: Properties
    }

    func places(in body: Data) throws -> [OnlineGeocoderClient.Place] {
        try valid(JSONDecoder().decode(Collection.self, from: body).features) { feature, index in
            let numbers = feature.geometry.coordinates
            guard numbers.count >= 2, let coordinate = Self.coordinate(numbers[1], numbers[0]) else { return nil }
            let properties = feature.properties
            let street = properties.street.map { street in properties.housenumber.map { "\($0) \(street)" } ?? street }
            let isCity = properties.type == "city"
            let address = PostalAddress(
                street: street, city: properties.city ?? (isCity ? properties.name : nil), state: properties.state,
                postalCode: properties.postcode, country: properties.country, countryCode: properties.countrycode)
            return OnlineGeocoderClient.Place(
                item: MapItem(
                    name: properties.name ?? street ?? properties.city,
                    coordinate: coordinate,
                    address: address), kind: kind(properties.type ?? ""), confidence: confidence(index))
        }
    }
}
