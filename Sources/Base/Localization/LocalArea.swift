internal import CLinux
internal import Glibc

/// Names of countries, states and towns in the language of the user, from the catalogues of the packages `iso-codes` and
/// `libgweather-4-common`. A name of a country or a state that these do not have stays English, unless it is left out.
public enum LocalArea {
    /// The catalogue of `iso-codes`, which has the short names of countries.
    private static let countries = "iso_3166-1"
    /// The catalogue of `iso-codes` that has the names of states by those in their own language: “Sizilien” for “Sicilia”.
    private static let states = "iso_3166-2"
    /// The catalogue of GNOME's list of places. Where a country and a state have the same name, it tells them apart.
    private static let places = "libgweather-4.0-locations"

    /// Reads the catalogues.
    static func open() {
        for domain in [countries, states, places] {
            bind_textdomain_codeset(domain, "UTF-8")
            _ = text("Germany", in: domain)
        }
    }

    /// Returns the name of a country, such as “Vereinigte Staaten” for “United States”.
    public static func country(_ name: String) -> String {
        text(name, in: countries) ?? text("Country\u{4}\(name)", in: places) ?? text(name, in: places) ?? name
    }

    /// Returns the name of a state, such as “Bayern” for “Bavaria”.
    ///
    /// - Parameter country: the English name of its country.
    public static func state(_ name: String, in country: String?) -> String {
        knownState(name, in: country) ?? name
    }

    /// Returns the name of a state next to that of its country. `nil` if the user reads a language other than English
    /// and no catalogue has the state in it, since its country says enough.
    public static func state(_ name: String, beside country: String) -> String? {
        let isEnglish = text("Germany", in: countries) == nil
        return knownState(name, in: country) ?? (isEnglish ? name : nil)
    }

    private static func knownState(_ name: String, in country: String?) -> String? {
        country.flatMap { text("State in \($0)\u{4}\(name)", in: places) } ?? text(name, in: places)
            ?? text(name, in: states)
    }

    /// Returns the name of a town, such as “Prag” for “Prague”; `nil` if the catalogue has none. It has names without their
    /// country, so that it may be that of a namesake.
    ///
    /// - Parameters:
    ///   - state: the English name of its state.
    ///   - country: the English name of its country.
    public static func city(_ name: String, in state: String?, _ country: String?) -> String? {
        let areas = [[state, country], [country]].map { $0.compactMap(\.self).joined(separator: ", ") }
        return areas.lazy.compactMap { text("City in \($0)\u{4}\(name)", in: places) }.first ?? text(name, in: places)
    }

    private static func text(_ key: String, in domain: String) -> String? {
        // An empty key is that of the header.
        guard !key.isEmpty else { return nil }
        return key.withCString { key in
            // gettext returns the key itself, whose memory is only valid here, if it has no translation.
            guard let found = dgettext(domain, key), UnsafePointer(found) != key else { return nil }
            return String(cString: found)
        }
    }
}
