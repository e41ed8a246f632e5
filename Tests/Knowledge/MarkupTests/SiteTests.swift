import JSON
import Markup
import Testing

/// Pages as sites and their plug-ins write them.
@Suite("Pages of real kinds")
struct SiteTests {
    private func data(_ json: String) -> Markup { markup("<script type=\"application/ld+json\">\(json)</script>") }

    private func text(_ page: Markup, _ field: Meaning.Field) -> String? { page.meaning?.text(field) }

    @Test("Head positions with decimal commas are read", arguments: ["geo.position", "ICBM"])
    func head(name: String) {
        let page = markup("<meta name='\(name)' content='48,2;16,37'>")
        #expect(text(page, .latitude) == "48.2" && text(page, .longitude) == "16.37")
        let faulty = markup("<meta name='\(name)' content='48,2,16'>")
        #expect(text(faulty, .latitude) == nil && faulty.problems.map(\.code) == [.badValue])
    }

    @Test(
        "Head positions out of range are reported and left out",
        arguments: [
            "<meta name=geo.position content='98.2;16.3'>", "<meta name=ICBM content='48.2, 196.3'>",
            "<meta property=place:location:latitude content=98.2><meta property=place:location:longitude content=16.3>",
        ])
    func outOfRange(head: String) {
        let page = markup(head)
        #expect(text(page, .latitude) == nil && text(page, .longitude) == nil)
        #expect(page.problems.map(\.code) == [.badValue])
    }

