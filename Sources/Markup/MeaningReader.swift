internal import JSON
internal import Localization
internal import HunchModel

/// Finds out what a page is about.
struct MeaningReader {
    private let page: Markup
    /// The items of the page that have an identifier, in items too.
    private var named: [String: JSONValue] = [:]
    /// Whether properties have the prefix of their vocabulary.
    private var hasPrefixes = false
    /// The maximum size of a text in a meaning, in bytes. The items have the whole.
    private static let longestText = 65_536
    /// The maximum size of a title in which names are looked for, in bytes.
    private static let longestTitle = 1_024
    /// The maximum number of types of an item.
    private static let maximumTypes = 32
    private(set) var problems: [MarkupProblem] = []
    private let budget: WorkBudget

    /// Creates a reader.
    ///
    /// - Parameter budget: the work that reading may cost.
    init(_ page: Markup, budget: WorkBudget) {
        self.page = page
        self.budget = budget
        for item in page.items { remember(item.value, depth: 0) }
    }

    /// Returns the meaning of the page; `nil` if nothing in it is of a known kind.
    ///
    /// - Parameter line: returns the first line with a text from another line on.
    mutating func meaning(_ line: (String, Int) -> Int) -> Meaning? {
        let candidates = page.items.compactMap { item in
            kind(of: item.value).map { (item: item, kind: $0.kind, type: $0.type) }
        }
        let order = Meaning.Kind.allCases
        let best = candidates.min { rank($0.type, $0.kind, order) < rank($1.type, $1.kind, order) }
        guard var best else { return fallback() }
        // Of several subjects, the page is about the one in its title. Without one, it is a list.
        let likes = candidates.filter { rank($0.type, $0.kind, order) == rank(best.type, best.kind, order) }
        let isList = Set(likes.compactMap { text($0.item.value, ["name"]) }).count > 1
        let title = page.title.cut(toBytes: Self.longestTitle).lowercased()
        let titled = likes.first { text($0.item.value, ["name"]).map { contains(title, $0) } ?? false }
        if isList, let titled { best = titled }
        var meaning = Meaning(kind: best.kind, type: best.type, values: [:], ignored: [])
        meaning.isOneOfMany = isList && titled == nil && best.kind != .reservation
        // Other items about the same subject complete it, such as Microdata beside JSON-LD.
        let name = text(best.item.value, ["name"])
        for candidate in candidates where candidate.kind == best.kind && budget.isLeft {
            guard candidate.item == best.item || name != nil && text(candidate.item.value, ["name"]) == name else {
                continue
            }
            fill(&meaning, from: candidate.item, line)
        }
        complete(&meaning)
        meaning.ignored = page.items.filter { $0 != best.item && text($0.value, ["name"]) != name }
            .flatMap { Self.types(of: $0.value) }
        return meaning
    }

    /// Returns whether a title in lower case contains a name.
    private func contains(_ title: String, _ name: String) -> Bool {
        guard name.utf8.count <= 2 * title.utf8.count, budget.spend(1 + title.utf8.count / 4) else { return false }
        return title.contains(name.lowercased())
    }

    /// Returns the meanings of all reservations, such as the journeys there and back, in the order of the page.
    mutating func reservations(_ line: (String, Int) -> Int) -> [Meaning] {
        var meanings: [Meaning] = []
        for item in page.items.prefix(Self.maximumReservations) {
            guard let (kind, type) = kind(of: item.value), kind == .reservation else { continue }
            var meaning = Meaning(kind: kind, type: type, values: [:], ignored: [])
            fill(&meaning, from: item, line)
            meanings.append(meaning)
        }
        return meanings
    }

    private static let maximumReservations = 100

    /// Organizations come last: every page of a newspaper names its publisher.
    private func rank(_ type: String, _ kind: Meaning.Kind, _ order: [Meaning.Kind]) -> Int {
        SchemaTypes.organizations.contains(type) ? order.count : order.firstIndex(of: kind) ?? order.count
    }

