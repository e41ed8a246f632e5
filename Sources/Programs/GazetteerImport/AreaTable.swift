internal import HunchModel
import Gazetteers

/// The countries and states of a source, added to the gazetteer at their first occurrence.
struct AreaTable {
    /// The maximum number of aliases of a state, besides its code.
    private static let mostAliases = 24

    private let states: [String: [String]]
    private let writer: GazetteerWriter
    private var countryIDs: [String: GazetteerArea.ID] = [:]
    private var stateIDs: [String: GazetteerArea.ID] = [:]

    /// - Parameter states: the names of states by `COUNTRY.CODE`.
    init(states: [String: [String]], writer: GazetteerWriter) {
        self.states = states
        self.writer = writer
    }

    /// Returns the state of a country, or the country itself if the state has no name.
    ///
    /// - Parameters:
    ///   - country: the ISO 3166-1 alpha-2 code; empty for places without a country.
    ///   - state: the source's code; empty for places without a state.
    ///   - name: the name of the state, if the source has it.
    mutating func area(country: String, state: String, named name: String? = nil) throws -> GazetteerArea.ID? {
        guard !country.isEmpty else { return nil }
        let countryID = try countryIDs[country] ?? addCountry(country)
        // GeoNames writes 00 for places without a state.
        guard !state.isEmpty, state != "00" else { return countryID }
        let key = "\(country).\(state)"
        if let known = stateIDs[key] { return known }
        let postal = PostalAbbreviations.name(of: state, country: country)
        guard let names = states[key] ?? (name ?? postal).map({ [$0] }), let first = names.first else {
            return countryID
        }
        let code = state.allSatisfy(\.isLetter) ? [state] : PostalAbbreviations.codes(of: first, country: country)
        let aliases = code + names.dropFirst().prefix(Self.mostAliases)
        let added = try writer.add(
            GazetteerArea(name: first, aliases: aliases, countryCode: country, isCountry: false), in: countryID)
        stateIDs[key] = added
        return added
    }

    private mutating func addCountry(_ code: String) throws -> GazetteerArea.ID {
        let names = CountryNames.names(of: code)
        let added = try writer.add(
            GazetteerArea(
                name: names.first ?? code, aliases: [code] + names.dropFirst(), countryCode: code, isCountry: true))
        countryIDs[code] = added
        return added
    }
}
