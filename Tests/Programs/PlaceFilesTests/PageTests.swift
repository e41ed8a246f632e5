import Coordinates
import HunchModel
import MapLinks
import PlaceFiles
import Testing

@Suite("Pages with places") struct PageTests {
    private func place(_ page: String) throws -> ParsedPlace { try outcome(Array(page.utf8)).get() }

    @Test(
        "A card keeps its name next to a position in it",
        arguments: [
            "<span class='p-name'>Café</span> <div class='p-geo h-geo'><data class='p-latitude' value='48.1'></data> "
                + "<data class='p-longitude' value='11.5'></data></div>",
            "<div class='h-geo'>48.1;11.5</div><b class='p-name'>Café</b>",
            "<b class='p-name'>Café</b><i class='p-latitude'>48.1</i><i class='p-longitude'>11.5</i>",
            // Texts are often rounded.
            "<b class='p-name'>Café</b><i class='p-geo h-geo'><data class='p-latitude' value='48.1'>48°</data>, "
                + "<data class='p-longitude' value='11.5'>12°</data></i>",
            "<b class='p-name p-org'>Café</b><data class='p-geo h-geo' value='48.1;11.5'>here</data>",
        ])
    func card(content: String) throws {
        #expect(try summary(place("<div class='h-card'>\(content)</div>")) == "markup | 48.1,11.5 | Café")
    }

    @Test("A classic card keeps its name next to a position in it")
    func classicCard() throws {
        let card = "<div class='vcard'><b class='fn'>Café</b> <abbr class='geo' title='48.1;11.5'>here</abbr></div>"
        #expect(try summary(place(card)) == "markup | 48.1,11.5 | Café")
    }

    @Test(
        "An address in a card is that of the card",
        arguments: [
            "<p class='p-adr h-adr'><i class='p-street-address'>Weg 1</i> <i class='p-locality'>Ulm</i></p>",
            "<p class='adr'><i class='street-address'>Weg 1</i> <i class='locality'>Ulm</i></p>",
            "<i class='p-street-address'>Weg 1</i> <i class='p-locality'>Ulm</i>",
        ])
    func address(content: String) throws {
        let item = try place("<div class='h-card vcard'><b class='p-name fn'>Café</b>\(content)</div>").item
        #expect(item == MapItem(name: "Café", address: PostalAddress(street: "Weg 1", city: "Ulm")))
    }

    @Test(
        "A position alone is a place with the title of the page",
        arguments: [
            "<p class='h-geo'>48.1;11.5</p>", "<abbr class='geo' title='48.1;11.5'>here</abbr>",
            "<p class='h-geo'><data class='p-latitude' value='48.1'>48</data> <i class='p-longitude'>11.5</i></p>",
            "<p class='geo'><b class='latitude'>48.1</b> <b class='longitude'>11.5</b>",
            "<p class='geo'>48.1;11.5</p><p class='geo'>48.1;11.5</p>",
            "<p class='h-adr'><b class='p-locality'>Ulm</b> <i class='p-geo'>48.1;11.5</i></p>",
            "<p class='adr'><b class='locality'>Ulm</b></p><p class='geo'>48.1;11.5</p>",
        ])
    func position(content: String) throws {
        #expect(try summary(place("<title>Hut</title>\(content)")) == "markup | 48.1,11.5 | Hut")
    }

    @Test("A journey by plane begins at the airport rather than in the city of its name")
    func airport() throws {
        let flight = """
            {"@type":"FlightReservation","reservationFor":{"@type":"Flight","departureAirport":{"name":"Vienna",
            "iataCode":"VIE"}}}
            """
        let place = try place("<script type='application/ld+json'>\(flight)</script>")
        #expect(place.item == MapItem(name: "Vienna", query: "VIE"))
    }

    @Test(
        "A mail has the place of its invitation, or of a link in its text",
        arguments: [
            (
                "text/calendar; method=REQUEST", "BEGIN:VEVENT\nLOCATION:Hut\nGEO:48.1;11.5\nEND:VEVENT", "iCalendar",
                "Hut"
            ),
            ("text/plain", "Meet here:\nhttps://www.google.com/maps?q=48.1,11.5\n\nAnn", "google", "-"),
        ])
    func mail(type: String, content: String, rule: String, name: String) throws {
        let mail = """
            From: a@example.org
            Date: today
            Content-Type: multipart/mixed; boundary=x

            --x
            Content-Type: text/plain

            See you in Ulm
            --x
            Content-Type: \(type)

            \(content)
            --x--
            """
        #expect(try summary(place(mail)) == "\(rule) | 48.1,11.5 | \(name)")
    }

    @Test("The words of a mail are not a place")
    func words() {
        #expect(failure("From: a\nDate: b\n\nSee you in Ulm") == .noPosition)
        #expect(failure("From: a\nDate: b\n\nHere: https://maps.app.goo.gl/AbCdEf123") == .needsNetwork)
    }

    @Test(
        "Classes of microformats without their properties are not a place",
        arguments: [
            "<div class='geo'>Around the world</div>", "<div class='adr'>Contact</div>", "<div class='h-adr'></div>",
            "<div class='h-geo'><data class='p-latitude' value='48.1'></data></div>",
            "<div class='geo'>95.1;11.5</div>", "<div class='h-card'><b class='p-name'>Ada</b></div>",
            "<div class='geography'>48.1;11.5</div>",
        ])
    func none(page: String) { #expect(failure(page) == .noPosition) }
}
