import Testing

@testable import GazetteerImport

@Suite struct PostalAbbreviationTests {
    @Test("Abbreviated and full words match each other")
    func bothWays() {
        #expect(PostalAbbreviations.name(of: "TX", country: "US") == "Texas")
        #expect(PostalAbbreviations.codes(of: "Texas", country: "US") == ["TX"])
        #expect(PostalAbbreviations.name(of: "WA", country: "AU") == "Western Australia")
        #expect(PostalAbbreviations.name(of: "TX", country: "FR") == nil)
        #expect(PostalAbbreviations.codes(of: "Bavaria", country: "DE").isEmpty)
    }

    @Test("Countries have names in many languages")

    func countriesHaveNamesInManyLanguages() {
        let germany = CountryNames.names(of: "DE")
        #expect(germany.first == "Germany")
        #expect(germany.contains("Deutschland") && germany.contains("Allemagne"))
        #expect(CountryNames.names(of: "GB").contains("UK"))
        #expect(CountryNames.names(of: "QQ").isEmpty)
    }
}
