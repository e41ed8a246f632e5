import GazetteerImport
import Testing

@Suite("Countries") struct CountryTests {
    @Test(
        "A country is found by its code and its names",
        arguments: [
            ("DE", "DE"), ("de", "DE"), ("Germany", "DE"), ("deutschland", "DE"), ("UK", "GB"), ("Great Britain", "GB"),
            ("Congo", "CG"), ("DR Congo", "CD"), ("Czechia", "CZ"), ("czech republic", "CZ"), ("Türkiye", "TR"),
            ("Côte d'Ivoire", "CI"), ("Kosovo", "XK"), ("China", "CN"), ("South Georgia", nil), ("EU", nil),
            ("QQ", nil),
            ("", nil), ("Atlantis", nil),
        ] as [(String, String?)])
    func codes(text: String, code: String?) {
        #expect(Country.code(of: text) == code)
    }

    @Test("Every country has an English name")
    func names() {
        #expect(Country.names.count > 240)
        #expect(Country.name(of: "PT") == "Portugal" && Country.name(of: "QQ") == "QQ")
    }
}
