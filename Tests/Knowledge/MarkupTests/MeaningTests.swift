import Markup
import Testing

/// Tests of what Hunch makes of a page.
@Suite("Meaning of a page")
struct MeaningTests {
    private func script(_ json: String) -> String { "<script type=\"application/ld+json\">\(json)</script>" }

    private func texts(_ page: Markup) -> [Meaning.Field: String] { page.meaning?.values.mapValues(\.text) ?? [:] }

    @Test("A restaurant is a place with address and position, also if another item has the address")
    func place() {
        let page = markup(
            script(
                """
                {"@graph":[{"@type":"WebSite","name":"Site"},{"@type":"Restaurant","name":"Yank Sing","geo":{"@id":"#g"},
                "address":{"@type":"PostalAddress","streetAddress":"101 Spear St","addressLocality":"San Francisco",
                "addressCountry":{"@type":"Country","name":"US"}},"telephone":"+1-415-781-1111",
                "openingHours":["Mo-Fr 11:00-15:00"]},{"@id":"#g","@type":"GeoCoordinates","latitude":37.79,"longitude":"-122.39"}]}
                """) + "<title>Yank Sing - dim sum</title><meta property=og:image content=i.jpg>")
        #expect(page.meaning?.kind == .place && page.meaning?.type == "Restaurant")
        #expect(
            texts(page) == [
                .name: "Yank Sing", .street: "101 Spear St", .locality: "San Francisco", .country: "US",
                .latitude: "37.79", .longitude: "-122.39", .telephone: "+1-415-781-1111",
                .openingHours: "Mo-Fr 11:00-15:00", .image: "i.jpg", .url: "https://example.org/menu/",
            ])
        #expect(
            page.meaning?.values[.name]?.source == "json-ld" && page.meaning?.values[.image]?.source == "open-graph")
        #expect(page.meaning?.ignored == ["WebSite", "GeoCoordinates"] && page.problems.isEmpty)
    }

    @Test("A flight, a train and a stay are reservations")
    func reservations() {
        let flight = markup(
            script(
                """
                {"@type":"FlightReservation","reservationNumber":"RXJ34P","underName":{"@type":"Person","name":"Eva Green"},
                "reservationFor":{"@type":"Flight","flightNumber":"110","airline":{"name":"United"},
                "departureAirport":{"name":"San Francisco Airport","iataCode":"SFO"},"departureTime":"2027-03-04T20:15:00-08:00",
                "arrivalAirport":{"name":"JFK","iataCode":"JFK"},"arrivalTime":"2027-03-05T06:30:00-05:00"}}
                """))
        #expect(flight.meaning?.kind == .reservation)
        #expect(
            texts(flight).filter { $0.key != .url } == [
                .number: "RXJ34P", .underName: "Eva Green", .vehicle: "110", .provider: "United",
                .departurePlace: "San Francisco Airport", .departureCode: "SFO", .start: "2027-03-04T20:15:00-08:00",
                .arrivalPlace: "JFK", .arrivalCode: "JFK", .end: "2027-03-05T06:30:00-05:00",
            ])
        let stay = markup(
            """
            <div itemscope itemtype="http://schema.org/LodgingReservation"><meta itemprop="checkinDate" content="2027-04-11">
            <div itemprop="reservationFor" itemscope itemtype="http://schema.org/LodgingBusiness"><b itemprop="name">Hilton</b>
            <div itemprop="address" itemscope itemtype="http://schema.org/PostalAddress"><i itemprop="streetAddress">1 Foo St</i>
            </div></div></div>
            """)
        #expect(stay.meaning?.type == "LodgingReservation")
        #expect(
            texts(stay)[.name] == "Hilton" && texts(stay)[.street] == "1 Foo St" && texts(stay)[.start] == "2027-04-11")
    }

    @Test("A newspaper's page is an article, although its publisher has an address")
    func article() {
        let page = markup(
            script(
                """
                [{"@type":"NewsMediaOrganization","name":"Paper"},{"@type":"Organization","name":"Paper",
                "address":{"streetAddress":"1 Road"}},{"@type":"NewsArticle","headline":"Rain","author":[{"name":"Ann"}],
                "datePublished":"2027-01-02"}]
                """))
        #expect(page.meaning?.kind == .article && texts(page)[.name] == "Rain" && texts(page)[.creator] == "Ann")
        let firm = markup(script(#"{"@type":"Organization","name":"Firm","address":{"streetAddress":"1 Road"}}"#))
        #expect(firm.meaning?.kind == .place)
        #expect(markup(script(#"{"@type":"Organization","name":"Firm"}"#)).meaning == nil)
    }

    @Test(
        "The location of an organization may be an address or its text",
        arguments: [
            #"{"@type":"PostalAddress","streetAddress":"1 Road","addressLocality":"Ulm"}"#, #""1 Road""#,
            #"{"@type":"Place","address":{"streetAddress":"1 Road"}}"#,
        ])
    func organizations(location: String) {
        let club = markup(script(#"{"@type":"Organization","name":"Club","location":\#(location)}"#))
        #expect(club.meaning?.kind == .place && texts(club)[.street] == "1 Road")
    }

    @Test(
        "A status is an address, an object or a type",
        arguments: [
            #""https://schema.org/EventCancelled""#, #"{"@id":"https://schema.org/EventCancelled"}"#,
            #"{"@type":"https://schema.org/EventCancelled"}"#, #"{"@type":"EventCancelled"}"#,
            #"{"@type":"EventStatusType","@id":"https://schema.org/EventCancelled"}"#,
        ])
    func cancelled(status: String) {
        let event = #"{"@type":"Event","name":"Concert","startDate":"2027-05-01","eventStatus":\#(status)}"#
        #expect(markup(script(event)).meaning?.isCancelled == true)
        let reservation = markup(
            script(
                #"{"@type":"EventReservation","reservationStatus":"ReservationConfirmed","reservationFor":\#(event)}"#))
        #expect(reservation.meaning?.isCancelled == true)
    }

    @Test("Invalid numbers and dates are reported and left out")
    func faults() {
        let page = markup(
            "\n"
                + script(
                    #"{"@type":"Event","name":"E","startDate":"next Friday","location":{"geo":{"latitude":"91","longitude":"x"}}}"#
                ))
        #expect(texts(page)[.name] == "E" && texts(page)[.start] == nil && texts(page)[.latitude] == nil)
        #expect(page.problems.map(\.code) == [.badValue, .badValue, .badValue])
        #expect(page.problems.allSatisfy { $0.line == 2 })
        #expect(page.problems.contains { $0.message == "longitude “x” is not a number" })
    }

    @Test("A page without items is understood by its head")
    func head() {
        let page = markup("<title>Hut</title><meta name=geo.position content='46.5;7.9'>")
        #expect(page.meaning?.kind == .place)
        #expect(texts(page) == [.name: "Hut", .latitude: "46.5", .longitude: "7.9", .url: "https://example.org/menu/"])
        #expect(markup("<title>Nothing</title>").meaning == nil)
    }
}
