import Foundation

/// Names of countries. Source: the Unicode CLDR as included in Foundation, completed by common names.
enum CountryNames {
    private static let locales = [
        "en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "tr", "ru", "ar", "ja", "zh",
    ].map(Locale.init(identifier:))

    /// Names that precede those of Foundation's CLDR, such as “China mainland” and “Congo - Kinshasa”.
    private static let preferred: [String: [String]] = [
        "CN": ["China", "Chine", "Cina", "Chiny", "Kina", "Çin", "Китай", "الصين", "中国"],
        "CD": ["Democratic Republic of the Congo", "DR Congo", "DRC"], "CG": ["Republic of the Congo", "Congo"],
    ]
    /// Common names that are not in the CLDR.
    private static let customary: [String: [String]] = [
        "US": ["USA", "United States of America", "America"], "GB": ["UK", "Great Britain", "Britain"],
        "AE": ["UAE"], "CI": ["Ivory Coast"], "CZ": ["Czech Republic"], "IE": ["Republic of Ireland"],
        "KR": ["Korea", "Republic of Korea"], "MK": ["Macedonia"], "MM": ["Burma"], "MO": ["Macau"],
        "NL": ["The Netherlands", "Holland"], "PS": ["Palestine", "Palestinian Territory"],
        "RU": ["Russian Federation"], "SZ": ["Swaziland"], "TL": ["East Timor"], "TR": ["Turkey"],
        "VA": ["Vatican", "Holy See"], "VN": ["Viet Nam"],
    ]

    /// Returns the names of a country by its ISO 3166-1 alpha-2 code, the English one first; empty for an unknown
    /// code.
    static func names(of code: String) -> [String] {
        let localized = locales.compactMap { $0.localizedString(forRegionCode: code) }.filter { $0 != code }
        var names: [String] = []
        let all = (preferred[code] ?? []) + localized.flatMap(forms) + (customary[code] ?? [])
        for name in all where !names.contains(name) { names.append(name) }
        return names
    }

    /// Returns the forms of a name: the name itself, both names in “Myanmar (Burma)”, and “and” instead of “&”.
    private static func forms(of name: String) -> [String] {
        let parts = name.split(whereSeparator: "()（）".contains).map { $0.trimmingCharacters(in: .whitespaces) }
        return [name] + (parts.count > 1 ? parts : [])
            + (name.contains("&") ? [name.replacingOccurrences(of: "&", with: "and")] : [])
    }
}