    @Test("References in JSON-LD are decoded")
    func entities() {
        let page = data(
            #"{"@type":"Restaurant","name":"Joe&#8217;s Caf&eacute;","address":{"streetAddress":"Weg 1<br/>Hof"}}"#)
        #expect(text(page, .name) == "Joe’s Café" && text(page, .street) == "Weg 1 Hof")
    }

    @Test(
        "A status may be an object, and spelt in two ways",
        arguments: [
            #"{"@id":"https://schema.org/EventCancelled"}"#, #"{"@type":"EventStatusType","name":"EventCancelled"}"#,
            #""http://schema.org/EventCancelled""#, #""EventCanceled""#, #"["https://schema.org/EventCancelled"]"#,
            #"{"@type":"EventStatusType","@id":"https://schema.org/EventCancelled"}"#, #""CANCELLED""#,
            #"{"@value":"EventCancelled"}"#, #"{"url":"https://schema.org/EventCancelled"}"#,
        ])
    func status(value: String) {
        let page = data("{\"@type\":\"Event\",\"name\":\"E\",\"startDate\":\"2027-01-02\",\"eventStatus\":\(value)}")
        #expect(page.meaning?.isCancelled == true && page.meaning?.event == nil)
    }

    @Test(
        "An event on the web has no place",
        arguments: [
            #""eventAttendanceMode":"https://schema.org/OnlineEventAttendanceMode","location":{"@type":"Place","name":"Online event"}"#,
            #""eventAttendanceMode":{"@id":"schema:OnlineEventAttendanceMode"},"location":{"@type":"Place","address":"Web"}"#,
            #""eventAttendanceMode":"OnlineEventAttendanceMode","location":"https://zoom.us/j/1""#,
            #""location":{"@type":"Place","name":"Online Event"}"#, #""location":"Online""#,
            #""location":{"@type":"VirtualLocation","url":"https://x.example"}"#,
        ])
    func online(members: String) {
        let page = data("{\"@type\":\"Event\",\"name\":\"E\",\"startDate\":\"2027-01-02\",\(members)}")
        #expect(page.meaning?.mapItem == nil && page.meaning?.event != nil)
    }

    @Test("A mixed event has its place")
    func mixed() {
        let page = data(
            #"{"@type":"Event","name":"E","eventAttendanceMode":"https://schema.org/MixedEventAttendanceMode","location":[{"@type":"VirtualLocation","url":"https://x.example"},{"@type":"Place","name":"Hall","address":"Weg 1, Ulm"}]}"#
        )
        #expect(text(page, .placeName) == "Hall" && text(page, .street) == "Weg 1, Ulm")
    }

    @Test(
        "Places are found where sites put them",
        arguments: [
            #"{"@type":"Event","location":{"@type":"PostalAddress","streetAddress":"Weg 1","addressLocality":"Ulm"}}"#,
            #"{"@type":"Event","location":{"@type":"Place","location":{"@type":"Place","address":{"streetAddress":"Weg 1"}}}}"#,
            #"{"@type":"Event","location":{"name":"Room 5","containedInPlace":{"name":"M","address":{"streetAddress":"Weg 1"}}}}"#,
            #"{"@type":"WebPage","mainEntity":{"@type":"Restaurant","name":"R","address":{"streetAddress":"Weg 1"}}}"#,
            #"{"@graph":[{"@type":"WebPage","mainEntity":{"@id":"urn:r"}},{"@id":"urn:r","@type":"Museum","address":{"streetAddress":"Weg 1"}}]}"#,
            #"{"@type":"ItemPage","mainEntity":[{"@type":"Hotel","address":{"streetAddress":"Weg 1"}}]}"#,
            #"{"@type":"WebPage","mainEntity":{"@type":"WebPage","mainEntity":{"@type":"Zoo","address":{"streetAddress":"Weg 1"}}}}"#,
            #"{"@type":"Organization","name":"O","location":{"@type":"Place","address":{"streetAddress":"Weg 1"}}}"#,
            #"{"@context":"https://schema.org","type":"Library","id":"urn:l","address":{"type":"PostalAddress","streetAddress":"Weg 1"}}"#,
            #"{"@type":"ReservationPackage","subReservation":[{"@type":"LodgingReservation","reservationFor":{"address":{"streetAddress":"Weg 1"}}}]}"#,
        ])
    func places(json: String) { #expect(text(data(json), .street) == "Weg 1") }

    @Test(
        "Places are found in items in items",
        arguments: [
            #"{"@type":"WebPage","mainEntity":{"@type":"Event","location":{"containedInPlace":{"containedInPlace":PLACE}}}}"#,
            #"{"@type":"WebPage","mainEntity":{"@type":"Organization","location":{"name":"R","containedInPlace":PLACE}}}"#,
            #"[[{"@graph":[[{"@type":"WebSite"}],[{"@type":"Event","name":"E","location":[PLACE]}]]}]]"#,
            ##"{"@graph":[{"@type":"Event","location":{"@id":"#a"}},{"@id":"#a","location":[{"@id":"#a"},{"@id":"#b"}]},{"@id":"#b","containedIn":PLACE}]}"##,
            #"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","position":1,"item":PLACE}]}"#,
            #"{"@type":"ItemList","itemListElement":PLACE}"#,
            ##"{"@type":"CollectionPage","mainEntity":{"@type":"ItemList","itemListElement":[{"item":{"@id":"#p"}},PLACE]}}"##,
            #"{"@type":"ItemList","itemListElement":[{"item":{"@type":"Event","name":"E","location":PLACE}}]}"#,
            #"{"@type":"EventReservation","reservationFor":{"@type":"Event","location":{"containedInPlace":PLACE}}}"#,
            #"{"schema:mainEntity":{"@type":"schema:Event","schema:location":{"schema:containedInPlace":PLACE}}}"#,
        ])
    func nestedPlaces(json: String) {
        let place = #"{"@type":"Museum","name":"M","address":{"streetAddress":"Weg 1"}}"#
        let page = data(json.replacing("PLACE", with: place))
        #expect(text(page, .street) == "Weg 1" && page.meaning?.isOneOfMany == false)
    }

    @Test(
        "Places that are not of the subject are left",
        arguments: [
            // A list in addition to the subject.
            #"[{"@type":"Article","headline":"A"},{"@type":"ItemList","itemListElement":[{"item":PLACE}]}]"#,
            // An event on the web.
            #"{"@type":"Event","name":"E","location":{"@type":"VirtualLocation","containedInPlace":PLACE}}"#,
            // A country around the city of an address.
            #"{"@type":"Hotel","address":{"addressLocality":"Ulm"},"containedInPlace":{"containedInPlace":PLACE}}"#,
            // More than six places in each other.
            #"{"@type":"Event","location":AROUNDPLACE}"#,
            // Other properties.
            #"{"@type":"WebPage","publisher":{"@type":"Organization","name":"O","founder":PLACE}}"#,
            #"{"@type":"BreadcrumbList","itemListElement":[{"item":{"@id":"https://x.example/","name":"Home"}}]}"#,
        ])
    func otherPlaces(json: String) {
        let place = #"{"@type":"Museum","address":{"streetAddress":"Weg 1"},"geo":"1,2"}"#
        let around = String(repeating: #"{"containedInPlace":"#, count: 6)
        let closed = around + place + String(repeating: "}", count: 6)
        let page = data(json.replacing("AROUNDPLACE", with: closed).replacing("PLACE", with: place))
        #expect(text(page, .street) == nil && text(page, .latitude) == nil)
    }

    @Test("Of a list of places, the page is about the one in its title")
    func listed() {
        let items = ["A", "B"].map { #"{"item":{"@type":"Museum","name":"Museum \#($0)","geo":"1,2"}}"# }
        let json = #"{"@type":"ItemList","itemListElement":[\#(items.joined(separator: ","))]}"#
        #expect(data(json).meaning?.isOneOfMany == true)
        let titled = markup("<title>Museum B</title><script type='application/ld+json'>\(json)</script>")
        #expect(text(titled, .name) == "Museum B" && titled.meaning?.isOneOfMany == false)
        let article = markup(
            "<meta property=og:type content=article><script type='application/ld+json'>\(json)</script>")
        #expect(article.meaning?.kind == .article)
    }

    @Test(
        "A position may be a text",
        arguments: [
            #""geo":"48.2,16.37""#, #""geo":"48.2;16.37""#, #""geo":{"latitude":"48,2","longitude":"16,37"}"#,
            #""geo":"geo:48.2,16.37""#, #""geo":{"@value":"48.2, 16.37"}"#, #""latitude":"48.2","longitude":16.37"#,
            #""geo":["48.2,16.37"]"#, #""geo":{"@type":"GeoCoordinates","latitude":"48.2°","longitude":" 16.37 "}"#,
        ])
    func positions(member: String) {
        let page = data("{\"@type\":\"Place\",\"name\":\"P\",\(member)}")
        #expect(text(page, .latitude) == "48.2" && text(page, .longitude) == "16.37" && page.problems.isEmpty)
    }

    @Test("A list of two numbers as position is a fault, not two latitudes")
    func list() {
        let page = data(#"{"@type":"Place","name":"P","geo":["48.2","16.37"]}"#)
        #expect(text(page, .latitude) == nil && page.problems.contains { $0.code == .badValue })
    }

    @Test("A position in Microdata and RDFa may be a text")
    func otherSyntaxes() {
        let microdata = markup(
            "<div itemscope itemtype='https://schema.org/Place'><b itemprop=name>P</b><i itemprop=geo>48,2; 16,37</i></div>"
        )
        #expect(text(microdata, .latitude) == "48.2" && text(microdata, .longitude) == "16.37")
        let rdfa = markup(
            "<div vocab='https://schema.org/' typeof=Place><b property=name>P</b><i property=geo>48.2 16.37</i></div>")
        #expect(text(rdfa, .latitude) == "48.2" && text(rdfa, .longitude) == "16.37")
        let card = markup("<div class=vcard><b class='fn org'>P</b><i class=geo>48,2;16,37</i><i class=adr>x</i></div>")
        #expect(card.items.first?.value.object?["geo"]?.object?["latitude"] == "48.2")
    }

    @Test(
        "A link to a map is carried along",
        arguments: [
            #""hasMap":"https://maps.google.com/?q=48.2,16.37""#,
            #""hasMap":{"@type":"Map","name":"M","url":"https://maps.google.com/?q=48.2,16.37"}"#,
            #""hasMap":{"@type":"Map","name":"M","@id":"https://maps.google.com/?q=48.2,16.37"}"#,
            #""hasMap":["https://maps.google.com/?q=48.2,16.37"]"#,
        ])
    func map(member: String) {
        #expect(
            data("{\"@type\":\"Place\",\"name\":\"P\",\(member)}").meaning?.mapLink
                == "https://maps.google.com/?q=48.2,16.37")
    }

    @Test("All parts of a package are reservations")
    func package() {
        let part = #"{"@type":"FlightReservation","reservationNumber":"N","reservationFor":{"flightNumber":"1"}}"#
        let page = data("{\"@type\":\"ReservationPackage\",\"subReservation\":[\(part),\(part)]}")
        #expect(page.reservations.count == 2 && page.meaning?.type == "FlightReservation")
    }

    @Test("A reservation with parts is one, too, if it reserves something")
    func parts() {
        let page = data(
            #"{"@type":"LodgingReservation","reservationNumber":"1","reservationFor":{"name":"H"},"subReservation":{"@type":"LodgingReservation","reservationNumber":"2"}}"#
        )
        #expect(page.reservations.count == 2 && text(page, .name) == "H" && text(page, .number) == "1")
    }

    @Test("The special type takes precedence over “Organization”")
    func specialType() {
        let page = data(
            #"{"@type":["Organization","Restaurant","Place"],"name":"R","address":{"streetAddress":"Weg 1"}}"#)
        #expect(page.meaning?.type == "Restaurant")
    }

    @Test("The main entity is the subject of several alike")
    func mainEntity() {
        let page = data(
            #"[{"@type":"Place","name":"Other"},{"@type":"WebPage","mainEntity":{"@type":"Place","name":"This"}}]"#)
        #expect(text(page, .name) == "This" && page.meaning?.isOneOfMany == false)
    }

    @Test("A malformed date is reported with its line")
    func date() {
        let page = data("{\"@type\":\"Event\",\"name\":\"E\",\n\"startDate\":\"2027-13-40T20:00\"}")
        #expect(page.problems.map(\.line) == [2] && page.problems.map(\.code) == [.badValue])
        #expect(text(page, .start) == nil)
    }
}
