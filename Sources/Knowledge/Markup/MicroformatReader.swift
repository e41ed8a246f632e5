internal import HTML
internal import HunchModel
internal import JSON

/// Reads microformats of people, organizations, places and events: hCard and hCalendar, and their successors h-card, h-event,
/// h-adr and h-geo. Their properties have the names of schema.org.
///
/// Source: microformats.org, "hCard 1.0", "hCalendar 1.0", "Value Class Pattern", "h-card", "h-event".
struct MicroformatReader {
    private enum Kind {
        case card, event, address, position

        /// The kind that begins at an element; `nil` if none does.
        init?(_ classes: [String]) {
            if classes.contains("vcard") || classes.contains("h-card") {
                self = .card
            } else if classes.contains("vevent") || classes.contains("h-event") {
                self = .event
            } else if classes.contains("adr") || classes.contains("h-adr") {
                self = .address
            } else if classes.contains("geo") || classes.contains("h-geo") {
                self = .position
            } else {
                return nil
            }
        }
    }

    /// The properties of an item.
    private struct Properties {
        var own: [String: [JSONValue]] = [:]
        var address: [String: [JSONValue]] = [:]
        var position: [String: [JSONValue]] = [:]
        /// The position in the text of an element.
        var written: WrittenPosition?
        var organization: String?
        /// Whether the name is that of an organization.
        var isOrganization = false

        /// The position as an item. Latitude and longitude count before the text around them, which may be rounded.
        var geo: [JSONValue]? {
            var members = position
            if position.count < 2, let written {
                members = ["latitude": [.string(written.latitude)], "longitude": [.string(written.longitude)]]
            }
            return MicroformatReader.value("GeoCoordinates", members).map { [$0] }
        }
    }

    /// The ends of the classes of items: vcard, vevent, adr, geo.
    private static let endings: Set<UInt32> = [0x61_7264, 0x65_6E74, 0x61_6472, 0x67_656F]

    private let base: LinkBase
    private let budget: WorkBudget
    /// The number of elements in items that may still be read.
    private var remainingElements = 50_000
    /// The number of elements in which a value may still be looked for. Elements with a value in each other have more than any
    /// number.
    private var remainingLooks = 200_000
    private(set) var items: [Markup.Item] = []
    /// Whether elements were left out.
    var isCut: Bool { remainingElements == 0 || remainingLooks == 0 }

    init(base: LinkBase, budget: WorkBudget) { (self.base, self.budget) = (base, budget) }

    /// Reads the items of a page.
    mutating func read(_ document: HTMLDocument) {
        document.forEachElement { element in
            guard items.count <= Markup.maximumItems, element.mayHaveWord(.class, endingIn: Self.endings),
                let kind = Kind(element.words(.class))
            else { return true }
            guard let value = item(kind, element) else { return true }
            items.append(Markup.Item(syntax: .microformats, line: element.line, value: value))
            return false
        }
    }

    // MARK: Items

    /// Returns an item; `nil` if the element has none of its properties.
    private mutating func item(_ kind: Kind, _ element: HTMLElement) -> JSONValue? {
        var properties = Properties()
        if case .position = kind { takePosition(element, &properties) }
        collect(kind, element, &properties)
        switch kind {
        case .address:
            if !properties.address.isEmpty { properties.address["geo"] = properties.geo }
            return Self.value("PostalAddress", properties.address)
        case .position: return properties.geo?.first
        case .card:
            addPlace(&properties)
            var type = "Person"
            if let organization = properties.organization {
                let name = properties.own["name"]?.first?.string
                if properties.isOrganization || name == nil || name == organization {
                    type = "Organization"
                    if name == nil { properties.own["name"] = [.string(organization)] }
                } else {
                    properties.own["worksFor"] = [
                        .object(["@type": .string("Organization"), "name": .string(organization)])
                    ]
                }
            }
            return Self.value(type, properties.own)
        case .event:
            if !properties.address.isEmpty || properties.geo != nil {
                var place: [String: [JSONValue]] = [:]
                if let location = properties.own["location"]?.first?.string { place["name"] = [.string(location)] }
                place["address"] = Self.value("PostalAddress", properties.address).map { [$0] }
                place["geo"] = properties.geo
                if properties.own["location"]?.first?.object == nil {
                    properties.own["location"] = Self.value("Place", place).map { [$0] }
                }
            }
            return Self.value("Event", properties.own)
        }
    }

    private func addPlace(_ properties: inout Properties) {
        properties.own["address"] = Self.value("PostalAddress", properties.address).map { [$0] }
        properties.own["geo"] = properties.geo
    }

    private static func value(_ type: String, _ members: [String: [JSONValue]]) -> JSONValue? {
        guard !members.isEmpty else { return nil }
        var builder = ItemBuilder(types: [type], identifier: nil)
        for (name, values) in members { for value in values { builder.add(value, to: name) } }
        return builder.value
    }

    // MARK: Properties

