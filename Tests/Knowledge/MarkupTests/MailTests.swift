import Foundation
import JSON
import Markup
import Testing

/// Tests of mails and passes.
@Suite("Mails and passes")
struct MailTests {
    private static let reservation = """
        <script type="application/ld+json">{"@type": "FlightReservation", "reservationNumber": "RXJ34P", "reservationFor":
        {"@type": "Flight", "flightNumber": "110", "departureAirport": {"iataCode": "SFO", "name": "San Francisco"},
        "arrivalAirport": {"iataCode": "JFK"}, "departureTime": "2027-03-04T20:15:00-08:00"}}</script>
        """

    private func read(_ mail: String, unpack: ([UInt8]) -> [UInt8]? = { _ in nil }) -> Markup {
        Markup(mail: Array(mail.utf8), unpack: unpack)
    }

    @Test("A reservation is found in every encoding of a mail", arguments: ["7bit", "base64", "quoted-printable"])
    func reservation(encoding: String) {
        let html = "<p>Gr\u{FC}\u{DF}e</p>\n\(Self.reservation)"
        let content =
            switch encoding {
            case "base64": Data(html.utf8).base64EncodedString(options: [.lineLength76Characters])
            case "quoted-printable":
                html.utf8.map {
                    $0 == 0x3D || $0 >= 0x80 ? "=\(String($0, radix: 16, uppercase: true))" : String(UnicodeScalar($0))
                }
                .joined().replacingOccurrences(of: "FlightReservation", with: "Flight=\r\nReservation")
            default: html
            }
        let page = read(
            """
            From: Airline <a@example.org>
            Date: Mon, 1 Mar 2027 10:00:00 +0000
            Subject: =?utf-8?Q?Ihre_Reise_?= =?ISO-8859-1?B?/GJlciBPc2xv?=
            MIME-Version: 1.0
            Content-Type: multipart/mixed;
             boundary="outer"

            --outer
            Content-Type: multipart/alternative; boundary=inner

            --inner
            Content-Type: text/plain

            Text
            --inner
            Content-Type: text/html; charset="utf-8"
            Content-Transfer-Encoding: \(encoding)

            \(content)
            --inner--
            --outer--
            """)
        #expect(page.title == "Ihre Reise über Oslo")
        #expect(page.meaning?.kind == .reservation && page.meaning?.values[.departureCode]?.text == "SFO")
        #expect(page.meaning?.values[.vehicle]?.text == "110" && page.problems.isEmpty)
        if encoding == "7bit" { #expect(page.items.first?.line == 20) }
    }

    private static let pass = """
        {"formatVersion": 1, "passTypeIdentifier": "pass.example", "organizationName": "Example Air", "description": "Flight",
         "relevantDate": "2027-03-04T20:15:00-08:00", "boardingPass": {"transitType": "PKTransitTypeAir",
         "primaryFields": [{"key": "o", "label": "San Francisco", "value": "SFO"}, {"key": "d", "label": "Oslo", "value": "OSL"}]},
         "semantics": {"flightCode": "EX110", "passengerName": {"givenName": "Ada", "familyName": "L."},
         "confirmationNumber": "RXJ34P", "seats": [{"seatRow": "12", "seatNumber": "A"}]}}
        """

    @Test("A boarding pass is a reservation of a flight")
    func boardingPass() {
        let page = Markup(pass: Array(Self.pass.utf8))
        #expect(
            page.values == [
                [
                    "@type": "FlightReservation", "reservationNumber": "RXJ34P",
                    "underName": ["@type": "Person", "name": "Ada L."],
                    "provider": ["@type": "Organization", "name": "Example Air"],
                    "reservedTicket": [
                        "@type": "Ticket", "ticketedSeat": ["@type": "Seat", "seatNumber": "12 A"],
                    ],
                    "reservationFor": [
                        "@type": "Flight", "flightNumber": "EX110", "departureTime": "2027-03-04T20:15:00-08:00",
                        "airline": ["@type": "Airline", "name": "Example Air"],
                        "departureAirport": ["@type": "Airport", "name": "San Francisco", "iataCode": "SFO"],
                        "arrivalAirport": ["@type": "Airport", "name": "Oslo", "iataCode": "OSL"],
                    ],
                ]
            ])
        #expect(page.meaning?.values[.start]?.source == "pass")
    }

    @Test("A ticket becomes an event reservation, a coupon nothing")
    func tickets() {
        let page = Markup(
            pass: Array(
                """
                {"formatVersion": 1, "passTypeIdentifier": "p", "relevantDate": "2027-05-01T19:00Z", "eventTicket":
                {"primaryFields": [{"key": "e", "value": "Concert"}]}, "locations": [{"latitude": 59.9, "longitude": 10.7}]}
                """.utf8))
        #expect(page.meaning?.values[.name]?.text == "Concert" && page.meaning?.values[.latitude]?.text == "59.9")
        let coupon = Markup(pass: Array("{\"formatVersion\":1,\"passTypeIdentifier\":\"p\",\"coupon\":{}}".utf8))
        #expect(coupon.items.isEmpty && coupon.problems.isEmpty)
        #expect(Markup(pass: Array("{}".utf8)).problems.map(\.code) == [.incomplete])
        #expect(Markup(pass: Array("{".utf8)).problems.map(\.code) == [.notJSON])
    }

    @Test("An attached pass is read, and a broken one is a problem", arguments: [true, false])
    func attached(isWhole: Bool) {
        let page = read(
            """
            From: a@example.org
            Date: today
            Content-Type: multipart/mixed; boundary=x

            --x
            Content-Type: application/octet-stream; name*=utf-8''Oslo%20S.pkpass
            Content-Transfer-Encoding: base64

            UEsDBA==
            --x--
            """
        ) { archive in
            #expect(archive == [0x50, 0x4B, 0x03, 0x04])
            return isWhole ? Array(Self.pass.utf8) : nil
        }
        #expect(page.items.count == (isWhole ? 1 : 0))
        #expect(page.problems.map(\.code) == (isWhole ? [] : [.notJSON]))
    }

    @Test("Other text is not mistaken for a mail")
    func others() {
        for text in ["", "<html>", "From: x", "Date: now\n\nFrom: x", "{\"from\": 1}"] {
            #expect(!Markup.isMail(Array(text.utf8)), "\(text)")
        }
        #expect(Markup.isMail(Array("\u{FEFF}From: b\nDate: now\n\n".utf8)))
        #expect(read("\u{FEFF}Subject: Hut\n\n").title == "Hut")
        #expect(Markup.isMail(Array("Received: x\n y\nMessage-ID: <1>\nFrom: b\n\n".utf8)))
        let nested = (0..<100).map { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" }.joined()
        #expect(read("From: a\nDate: b\n" + nested).items.isEmpty)
    }
}
