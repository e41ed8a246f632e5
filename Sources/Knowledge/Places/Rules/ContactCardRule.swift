import Coordinates
import HunchModel
import Localization
import MapLinks

/// The place of a contact or an event: vCard and iCalendar objects, and single lines of them.
///
/// Sources: RFC 6350 and RFC 2426 (`GEO`, `ADR`, `LABEL`, `FN`, `ORG`, `TEL`, `URL`), RFC 5545 (`LOCATION`, `GEO`), and
/// Apple's `X-APPLE-STRUCTURED-LOCATION`. Of several contacts or events, the first that has a place counts.
struct ContactCardRule: PlaceRule {
    let name = "contactCard"

    /// The properties that are accepted on a line of their own. A semicolon distinguishes `GEO` from a `geo:` link.
    private static let lineProperties: Set<String> = ["GEO", "ADR", "LOCATION", "X-APPLE-STRUCTURED-LOCATION"]

    /// The maximum number of contacts or events of an input that are read.
    private static let maximumObjects = 64

    private let rules: [any PlaceRule]

    /// Creates the rule.
    ///
    /// - Parameter rules: the rules for locations that are links.
    init(_ rules: [any PlaceRule]) { self.rules = rules }

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        let head = input.text.head(32).uppercased()
        guard head.hasPrefix("BEGIN:V") || Self.lineProperties.contains(where: { Self.begins(head, $0) }) else {
            return nil
        }
        let isCard = head.hasPrefix("BEGIN:V")
        guard isCard || input.text.utf8.count <= PlaceLimits.link else { return nil }
        let lines = CardLine.lines(of: input.text, onlyPlaces: isCard)
        guard isCard else {
            guard let line = lines.first, lines.count == 1 else { return nil }
            // A user may write "Location: Berlin".
            return try place(of: lines, isCalendar: line.name == "LOCATION" || line.name.hasPrefix("X-"))
        }
        let isCalendar = head.hasPrefix("BEGIN:VCALENDAR") || head.hasPrefix("BEGIN:VEVENT")
        var firstError: PlaceError?
        for object in Self.objects(of: lines).prefix(Self.maximumObjects) {
            do throws(PlaceError) {
                if let place = try place(of: object, isCalendar: isCalendar) { return place }
            } catch {
                firstError = firstError ?? error
            }
        }
        throw firstError
            ?? PlaceError(
                .notAPlace,
                isCalendar
                    ? localized("the event has no address, location or position")
                    : localized("the contact has no address, location or position"))
    }

    /// Returns the properties of each contact, event and other component. Those in an alarm do not count.
    private static func objects(of lines: [CardLine]) -> [[CardLine]] {
        var objects: [[CardLine]] = []
        // The index of each open component, outermost first; `nil` for an alarm and what is in it.
        var open: [Int?] = []
        for line in lines {
            switch line.name {
            case "BEGIN":
                let isAlarm = line.value.uppercased() == "VALARM" || open.last == .some(nil)
                open.append(isAlarm ? nil : objects.count)
                if !isAlarm { objects.append([]) }
            case "END": _ = open.popLast()
            default: if case let object?? = open.last { objects[object].append(line) }
            }
        }
        return objects.filter { !$0.isEmpty }
    }

    /// Returns whether a text begins with a property, possibly after a group such as "item1.".
    private static func begins(_ head: String, _ property: String) -> Bool {
        let group = head.utf8.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
        let isGrouped = head.utf8.dropFirst(group.count).first == UInt8(ascii: ".")
        let name = isGrouped ? Substring(head.utf8.dropFirst(group.count + 1)) : head[...]
        return name.hasPrefix(property + ":") || name.hasPrefix(property + ";")
    }

    /// Returns the place of an object's properties; `nil` if none has one.
    private func place(of lines: [CardLine], isCalendar: Bool) throws(PlaceError) -> ParsedPlace? {
        func first(_ name: String) -> CardLine? { lines.first { $0.name == name && !$0.value.isEmpty } }
        let structured = first("X-APPLE-STRUCTURED-LOCATION")
        let address = lines.lazy.filter { $0.name == "ADR" }.map { $0.address }.first { $0 != PostalAddress() }
        var coordinate: Coordinate?
        var fault: PlaceError?
        let positions = [structured?.value, first("GEO")?.value, first("ADR")?.parameters["GEO"]]
        for text in positions.compactMap(\.self) where coordinate == nil {
            do throws(PlaceError) {
                let position = try Self.position(text)
                // Beside other properties, programs write 0,0 for an unknown coordinate.
                if !position.isNull || lines.count == 1 { coordinate = position }
            } catch {
                fault = fault ?? error
            }
        }
        var title = (structured?.parameters["X-TITLE"] ?? structured?.parameters["X-ADDRESS"])
            .map { Self.oneLine(CardLine.unescaped($0[...])) }
        if let location = first("LOCATION").map({ Self.oneLine($0.text) }), !location.isEmpty, title == nil {
            if coordinate == nil, let place = try placeOfText(location) { return place }
            let isLink = WebAddress.host(of: location) != nil && !location.contains(" ")
            if !isLink { title = location }
        }
        title = title ?? first("FN")?.text ?? first("ORG")?.text
        title = try PlaceText.name(title?.singleSpaced)
        // Version 3.0 has an address as it is printed in a property of its own, version 4.0 in a parameter.
        let label = (first("LABEL")?.text ?? first("ADR")?.parameters["LABEL"].map { CardLine.unescaped($0[...]) })
            .map(Self.oneLine)
        let words = address?.singleLine ?? label.flatMap { $0.isEmpty ? nil : $0 }
        let linked = coordinate == nil ? linkedPlace(of: lines, named: title) : nil
        guard coordinate != nil || words != nil || structured != nil && title != nil else {
            if let linked { return linked }
            if let fault { throw fault }
            return nil
        }
        // The address gives the words, and a link to a map next to it the coordinate.
        coordinate = coordinate ?? linked?.item.coordinate.flatMap { $0.isNull ? nil : $0 }
        let query = coordinate == nil ? try PlaceText.name(words ?? title) : nil
        return ParsedPlace(
            item: MapItem(
                name: query == title ? nil : title, coordinate: coordinate, address: address, query: query,
                phoneNumber: first("TEL").map { $0.text.replacing("tel:", with: "") }),
            rule: isCalendar ? "iCalendar" : "vCard")
    }

    /// Returns the place of the first address that is a link to a map, one with a coordinate before others. Apple's Maps
    /// shares a place in a contact so.
    private func linkedPlace(of lines: [CardLine], named title: String?) -> ParsedPlace? {
        var first: ParsedPlace?
        for line in lines where line.name == "URL" {
            guard let input = try? PlaceInput(checking: line.text) else { continue }
            guard var place = firstPlace(in: input) else { continue }
            place.item.name = place.item.name ?? title
            if place.item.coordinate != nil { return place }
            first = first ?? place
        }
        return first
    }

    private func firstPlace(in input: PlaceInput) -> ParsedPlace? {
        for rule in rules {
            if let place = try? rule.place(in: input) { return place }
        }
        return nil
    }

    /// Returns the lines of a location joined by commas, as a geocoder reads an address.
    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { line in
            let line = String(line).singleSpaced
            return line.hasSuffix(",") ? String(line.dropLast()) : line
        }.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Returns the place of a location: a link, coordinates or a text.
    private func placeOfText(_ location: String) throws(PlaceError) -> ParsedPlace? {
        let input = try PlaceInput(checking: location)
        for rule in rules + [SharedTextRule(rules), UnknownLinkRule(), SharedCoordinateRule()] {
            if let place = try rule.place(in: input) { return place }
        }
        guard let item = try PlaceText.item(location) else { return nil }
        return ParsedPlace(item: item, rule: "iCalendar")
    }

    /// Reads `LAT;LON` of older cards and of events, or a `geo:` URI.
    private static func position(_ text: String) throws(PlaceError) -> Coordinate {
        // Some programs escape the comma or the semicolon, as if the value were a text.
        let text = text.replacing("\\", with: "")
        if text.lowercased().hasPrefix("geo:") { return try GeoURI(text).coordinate }
        return try PlaceText.coordinate(text, separator: text.contains(";") ? ";" : ",")
    }
}
