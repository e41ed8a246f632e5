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
        let subjects = page.items.flatMap { self.subjects(of: $0, depth: 0) }
        let candidates = subjects.compactMap { subject in
            kind(of: subject.item.value).map {
                Candidate(item: subject.item, isMain: subject.isMain, kind: $0.kind, type: $0.type)
            }
        }
        let order = Meaning.Kind.allCases
        let best = candidates.min { rank($0.type, $0.kind, order) < rank($1.type, $1.kind, order) }
        guard var best else { return fallback() }
        // Of several subjects, the page is about the one in its title. Without one, it is a list.
        let likes = candidates.filter { rank($0.type, $0.kind, order) == rank(best.type, best.kind, order) }
        let isList = Set(likes.compactMap { text($0.item.value, ["name"]) }).count > 1
        let title = page.title.cut(toBytes: Self.longestTitle).lowercased()
        // The main entity of the page is named as such.
        let mains = likes.filter(\.isMain)
        let titled =
            mains.count == 1
            ? mains.first : likes.first { text($0.item.value, ["name"]).map { contains(title, $0) } ?? false }
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
        let subjects = page.items.prefix(Self.maximumReservations).flatMap { self.subjects(of: $0, depth: 0) }
        for item in subjects.prefix(Self.maximumReservations).map(\.item) {
            guard let (kind, type) = kind(of: item.value), kind == .reservation else { continue }
            var meaning = Meaning(kind: kind, type: type, values: [:], ignored: [])
            fill(&meaning, from: item, line)
            meanings.append(meaning)
        }
        return meanings
    }

    private static let maximumReservations = 100

    /// An item that may be the subject of the page.
    private struct Candidate {
        let item: Markup.Item
        let isMain: Bool
        let kind: Meaning.Kind
        let type: String
    }

    /// The properties of an item that name the subject in its place: the main entity of a page, the parts of a reservation.
    private static let inner = ["mainEntity", "subReservation"]
    private static let maximumInnerDepth = 3
    private static let maximumInner = 100

    /// Returns an item, or the items that it is about.
    private func subjects(of item: Markup.Item, depth: Int) -> [(item: Markup.Item, isMain: Bool)] {
        guard let object = item.value.object, depth < Self.maximumInnerDepth else { return [(item, depth > 0)] }
        var found: [(item: Markup.Item, isMain: Bool)] = []
        for name in Self.inner {
            let values: [JSONValue] =
                switch object[name] ?? object["schema:\(name)"] {
                case .array(let values)?: Array(values.prefix(Self.maximumInner))
                case let value?: [value]
                case nil: []
                }
            for value in values {
                guard budget.spend(8) else { break }
                let inner = Markup.Item(syntax: item.syntax, line: item.line, value: resolved(value))
                guard kind(of: inner.value) != nil || inner.value.object?["mainEntity"] != nil else { continue }
                found += subjects(of: inner, depth: depth + 1)
            }
        }
        // A package of reservations reserves nothing itself.
        let isPackage = !found.isEmpty && object["reservationFor"] == nil && kind(of: item.value)?.kind == .reservation
        return (isPackage ? [] : [(item, depth > 0)]) + found
    }

    /// Organizations come last: every page of a newspaper names its publisher.
    private func rank(_ type: String, _ kind: Meaning.Kind, _ order: [Meaning.Kind]) -> Int {
        SchemaTypes.organizations.contains(type) ? order.count : order.firstIndex(of: kind) ?? order.count
    }

    private func kind(of value: JSONValue) -> (kind: Meaning.Kind, type: String)? {
        let types = Self.types(of: value)
        // Plug-ins name “Organization” beside the special type.
        for type in types { if let kind = SchemaTypes.kind(of: type) { return (kind, type) } }
        guard let type = types.first(where: SchemaTypes.organizations.contains),
            Self.signsOfPlaces.contains(where: { text(value, $0) != nil })
        else { return nil }
        return (.place, type)
    }

    /// The properties by which an organization is a place.
    private static let signsOfPlaces = [
        ["address", "streetAddress"], ["geo", "latitude"], ["location", "address", "streetAddress"],
        ["location", "geo", "latitude"],
    ]

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
            guard let (written, path) = first(of: paths, in: item.value) else { continue }
            let found = WrittenField.value(written, field, isPosition: path.last == "geo")
            if let fault = WrittenField.fault(of: found, in: field) {
                guard problems.count < Markup.maximumProblems, budget.spend(40) else { continue }
                problems.append(
                    MarkupProblem(
                        line: line(written, item.line), code: .badValue, message: fault))
            } else {
                meaning.values[field] = Meaning.Value(text: found, source: item.syntax.rawValue)
            }
        }
        if item.value.object.map({ WrittenField.isOnline($0) { text(item.value, [$0]) } }) == true {
            for field in WrittenField.placeFields { meaning.values[field] = nil }
        }
        // A latitude without a longitude is useless, and vice versa.
        if meaning.values[.latitude] == nil || meaning.values[.longitude] == nil {
            meaning.values[.latitude] = nil
            meaning.values[.longitude] = nil
        }
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

    private func first(of paths: [[String]], in value: JSONValue) -> (text: String, path: [String])? {
        for path in paths {
            if let found = text(value, path) { return (found, path) }
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
            guard let text, !text.isEmpty, meaning.values[field] == nil, WrittenField.fault(of: text, in: field) == nil
            else {
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
        let written = [page.position["geo.position"], page.position["icbm"]].compactMap { $0?.first }
        let position = written.lazy.compactMap(WrittenPosition.init).first
        if position == nil, let text = written.first {
            let message = localized("“%1” is not a position; write it as 48.2;16.37", text.cut(to: 60))
            problems.append(MarkupProblem(line: 1, code: .badValue, message: message))
        }
        for (latitude, longitude, source) in [
            (graph["place:location:latitude"]?.first, graph["place:location:longitude"]?.first, "open-graph"),
            (graph["og:latitude"]?.first, graph["og:longitude"]?.first, "open-graph"),
            (position?.latitude, position?.longitude, "geo"),
        ].map({ ($0.0.flatMap(WrittenPosition.number), $0.1.flatMap(WrittenPosition.number), $0.2) })
        where meaning.values[.latitude] == nil && latitude != longitude {
            guard let latitude, let longitude else { continue }
            if let fault = WrittenField.fault(of: latitude, in: .latitude)
                ?? WrittenField.fault(of: longitude, in: .longitude)
            {
                problems.append(MarkupProblem(line: 1, code: .badValue, message: fault))
                continue
            }
            add(.latitude, latitude, source)
            add(.longitude, longitude, source)
        }
        add(.street, graph["business:contact_data:street_address"]?.first, "open-graph")
        add(.locality, graph["business:contact_data:locality"]?.first, "open-graph")
        add(.telephone, graph["business:contact_data:phone_number"]?.first, "open-graph")
    }
}
