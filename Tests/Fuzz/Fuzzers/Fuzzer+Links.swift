@testable import Coordinates
@testable import Directions
@testable import HunchModel
@testable import JourneyWords
@testable import MapLinks
@testable import Places

extension Fuzzer {
    /// Links and texts that name a place, a route, a number or a time.
    static var links: [Fuzzer] {
        [
            Fuzzer(
                "links",
                text: { text in
                    guard let place = try? PlaceParser().parse(text) else { return }
                    _ = DirectionsRequest(to: place).uri
                }),
            Fuzzer(
                "directions",
                text: { text in
                    guard let request = try? DirectionsRequest(uri: text) else { return }
                    _ = try? DirectionsRequest(uri: request.uri)
                    _ = request.parameters
                }),
            Fuzzer(
                "pluscode",
                text: { text in
                    guard let reference = try? Coordinate(latitude: -90, longitude: 180) else { return }
                    _ = PlusCode(text).map { $0.recovered(near: reference) }
                    _ = PlusCodeText(text)
                }),
            Fuzzer(
                "coordinates",
                text: { text in
                    _ = try? PlaceText.coordinate(text, order: .longitudeFirst)
                    guard let value = DecimalNumber.value(of: text) else { return }
                    _ = DecimalNumber.text(of: value)
                    guard let place = try? Coordinate(latitude: value, longitude: -value) else { return }
                    _ = PlusCode(place)
                }),
            Fuzzer(
                "telephone",
                text: { text in
                    _ = TelephoneNumber(text)
                    _ = WebAddress.host(of: text)
                    _ = ShortLinks.host(of: text)
                    _ = PercentCoding.decode(text)
                    _ = text.cut(to: text.utf8.count / 3)
                    _ = text.dropFirst().cut(toBytes: text.utf8.count / 2)
                }),
            Fuzzer(
                "words",
                text: { text in
                    _ = WordFolding.joined(text)
                    _ = text.singleSpaced.trimmed.head(40)
                    _ = TimeText.isTime(text)
                }),
        ]
    }
}