    private func kind(of value: JSONValue) -> (kind: Meaning.Kind, type: String)? {
        for type in Self.types(of: value) {
            if let kind = SchemaTypes.kind(of: type) { return (kind, type) }
            if SchemaTypes.organizations.contains(type),
                text(value, ["address", "streetAddress"]) ?? text(value, ["geo", "latitude"]) != nil
            {
                return (.place, type)
            }
        }
        return nil
    }

    private static func types(of value: JSONValue) -> [String] {
        switch value.object?["@type"] {
        case .string(let type): [MarkupText.shortName(type)]
        case .array(let types): types.prefix(maximumTypes).compactMap(\.string).map(MarkupText.shortName)
        default: []
        }
    }

    private mutating func fill(
        _ meaning: inout Meaning, from item: Markup.Item, _ line: (String, Int) -> Int
    ) {
        for (field, paths) in MeaningPaths.paths(of: meaning.kind) where meaning.values[field] == nil {
            guard budget.isLeft else { break }
            guard let found = first(of: paths, in: item.value) else { continue }
            if let fault = Self.fault(of: found, in: field) {
                guard problems.count < Markup.maximumProblems, budget.spend(40) else { continue }
                problems.append(
                    MarkupProblem(
                        line: line(found, item.line), code: .badValue, message: fault))
            } else {
                meaning.values[field] = Meaning.Value(text: found, source: item.syntax.rawValue)
            }
        }
        // A latitude without a longitude is useless, and vice versa.
        if meaning.values[.latitude] == nil || meaning.values[.longitude] == nil {
            meaning.values[.latitude] = nil
            meaning.values[.longitude] = nil
        }
    }

    /// Returns why a text is not valid for a field; `nil` if it is.
    private static func fault(of text: String, in field: Meaning.Field) -> String? {
        let limit: Double
        switch field {
        case .latitude: limit = 90
        case .longitude: limit = 180
        case .start, .end:
            // ISO 8601 begins with the year, or a time of day.
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            return digits.count == 4 || text.hasPrefix("T") || digits.count == 2 && text.dropFirst(2).first == ":"
                ? nil : localized("%1 “%2” is not a date of ISO 8601", field.rawValue, text.cut(to: 60))
        default: return nil
        }
        guard let number = Double(text) else {
            return localized("%1 “%2” is not a number", field.rawValue, text.cut(to: 60))
        }
        return number.magnitude <= limit
            ? nil : localized("%1 %2 is outside −%3…%3", field.rawValue, text, Int(clamping: limit))
    }

    // MARK: Values

    private mutating func remember(_ value: JSONValue, depth: Int) {
        guard depth < Markup.maximumDepth else { return }
        switch value {
        case .array(let values): for value in values { remember(value, depth: depth + 1) }
        case .object(let object):
            if let name = object["@id"]?.string, object.count > 1, named[name] == nil { named[name] = value }
            for (name, value) in object {
                hasPrefixes = hasPrefixes || name.utf8.starts(with: "schema:".utf8)
                remember(value, depth: depth + 1)
            }
        case .null, .boolean, .number, .string: break
        }
    }

    private func first(of paths: [[String]], in value: JSONValue) -> String? {
        for path in paths {
            if let found = text(value, path) { return found }
        }
        return nil
    }

    /// Returns the first text on a path of properties.
    private func text(_ value: JSONValue, _ path: [String]) -> String? {
        var visited: Set<Visit> = []
        return text(value, path[...], &visited)
    }

    /// An item that a reference means, and the number of properties that are left of the path.
    private struct Visit: Hashable {
        let name: String
        let rest: Int
    }

    /// Returns the first text on the rest of a path. Follows each reference once: what it led to before led to no text.
    private func text(_ value: JSONValue, _ path: ArraySlice<String>, _ visited: inout Set<Visit>) -> String? {
        guard budget.spend(2) else { return nil }
        guard let name = path.first else {
            guard let words = Self.words(value), budget.spend(words.utf8.count / 64) else { return nil }
            return words
        }
        if let name = reference(value) {
            budget.spend(2)
            guard visited.insert(Visit(name: name, rest: path.count)).inserted else { return nil }
        }
        guard let object = resolved(value).object else { return nil }
        switch object[name] ?? (hasPrefixes ? object["schema:\(name)"] : nil) {
        case .array(let values)?:
            for value in values {
                if let found = textOutsideOfWeb(value, path.dropFirst(), &visited) { return found }
                guard budget.isLeft else { return nil }
            }
            return nil
        case let value?: return textOutsideOfWeb(value, path.dropFirst(), &visited)
        case nil: return nil
        }
    }

