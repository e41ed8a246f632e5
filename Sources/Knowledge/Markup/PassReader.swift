internal import HunchModel
internal import JSON

/// Reads the `pass.json` of a pass in Wallet as a reservation of schema.org.
///
/// Source: Apple, "Wallet Passes": `Pass`, `PassFields`, `SemanticTags`. Passes without semantic tags name their fields
/// freely; only the primary fields of a boarding pass have a fixed order: from, to.
struct PassReader {
    private let pass: [String: JSONValue]

    /// Reads a pass; `nil` if the value is not a pass.
    init?(_ value: JSONValue) {
        guard let object = value.object, object["formatVersion"] != nil, object["passTypeIdentifier"] != nil else {
            return nil
        }
        pass = object
    }

    /// The reservation; `nil` for other passes, such as coupons.
    var item: JSONValue? {
        if let fields = pass["boardingPass"]?.object { return journey(fields) }
        if let fields = pass["eventTicket"]?.object { return event(fields) }
        return nil
    }

    private static func elements(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let elements)? = value { elements } else { [] }
    }

    private func tag(_ name: String) -> JSONValue? { pass["semantics"]?.object?[name] }
    private func text(_ name: String) -> JSONValue? { tag(name)?.string.map(JSONValue.string) }

    private func journey(_ fields: [String: JSONValue]) -> JSONValue? {
        let primary = Self.elements(fields["primaryFields"]).map { $0.object ?? [:] }
        let (type, station): (String, String) =
            switch fields["transitType"]?.string {
            case "PKTransitTypeAir": ("Flight", "Airport")
            case "PKTransitTypeTrain": ("TrainTrip", "TrainStation")
            case "PKTransitTypeBus": ("BusTrip", "BusStop")
            case "PKTransitTypeBoat": ("BoatTrip", "BoatTerminal")
            default: ("Trip", "Place")
            }
        var trip: [String: JSONValue] = [:]
        for (index, (end, tag)) in [("departure", "departure"), ("arrival", "destination")].enumerated() {
            let field = index < primary.count ? primary[index] : [:]
            let isCode = field["value"]?.string.map { $0.utf8.count == 3 && $0 == $0.uppercased() } ?? false
            let code = type == "Flight" && isCode ? field["value"] : nil
            let property = type == "Flight" ? "Airport" : type == "TrainTrip" ? "Station" : station
            trip[end + property] = Self.object(
                station,
                [
                    "name": text("\(tag)AirportName") ?? text("\(tag)StationName")
                        ?? (isCode ? field["label"] : field["value"]),
                    "iataCode": text("\(tag)AirportCode") ?? code, "geo": Self.position(self.tag("\(tag)Location")),
                ])
        }
        trip["departureTime"] = text("originalDepartureDate") ?? text("currentDepartureDate") ?? pass["relevantDate"]
        trip["arrivalTime"] = text("originalArrivalDate") ?? text("currentArrivalDate")
        switch type {
        case "Flight":
            trip["flightNumber"] = text("flightCode")
            trip["departureGate"] = text("departureGate")
            trip["airline"] = Self.object(
                "Airline", ["iataCode": text("airlineCode"), "name": pass["organizationName"]])
        case "TrainTrip": trip["trainNumber"] = text("vehicleNumber")
        case "BusTrip": trip["busNumber"] = text("vehicleNumber")
        default: break
        }
        let words = type == "Flight" ? type : type.replacing("Trip", with: "")
        return reservation("\(words)Reservation", for: Self.object(type, trip))
    }

    private func event(_ fields: [String: JSONValue]) -> JSONValue? {
        let primary = Self.elements(fields["primaryFields"]).first?.object
        let place = Self.object(
            "Place",
            [
                "name": text("venueName"), "address": text("venueAddress"),
                "geo": Self.position(tag("venueLocation")) ?? Self.position(Self.elements(pass["locations"]).first),
            ])
        return reservation(
            "EventReservation",
            for: Self.object(
                "Event",
                [
                    "name": text("eventName") ?? primary?["value"] ?? pass["description"],
                    "startDate": text("eventStartDate") ?? pass["relevantDate"], "endDate": text("eventEndDate"),
                    "location": place,
                ]))
    }

    private func reservation(_ type: String, for thing: JSONValue?) -> JSONValue? {
        let passenger = tag("passengerName")?.object
        let name = ["givenName", "familyName"].compactMap { passenger?[$0]?.string }.joined(separator: " ")
        let seat = Self.elements(tag("seats")).first?.object
        let number = ["seatSection", "seatRow", "seatNumber"].compactMap { seat?[$0]?.string }.joined(separator: " ")
        return Self.object(
            type,
            [
                "reservationFor": thing, "reservationNumber": text("confirmationNumber"),
                "provider": Self.object("Organization", ["name": pass["organizationName"]]),
                "underName": Self.object("Person", ["name": name.isEmpty ? nil : .string(name)]),
                "reservedTicket": Self.object(
                    "Ticket",
                    ["ticketedSeat": Self.object("Seat", ["seatNumber": number.isEmpty ? nil : .string(number)])]),
            ])
    }

    private static func position(_ value: JSONValue?) -> JSONValue? {
        guard let latitude = value?.object?["latitude"], let longitude = value?.object?["longitude"] else { return nil }
        return object("GeoCoordinates", ["latitude": latitude, "longitude": longitude])
    }

    /// Returns an item without the members that are absent; `nil` if all are.
    private static func object(_ type: String, _ members: [String: JSONValue?]) -> JSONValue? {
        var present = members.compactMapValues { $0 }
        guard !present.isEmpty else { return nil }
        present["@type"] = .string(type)
        return .object(present)
    }
}
