/// The time zones that an iCalendar text defines (`VTIMEZONE`, RFC 5545, section 3.6.5).
struct DefinedZones {
    /// The names of the zones with an observance that libical reads.
    private var complete: Set<String> = []
    /// The zones of the database that definitions without such an observance name as their location.
    private var locations: [String: String] = [:]
    /// The properties of an observance without which libical takes the zone for UTC.
    private static let needed: Set = ["DTSTART", "TZOFFSETFROM", "TZOFFSETTO"]

    /// - Parameter lines: the unfolded lines of a text.
    init(_ lines: [String]) {
        var isZone = false
        var isComplete = false
        var (name, location) = ("", "")
        var found: Set<String> = []
        for line in lines where isZone || line.utf8.count < 24 {
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { continue }
            let value = sides[1]
            switch sides[0].prefix(while: { $0 != ";" }).uppercased() {
            case "BEGIN":
                found = []
                guard value.uppercased() == "VTIMEZONE" else { continue }
                (isZone, isComplete, name, location) = (true, false, "", "")
            case "TZID": name = Self.name(value)
            case "X-LIC-LOCATION": location = Self.name(value)
            case "END" where isZone && value.uppercased() == "VTIMEZONE":
                isZone = false
                if isComplete { complete.insert(name) }
                if !isComplete, let known = ZoneName.known(location) { locations[name] = known }
            case "END": isComplete = isComplete || found == Self.needed
            case let property where Self.needed.contains(property):
                let digits = value.drop { $0 == "+" || $0 == "-" }.prefix(while: \.isNumber)
                if digits.count >= 4 { found.insert(property) }
            default: break
            }
        }
    }

    /// Returns the name of a zone without quotation marks, escapes and blanks around it, which some programs write only in
    /// the definition or only in the times.
    static func name(_ written: some StringProtocol) -> String {
        String(written).filter { $0 != "\"" && $0 != "\\" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns a name without the marks that would end a parameter.
    static func identifier(_ name: String) -> String { String(name.map { ",:;".contains($0) ? "_" : $0 }) }

    /// Returns the identifier of a zone in the text or in the zone database, and the definition that the text needs
    /// besides; `nil` for an unknown zone.
    func zone(_ name: String) -> (identifier: String, definition: String?)? {
        if complete.contains(name) { return (Self.identifier(name), nil) }
        guard let known = ZoneName.known(name) ?? locations[name] else { return nil }
        return (known, ZoneName.definition(of: known))
    }
}
