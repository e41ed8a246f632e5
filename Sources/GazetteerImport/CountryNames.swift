import Foundation

/// What countries are called. Source: the Unicode CLDR, as Foundation carries it.
enum CountryNames {
    private static let locales = [
        "en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "tr", "ru", "ar", "ja", "zh",
    ].map(Locale.init(identifier:))

    /// Names in common use that the CLDR does not give.
    private static let customary: [String: [String]] = [
        "US": ["USA", "United States of America", "America"], "GB": ["UK", "Great Britain", "Britain"],
        "AE": ["UAE"], "NL": ["Holland"], "CZ": ["Czech Republic"], "TR": ["Turkey"], "MM": ["Burma"],
    ]

    /// Names of a country by its ISO 3166-1 alpha-2 code, the English one first; empty for a code of no country.
    static func names(of code: String) -> [String] {
        var names: [String] = []
        for name in locales.compactMap({ $0.localizedString(forRegionCode: code) }) + (customary[code] ?? [])
        where name != code && !names.contains(name) { names.append(name) }
        return names
    }
}
