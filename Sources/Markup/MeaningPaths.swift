/// The paths of properties at which the fields of a kind stand in an item, the preferred one first.
enum MeaningPaths {
    typealias Paths = [(field: Meaning.Field, paths: [String])]

    /// Returns the paths of a kind, divided into their properties.
    static func paths(of kind: Meaning.Kind) -> [(field: Meaning.Field, paths: [[String]])] { divided[kind] ?? [] }

    private static let divided = Dictionary(
        uniqueKeysWithValues: Meaning.Kind.allCases.map { kind in
            (
                kind,
                written(kind).map { field, paths in
                    (field: field, paths: paths.map { $0.split(separator: ".").map(String.init) })
                }
            )
        })

    /// Returns the paths of a kind. Prices, addresses and positions stand in items within the item.
    private static func written(_ kind: Meaning.Kind) -> Paths {
        switch kind {
        case .place: general + places.flatMap(location) + [(.openingHours, ["openingHours"]), (.price, ["priceRange"])]
        case .event:
            general + places.flatMap { location(in: "location." + $0) } + [
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
        case .person: general + location(in: "") + [(.provider, ["worksFor.name", "worksFor"])]
        }
    }

    private static let general: Paths = [
        (.name, ["name", "alternateName"]), (.url, ["url"]), (.image, ["image.url", "image"]),
    ]

    /// A place, and where it may stand in another one.
    private static let places = ["", "location.", "containedInPlace.", "containedIn."]

    /// The paths of a status, which may be an object with an address.
    private static func status(_ name: String) -> [String] { [name, "\(name).@id", "\(name).url"] }

    private static func location(in part: String) -> Paths {
        func path(_ field: Meaning.Field, _ names: String...) -> (Meaning.Field, [String]) {
            (field, names.map { part + $0 })
        }
        return [
            path(.street, "address.streetAddress", "address", "streetAddress"),
            path(.locality, "address.addressLocality", "addressLocality"),
            path(.region, "address.addressRegion", "addressRegion"),
            path(.postalCode, "address.postalCode", "postalCode"),
            path(.country, "address.addressCountry.name", "address.addressCountry", "addressCountry"),
            path(.latitude, "geo.latitude", "latitude", "geo"), path(.longitude, "geo.longitude", "longitude", "geo"),
            path(.map, "hasMap.url", "hasMap.@id", "hasMap", "maps", "map"),
            path(.telephone, "telephone", "address.telephone"),
        ]
    }

    /// The thing that is reserved: a journey, a stay, a table, a car or an event.
    private static let reservation: Paths = {
        let thing = "reservationFor."
        return [
            (.name, [thing + "name", thing + "trainName", thing + "busName", "name"]),
            (.number, ["reservationNumber", "reservationId", "ticketNumber"]), (.status, status("reservationStatus")),
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
            // The place where the person has to be: a venue, a hotel, or where a journey begins.
            + [
                "location.", "", "departureStation.", "departureAirport.", "departureBusStop.",
                "departureBoatTerminal.",
            ]
            .flatMap { location(in: thing + $0) } + location(in: "pickupLocation.")
    }()
}
