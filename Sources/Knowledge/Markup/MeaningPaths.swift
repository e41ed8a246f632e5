/// The paths of properties at which the fields of a kind are in an item, the preferred one first.
enum MeaningPaths {
    /// The paths of fields, divided into their properties.
    typealias Paths = [(field: Meaning.Field, paths: [[String]])]
    private typealias WrittenPaths = [(field: Meaning.Field, paths: [String])]

    /// Returns the paths of a kind, without those in its place.
    static func paths(of kind: Meaning.Kind) -> Paths { byKind[kind] ?? [] }

    private static let byKind = Dictionary(
        uniqueKeysWithValues: Meaning.Kind.allCases.map { ($0, divided(written($0))) })

    private static func divided(_ written: WrittenPaths) -> Paths {
        written.map { field, paths in
            (field: field, paths: paths.map { $0.split(separator: ".").map(String.init) })
        }
    }

    /// Returns the paths of a kind. Prices are in items within the item.
    private static func written(_ kind: Meaning.Kind) -> WrittenPaths {
        switch kind {
        case .place: general + [(.openingHours, ["openingHours"]), (.price, ["priceRange"])]
        case .event:
            general + [
                (.start, ["startDate"]), (.end, ["endDate"]), (.status, status("eventStatus")),
                (
                    .placeName,
                    ["location.name", "location", "location.location.name", "location.containedInPlace.name"]
                ),
                (.creator, ["performer.name", "organizer.name", "performer"]),
                (.duration, ["duration"]), (.price, ["offers.price", "offers.lowPrice"]),
                (.currency, ["offers.priceCurrency"]),
            ]
        case .reservation: reservation
        case .media:
            general + [
                (
                    .creator,
                    ["byArtist.name", "creator.name", "author.name", "byArtist", "creator", "author", "publisher.name"]
                ),
                (.series, ["partOfSeries.name", "inAlbum.name", "partOfSeason.partOfSeries.name", "inAlbum"]),
                (.number, ["episodeNumber", "trackNumber", "position"]), (.duration, ["duration", "timeRequired"]),
                (.start, ["datePublished", "uploadDate"]),
            ]
        case .product:
            general + [
                (.brand, ["brand.name", "brand", "manufacturer.name"]), (.number, ["sku", "gtin13", "gtin", "mpn"]),
                (.price, ["offers.price", "offers.lowPrice"]), (.currency, ["offers.priceCurrency"]),
                (.status, ["offers.availability"]), (.provider, ["offers.seller.name"]),
            ]
        case .article:
            [(.name, ["headline", "name"])] + general.dropFirst() + [
                (.creator, ["author.name", "author"]), (.provider, ["publisher.name"]), (.start, ["datePublished"]),
            ]
        case .person: general + [(.provider, ["worksFor.name", "worksFor"])]
        }
    }

    private static let general: WrittenPaths = [
        (.name, ["name", "alternateName"]), (.url, ["url"]), (.image, ["image.url", "image"]),
    ]

    /// The paths of a status, which may be an object with an address, or one of the type that is meant.
    private static func status(_ name: String) -> [String] { [name, "\(name).@id", "\(name).url", "\(name).@type"] }

    // MARK: Places

    /// The paths in a place, which may be an address or a position alone.
    static let place = divided([
        (.street, ["address.streetAddress", "address", "streetAddress"]),
        (.locality, ["address.addressLocality", "addressLocality"]),
        (.region, ["address.addressRegion", "addressRegion"]), (.postalCode, ["address.postalCode", "postalCode"]),
        (.country, ["address.addressCountry.name", "address.addressCountry", "addressCountry"]),
        (.latitude, ["geo.latitude", "latitude", "geo"]), (.longitude, ["geo.longitude", "longitude", "geo"]),
        (.map, ["hasMap.url", "hasMap.@id", "hasMap", "maps", "map"]),
        (.telephone, ["telephone", "address.telephone"]),
    ])

    /// Returns the paths of the place of an item, the preferred one first. The empty path is that of the item itself.
    static func places(of kind: Meaning.Kind) -> [[String]] {
        switch kind {
        case .place, .person: [[]]
        case .event: [["location"]]
        case .reservation: reserved
        case .media, .product, .article: []
        }
    }

    /// The properties of the place around a place.
    static let around = ["location", "containedInPlace", "containedIn"]

    /// The place where the user has to be: a venue, a hotel, or where a journey begins.
    private static let reserved = [
        ["reservationFor", "location"], ["reservationFor"], ["reservationFor", "departureStation"],
        ["reservationFor", "departureAirport"], ["reservationFor", "departureBusStop"],
        ["reservationFor", "departureBoatTerminal"], ["pickupLocation"],
    ]

    /// The object of a reservation: a journey, a stay, a table, a car or an event.
    private static let reservation: WrittenPaths = {
        let thing = "reservationFor."
        return [
            (.name, [thing + "name", thing + "trainName", thing + "busName", "name"]),
            (.number, ["reservationNumber", "reservationId", "ticketNumber"]),
            (.status, status("reservationStatus") + status(thing + "eventStatus")),
            (
                .start,
                [
                    thing + "departureTime", "checkinTime", "checkinDate", "startTime", "pickupTime",
                    thing + "startDate",
                ]
            ),
            (
                .end,
                [thing + "arrivalTime", "checkoutTime", "checkoutDate", "endTime", "dropoffTime", thing + "endDate"]
            ),
            (
                .departurePlace,
                [
                    thing + "departureAirport.name", thing + "departureStation.name", thing + "departureBusStop.name",
                    thing + "departureBoatTerminal.name", "pickupLocation.name",
                ]
            ),
            (.departureCode, [thing + "departureAirport.iataCode"]),
            (
                .arrivalPlace,
                [
                    thing + "arrivalAirport.name", thing + "arrivalStation.name", thing + "arrivalBusStop.name",
                    thing + "arrivalBoatTerminal.name", "dropoffLocation.name",
                ]
            ),
            (.arrivalCode, [thing + "arrivalAirport.iataCode"]),
            (.vehicle, [thing + "flightNumber", thing + "trainNumber", thing + "busNumber"]),
            (.seat, ["airplaneSeat", "reservedTicket.ticketedSeat.seatNumber", "seatNumber"]),
            (.underName, ["underName.name", "underName"]), (.placeName, [thing + "location.name"]),
            (.provider, ["provider.name", thing + "airline.name", thing + "provider.name", "broker.name"]),
            (.url, ["checkinUrl", "url"]),
        ]
    }()
}
