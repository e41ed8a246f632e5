import HunchModel
import Testing

@Suite("Telephone numbers") struct TelephoneNumberTests {
    @Test(
        "Common spellings of numbers become tel: links",
        arguments: [
            ("+1 (415) 555-0100", "tel:+14155550100"), ("030 / 12 34-56", "tel:030123456"), ("112", "tel:112"),
            ("+44 (0)20 7946 0000", "tel:+442079460000"), ("tel:+49-30-1234", "tel:+49301234"),
            ("  415.555.0100 ext. 7", "tel:4155550100"), ("415 555 0100 x7", "tel:4155550100"),
            ("+1-415-555-0100;ext=7", "tel:+14155550100"), ("415\u{00A0}555\u{2011}0100", "tel:4155550100"),
        ])
    func read(text: String, uri: String) { #expect(TelephoneNumber(text)?.uri == uri) }

    @Test(
        "Other text and device control codes are refused",
        arguments: [
            "", "12", "+", "call me", "*#06#", "*21*5550100#", "1-800-FLOWERS", "٤١٥٥٥٥", "５５５５５", "555\n0100",
            "0123456789 0123456789 0", "++4930123", "https://example.com", "123\u{202E}456",
        ])
    func refused(text: String) { #expect(TelephoneNumber(text) == nil) }
}
