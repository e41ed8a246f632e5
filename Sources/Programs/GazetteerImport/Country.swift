import Foundation

/// The countries of which GeoNames has a file of places.
public enum Country {
    /// ISO 3166-1 alpha-2, and XK for Kosovo.
    ///
    /// Source: https://download.geonames.org/export/dump/countryInfo.txt.
    private static let codes = """
        AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
        CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
        GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
        KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
        MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
        SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
        UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
        """.split { " \n".contains($0) }.map(String.init)

    /// Returns the code of a country by its code, or by its name in English or another language of the gazetteer.
    /// Case does not matter.
    public static func code(of text: String) -> String? {
        let key = folded(text)
        if let code = codes.first(where: { folded($0) == key }) { return code }
        // A name of one country may be a further name of another, such as Congo. The first name counts more.
        return codes.first { CountryNames.names(of: $0).first.map(folded) == key }
            ?? codes.first { CountryNames.names(of: $0).contains { folded($0) == key } }
    }

    /// The English names of all countries.
    public static var names: [String] { codes.compactMap { CountryNames.names(of: $0).first } }

    /// Returns the English name of a country by its code; the code itself if it is unknown.
    public static func name(of code: String) -> String { CountryNames.names(of: code).first ?? code }

    /// Returns the text in lowercase, with the apostrophe that keyboards have.
    private static func folded(_ text: String) -> String { text.lowercased().replacing("’", with: "'") }
}