    private static let card = [
        "fn": "name", "name": "name", "given-name": "givenName", "family-name": "familyName", "tel": "telephone",
        "email": "email", "url": "url", "photo": "image", "logo": "logo", "note": "description", "bday": "birthDate",
        "title": "jobTitle", "job-title": "jobTitle", "category": "keywords",
    ]
    private static let event = [
        "summary": "name", "name": "name", "dtstart": "startDate", "start": "startDate", "dtend": "endDate",
        "end": "endDate", "duration": "duration", "location": "location", "url": "url", "description": "description",
        "category": "keywords", "organizer": "organizer", "photo": "image", "status": "eventStatus",
    ]
    private static let address = [
        "street-address": "streetAddress", "locality": "addressLocality", "region": "addressRegion",
        "postal-code": "postalCode", "country-name": "addressCountry", "post-office-box": "postOfficeBoxNumber",
    ]

    private mutating func collect(_ kind: Kind, _ root: HTMLElement, _ properties: inout Properties) {
        let names = kind == .event ? Self.event : kind == .card ? Self.card : [:]
        root.forEachDescendant { element in
            guard element.has(.class) else { return true }
            guard remainingElements > 0 else { return false }
            remainingElements -= 1
            let classes = element.words(.class)
            guard budget.spend(4 * classes.count) else { return false }
            let plain = classes.map(Self.withoutPrefix)
            if let inner = Kind(classes), inner == .card || inner == .event {
                // An item in an item is the value of a property, or about something else.
                for name in plain {
                    guard let property = names[name], let value = item(inner, element) else { continue }
                    add(Self.asPlace(value, of: property), to: property, &properties)
                }
                if plain.contains("org") { properties.organization = properties.organization ?? text(element) }
                return false
            }
            for name in plain {
                if name == "org" || name == "organization-name" {
                    properties.organization = name == "org" ? properties.organization ?? text(element) : text(element)
                    if plain.contains("fn") || plain.contains("name") { properties.isOrganization = true }
                } else if let property = Self.address[name] {
                    properties.address[property, default: []].append(.string(text(element)))
                } else if name == "geo" || name == "h-geo" || name == "latitude" || name == "longitude" {
                    takePosition(element, &properties)
                } else if let property = names[name] {
                    add(.string(value(element, of: property)), to: property, &properties)
                }
            }
            return true
        }
    }

    /// Returns a class without the prefix of the successors, such as “p-”.
    private static func withoutPrefix(_ name: String) -> String {
        var bytes = name.utf8.prefix { $0 != UInt8(ascii: "-") }.makeIterator()
        let prefix = (bytes.next(), bytes.next(), bytes.next())
        switch prefix {
        case (UInt8(ascii: "p"), nil, nil), (UInt8(ascii: "u"), nil, nil), (UInt8(ascii: "e"), nil, nil):
            return String(name.dropFirst(2))
        case (UInt8(ascii: "d"), UInt8(ascii: "t"), nil): return String(name.dropFirst(3))
        default: return name
        }
    }

    /// Returns the value of a location, which is a place whatever card describes it.
    private static func asPlace(_ value: JSONValue, of property: String) -> JSONValue {
        guard property == "location", var object = value.object else { return value }
        object["@type"] = .string("Place")
        return .object(object)
    }

    private func add(_ value: JSONValue, to property: String, _ properties: inout Properties) {
        guard value.string != "" else { return }
        // A date, a name or a place is there once.
        let isSingle = ["name", "startDate", "endDate", "location"].contains(property)
        if isSingle, properties.own[property] != nil { return }
        properties.own[property, default: []].append(value)
    }

    private mutating func takePosition(_ element: HTMLElement, _ properties: inout Properties) {
        let classes = element.words(.class)
        for name in ["latitude", "longitude"] where classes.contains(name) || classes.contains("p-\(name)") {
            if properties.position[name] == nil { properties.position[name] = [.string(text(element))] }
            return
        }
        // “37.386;-122.083”
        if properties.written == nil { properties.written = WrittenPosition(text(element)) }
    }

    // MARK: Values

    private mutating func value(_ element: HTMLElement, of property: String) -> String {
        switch property {
        case "url", "image", "logo":
            if let link = [HTMLAttribute.href, .src, .data].lazy.compactMap(element.attribute).first {
                return base.resolved(link)
            }
        case "email":
            if let link = element.attribute(.href), link.lowercased().hasPrefix("mailto:") {
                return String(link.dropFirst("mailto:".count).prefix { $0 != "?" })
            }
        default: break
        }
        return text(element)
    }

    private mutating func text(_ element: HTMLElement) -> String {
        var pieces: [String] = []
        element.forEachDescendant { inner in
            guard remainingLooks > 0 else { return false }
            remainingLooks -= 1
            guard inner.has(.class) else { return true }
            let classes = inner.words(.class)
            if classes.contains("value-title") { pieces.append(inner.attribute(.title) ?? "") }
            guard classes.contains("value") else { return true }
            pieces.append(Self.own(inner))
            return false
        }
        guard !pieces.isEmpty else { return Self.own(element) }
        // A date and a time of day may stand apart.
        if pieces.count == 2, let date = pieces.first(where: { $0.contains("-") }),
            let time = pieces.first(where: { $0.contains(":") }), date != time
        {
            return "\(date)T\(time)"
        }
        return pieces.joined()
    }

    /// The value of an element itself.
    private static func own(_ element: HTMLElement) -> String {
        let attribute: HTMLAttribute? =
            switch element.name {
            case .abbr, .link: .title
            case .data, .meter: .value
            case .time: .datetime
            case .img, .area: .alt
            default: nil
            }
        return MarkupText.collapsed(attribute.flatMap(element.attribute) ?? element.text)
    }
}
