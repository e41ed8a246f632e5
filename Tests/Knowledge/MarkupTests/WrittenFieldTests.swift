import Testing

@testable import Markup

@Suite("Texts of fields as pages write them")
struct WrittenFieldTests {
    @Test(
        "A position has two numbers, however they are divided",
        arguments: [
            "48.2;16.37", "48.2, 16.37", "48,2;16,37", "48,2; 16,37", "48,2, 16,37", "48,2 16,37", "48,2,16,37",
            "48.2;16.37;151", "48.2, 16.37, 151", "48.2,16.37,151.5", "geo:48.2,16.37;u=5", "48.2 16.37",
            " 48.2 ; 16.37 ",
            "48.2°N, 16.37°E", "N 48.2; E 16.37", "+48.2;+16.37", "48.2/16.37",
            "48°12'0\"N 16°22'12\"E", "48° 12′ 0″ N, 16° 22′ 12″ E", "N48°12' E16°22.2'", "48°12,0'N; 16°22,2'E",
        ])
    func positions(text: String) {
        let position = WrittenPosition(text)
        #expect(position?.latitude == "48.2" && position?.longitude == "16.37")
    }

    @Test(
        "Texts that may mean several positions are rejected",
        arguments: ["48,2,16", "48.2", "", "here", "48,2", "1,2,3,4,5", "nan;inf", "0x10;3", "48.2;", "48°75'N 16°1'E"])
    func others(text: String) {
        // Two whole numbers are a position.
        #expect((WrittenPosition(text) == nil) == (text != "48,2"))
    }

    @Test("South and west are negative")
    func signs() {
        let position = WrittenPosition("33,45 S; 70,66 W")
        #expect(position?.latitude == "-33.45" && position?.longitude == "-70.66")
        #expect(WrittenPosition("33°27'0\"S 70°39'36\"W") == position)
        #expect(WrittenPosition("\u{2212}33.45;\u{2212}70.66")?.latitude == "-33.45")
    }

    @Test(
        "Times of ISO 8601 are valid",
        arguments: [
            "2027-03-04", "2027-03-04T20:15", "2027-03-04T20:15:00+01:00", "2027-03-04T20:15:00+0100",
            "2027-03-04T20:15:00.000Z", "2027-03-04 20:15", "20270304T201500Z", "20270304", "20270304T2015+0100",
            "2027",
            "2027-03", "T19:00", "19:00",
        ])
    func times(text: String) {
        #expect(WrittenField.fault(of: WrittenField.value(text, .start), in: .start) == nil)
    }

    @Test(
        "Malformed times are faults",
        arguments: [
            "next Friday", "2027-13-04", "2027-02-30", "2027-03-04T25:00", "20271304", "4.3.2027", "03/04/2027",
            "1790000000000",
            "2027-03-04T20:15 Uhr", "", "2027-3-4", "2027-03-04T24:01", "2027-03-04T24:00:01", "2027-02-30T24:00",
        ])
    func malformed(text: String) {
        #expect(WrittenField.fault(of: WrittenField.value(text, .start), in: .start) != nil)
    }

    @Test("A text that is not a position is reported as such")
    func noPosition() {
        let fault = WrittenField.fault(of: WrittenField.value("here", .latitude, isPosition: true), in: .latitude)
        #expect(fault == "“here” is not a position; write it as 48.2;16.37")
    }

    @Test("Times without hyphens are written with them")
    func extended() {
        #expect(WrittenField.value("20270304T201500Z", .start) == "2027-03-04T20:15:00Z")
        #expect(WrittenField.value("20270304T2015+0100", .start) == "2027-03-04T20:15+0100")
        #expect(WrittenField.value("20270304", .end) == "2027-03-04")
    }

    @Test("The midnight that ends a day is that of the next day")
    func midnight() {
        #expect(WrittenField.value("2026-12-05T24:00:00", .start) == "2026-12-06T00:00:00")
        #expect(WrittenField.value("2026-12-31T24:00+01:00", .end) == "2027-01-01T00:00+01:00")
        #expect(WrittenField.value("20261205T2400", .end) == "2026-12-06T00:00")
    }

    @Test(
        "Texts of JSON-LD lose references and tags",
        arguments: [
            ("Joe&#8217;s Caf&eacute; &amp; Bar", "Joe’s Café & Bar"), ("Joe&amp;#8217;s", "Joe’s"),
            ("Main St 1<br />Ulm", "Main St 1 Ulm"), ("<p>A</p>", " A "), ("a <b>b</b>", "a b"),
            ("1 < 2 & 3", "1 < 2 & 3"),
            ("https://x/?a=1&copy=2&amp;b=3", "https://x/?a=1&copy=2&b=3"), ("&lt;br&gt;", " "),
            ("I <3 you", "I <3 you"),
            ("the <video> element", "the <video> element"), ("AT&T;", "AT&T;"), ("<br", "<br"), ("</", "</"),
            ("&", "&"),
        ])
    func plain(text: String, expected: String) { #expect(JSONLDText.plain(text) == expected) }
}