    /// Returns the text of a value, unless it is the place of an event on the web, which is none.
    private func textOutsideOfWeb(
        _ value: JSONValue, _ path: ArraySlice<String>, _ visited: inout Set<Visit>
    ) -> String? {
        Self.types(of: resolved(value)).contains("VirtualLocation") ? nil : text(value, path, &visited)
    }

    /// Returns the item that a reference means.
    private func resolved(_ value: JSONValue) -> JSONValue { reference(value).flatMap { named[$0] } ?? value }

    /// Returns the identifier of a reference; `nil` if the value is none.
    private func reference(_ value: JSONValue) -> String? {
        guard let object = value.object, object.count == 1 else { return nil }
        return object["@id"]?.string
    }

    private static func words(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text):
            let words = MarkupText.collapsed(text.cut(toBytes: longestText))
            return words.isEmpty ? nil : words
        case .number(let number): return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case .boolean(let truth): return "\(truth)"
        case .object(let object): return (object["@value"] ?? object["name"]).flatMap(words)
        case .null, .array: return nil
        }
    }

    // MARK: Pages without items

    private static let openGraphKinds: [(prefix: String, kind: Meaning.Kind)] = [
        ("place", .place), ("restaurant", .place), ("business", .place), ("hotel", .place), ("event", .event),
        ("video", .media), ("music", .media), ("product", .product), ("og:product", .product), ("article", .article),
        ("profile", .person),
    ]

    private mutating func fallback() -> Meaning? {
        let type = page.openGraph["og:type"]?.first?.lowercased() ?? ""
        let hasPosition = page.openGraph["place:location:latitude"] != nil || !page.position.isEmpty
        let kind = Self.openGraphKinds.first { type.hasPrefix($0.prefix) }?.kind ?? (hasPosition ? .place : nil)
        guard let kind else { return nil }
        var meaning = Meaning(
            kind: kind, type: type, values: [:], ignored: page.items.flatMap { Self.types(of: $0.value) })
        complete(&meaning)
        return meaning
    }

    /// Completes a meaning by what the head of the page says.
    private mutating func complete(_ meaning: inout Meaning) {
        func add(_ field: Meaning.Field, _ text: String?, _ source: String) {
            guard let text, !text.isEmpty, meaning.values[field] == nil, Self.fault(of: text, in: field) == nil else {
                return
            }
            meaning.values[field] = Meaning.Value(text: text, source: source)
        }
        let graph = page.openGraph
        add(.name, graph["og:title"]?.first, "open-graph")
        add(.name, page.title, "title")
        add(.url, graph["og:url"]?.first, "open-graph")
        add(.url, page.address, "address")
        add(.image, graph["og:image"]?.first, "open-graph")
        guard meaning.kind == .place else { return }
        let parts = (page.position["geo.position"] ?? page.position["icbm"])?.first?.split { ",; ".contains($0) }.map(
            String.init)
        for (latitude, longitude, source) in [
            (graph["place:location:latitude"]?.first, graph["place:location:longitude"]?.first, "open-graph"),
            (parts?.first, parts?.last, "geo"),
        ] where meaning.values[.latitude] == nil && latitude != nil && longitude != nil && latitude != longitude {
            add(.latitude, latitude, source)
            add(.longitude, longitude, source)
        }
        add(.street, graph["business:contact_data:street_address"]?.first, "open-graph")
        add(.locality, graph["business:contact_data:locality"]?.first, "open-graph")
        add(.telephone, graph["business:contact_data:phone_number"]?.first, "open-graph")
    }
}
