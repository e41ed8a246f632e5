import Coordinates
import FoundationEssentials
import HunchModel
import Localization

/// Links of Uber's web app, whose destination is a JSON object: `drop[0]={"latitude":…}`.
struct UberRideRule: PublisherRule {
    let name = "uber"
    let hosts = ["m.uber.com"]

    private struct Drop: Decodable {
        var latitude: Double?
        var longitude: Double?
        var addressLine1: String?
    }

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard let text = try link.query.text("drop[0]") else { return nil }
        guard let drop = Self.drop(text) else {
            throw PlaceError(
                .malformedLink, localized("the destination of the link is not a JSON object; copy the link again"))
        }
        let pickup = try link.query.text("pickup").flatMap(Self.drop)
        return try answer(
            end(drop), from: pickup.flatMap { pickup throws(PlaceError) in try end(pickup) }, by: [.rideShare])
    }

    private static func drop(_ text: String) -> Drop? { try? JSONDecoder().decode(Drop.self, from: Data(text.utf8)) }

    private func end(_ drop: Drop) throws(PlaceError) -> MapItem? {
        var position: Coordinate?
        if let latitude = drop.latitude, let longitude = drop.longitude {
            position = try PlaceText.coordinate(latitude, longitude)
        }
        return try item(PlaceText.name(drop.addressLine1?.singleSpaced), at: position)
    }
}

/// Links of České dráhy, whose ends are in one JSON object: `data={"from":{"name":…},"to":{"name":…}}`.
struct CzechRailwaysRule: PublisherRule {
    let name = "planner"
    let hosts = ["cd.cz"]

    private struct Journey: Decodable {
        struct End: Decodable { var name: String? }
        var from: End?
        var to: End?
    }

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard let text = try link.query.text("data"),
            let journey = try? JSONDecoder().decode(Journey.self, from: Data(text.utf8))
        else { throw Self.noPlace }
        return try answer(
            item(journey.to?.name?.singleSpaced, at: nil), from: item(journey.from?.name?.singleSpaced, at: nil),
            by: TransportMode.transit)
    }
}
