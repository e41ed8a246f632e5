internal import HTML
internal import JSON
internal import Localization
internal import HunchModel

/// Finds out what a page is about.
struct MeaningReader {
    private let page: Markup
    private let graph: ItemGraph
    private let budget: WorkBudget
    /// The maximum size of a title in which names are looked for, in bytes.
    private static let longestTitle = 1_024
    private(set) var problems: [MarkupProblem] = []

    /// Creates a reader.
    ///
    /// - Parameter budget: the work that reading may cost.
    init(_ page: Markup, budget: WorkBudget) {
        self.page = page
        self.budget = budget
        graph = ItemGraph(page.items, budget: budget)
    }

    /// Returns the meaning of the page; `nil` if nothing in it is of a known kind.
    ///
    /// - Parameter line: returns the first line with a text from another line on.
    mutating func meaning(_ line: (String, Int) -> Int) -> Meaning? {
        let found = self.candidates(in: page.items[...])
        let direct = found.filter { !$0.isListed }
        // Only a page about nothing else is about the items of its list.
        let candidates = direct.isEmpty && openGraphKind == nil ? found : direct
        let order = Meaning.Kind.allCases
        let best = candidates.min { rank($0.type, $0.kind, order) < rank($1.type, $1.kind, order) }
        guard var best else { return fallback(line) }
        // Of several subjects, the page is about the one in its title. Without one, it is a list.
        let likes = candidates.filter { rank($0.type, $0.kind, order) == rank(best.type, best.kind, order) }
        let isList = Set(likes.compactMap { graph.text($0.item.value, ["name"]) }).count > 1
        let title = page.title.cut(toBytes: Self.longestTitle).lowercased()
        // The main entity of the page is named as such.
        let mains = likes.filter(\.isMain)
        let titled =
            mains.count == 1
            ? mains.first : likes.first { graph.text($0.item.value, ["name"]).map { contains(title, $0) } ?? false }
        if isList, let titled { best = titled }
        var meaning = Meaning(kind: best.kind, type: best.type, values: [:], ignored: [])
        meaning.isOneOfMany = isList && titled == nil && best.kind != .reservation
        // Other items about the same subject complete it, such as Microdata in addition to JSON-LD.
        let name = graph.text(best.item.value, ["name"])
        for candidate in candidates where candidate.kind == best.kind && budget.isLeft {
            guard candidate.item == best.item || name != nil && graph.text(candidate.item.value, ["name"]) == name
            else { continue }
            fill(&meaning, from: candidate.item, line)
        }
        complete(&meaning)
        meaning.ignored = page.items.filter { $0 != best.item && graph.text($0.value, ["name"]) != name }
            .flatMap { ItemGraph.types(of: $0.value) }
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
        let candidates = self.candidates(in: page.items.prefix(Self.maximumReservations))
        let reservations = candidates.filter { $0.kind == .reservation }
        for reservation in reservations.prefix(Self.maximumReservations) {
            var meaning = Meaning(kind: .reservation, type: reservation.type, values: [:], ignored: [])
            fill(&meaning, from: reservation.item, line)
            meanings.append(meaning)
        }
        return meanings
    }

    private static let maximumReservations = 100

    /// An item that may be the subject of the page.
    private struct Candidate {
        let item: Markup.Item
        let isMain: Bool
        /// Whether it is an element of a list.
        let isListed: Bool
        let kind: Meaning.Kind
        let type: String
    }

    /// The properties of an item that name the subject in its place: the main entity of a page, the parts of a
    /// reservation, the elements of a list.
    private static let inner: [(name: String, isList: Bool)] = [
        ("mainEntity", false), ("subReservation", false), ("itemListElement", true), ("item", true),
    ]
    /// The maximum number of properties between an item and its subject, and between an item and the place around it.
    private static let maximumInnerDepth = 6

    private func candidates(in items: ArraySlice<Markup.Item>) -> [Candidate] {
        var visited: Set<String> = []
        return items.flatMap { candidates(in: $0, depth: 0, isListed: false, &visited) }
    }

    /// Returns an item and the items that it is about, as far as they are of a known kind.
    private func candidates(
        in item: Markup.Item, depth: Int, isListed: Bool, _ visited: inout Set<String>
    ) -> [Candidate] {
        var found: [Candidate] = []
        for (name, isList) in Self.inner where depth < Self.maximumInnerDepth {
            for value in graph.items(at: name, of: item.value, &visited) where budget.spend(32) {
                let inner = Markup.Item(syntax: item.syntax, line: item.line, value: value)
                found += candidates(in: inner, depth: depth + 1, isListed: isListed || isList, &visited)
            }
        }
        guard let (kind, type) = kind(of: item.value) else { return found }
        // A package of reservations reserves nothing itself.
        if kind == .reservation, !found.isEmpty, item.value.object?["reservationFor"] == nil { return found }
        let isMain = depth > 0 && !isListed
        return [Candidate(item: item, isMain: isMain, isListed: isListed, kind: kind, type: type)] + found
    }

    /// Organizations come last: every page of a newspaper names its publisher.
    private func rank(_ type: String, _ kind: Meaning.Kind, _ order: [Meaning.Kind]) -> Int {
        SchemaTypes.organizations.contains(type) ? order.count : order.firstIndex(of: kind) ?? order.count
    }

    /// Returns the kind of an item and the type that determines it; `nil` for other items.
    private func kind(of value: JSONValue) -> (kind: Meaning.Kind, type: String)? {
        let types = ItemGraph.types(of: value)
        // Plug-ins name “Organization” in addition to the specific type.
        for type in types { if let kind = SchemaTypes.kind(of: type) { return (kind, type) } }
        guard let type = types.first(where: SchemaTypes.organizations.contains) else { return nil }
        if Self.location(of: value) != nil { return (.place, type) }
        var visited: Set<String> = []
        var places = [value]
        for _ in 0..<Self.maximumInnerDepth where !places.isEmpty {
            let isPlace = places.contains { place in Self.signsOfPlaces.contains { graph.text(place, $0) != nil } }
            if isPlace { return (.place, type) }
            places = graph.places(around: places, &visited)
        }
        return nil
    }

    /// The properties that make an organization a place: its own, or those of its location.
    private static let signsOfPlaces = [["address", "streetAddress"], ["streetAddress"], ["geo", "latitude"]]

    /// Returns the address that an organization has as the text of its location; `nil` without one.
    private static func location(of value: JSONValue) -> String? {
        guard let text = value.object?["location"]?.string.map(MarkupText.collapsed), !text.isEmpty else { return nil }
        return WebAddress.host(of: text) == nil ? text : nil
    }

    /// Takes the fields of an item.
    private mutating func fill(
        _ meaning: inout Meaning, from item: Markup.Item, _ line: (String, Int) -> Int
    ) {
        fillPlace(&meaning, from: item, line)
        if meaning.kind == .place, meaning.values[.street] == nil, meaning.values[.locality] == nil,
            let location = Self.location(of: item.value)
        {
            meaning.values[.street] = Meaning.Value(text: location, source: item.syntax.rawValue)
        }
        fill(&meaning, MeaningPaths.paths(of: meaning.kind), from: item.value, item, line)
        if item.value.object.map({ WrittenField.isOnline($0) { graph.text(item.value, [$0]) } }) == true {
            for field in WrittenField.placeFields { meaning.values[field] = nil }
        }
        // A latitude without a longitude is useless, and vice versa.
        if meaning.values[.latitude] == nil || meaning.values[.longitude] == nil {
            meaning.values[.latitude] = nil
            meaning.values[.longitude] = nil
        }
    }

    /// Takes the fields of the place of an item, and of the places around it.
    private mutating func fillPlace(
        _ meaning: inout Meaning, from item: Markup.Item, _ line: (String, Int) -> Int
    ) {
        var visited: Set<String> = []
        var places = MeaningPaths.places(of: meaning.kind).flatMap { graph.items(at: $0, of: item.value) }
        for depth in 0..<Self.maximumInnerDepth where !places.isEmpty {
            // The place around a venue completes it. Beyond, a country must not give its centre to an address.
            let isFound = [Meaning.Field.street, .locality, .latitude].contains { meaning.values[$0] != nil }
            guard depth < 2 || !isFound else { return }
            for place in places { fill(&meaning, MeaningPaths.place, from: place, item, line) }
            places = graph.places(around: places, &visited)
        }
    }

    /// Takes fields from a value in an item.
    private mutating func fill(
        _ meaning: inout Meaning, _ fields: MeaningPaths.Paths, from value: JSONValue, _ item: Markup.Item,
        _ line: (String, Int) -> Int
    ) {
        for (field, paths) in fields where meaning.values[field] == nil {
            guard budget.isLeft else { break }
            // The reservation of a cancelled event may be confirmed.
            let cancelled =
                field == .status
                ? paths.compactMap { graph.first(of: [$0], in: value) }.first { Meaning.isCancelled($0.text) }
                : nil
            guard let (written, path) = cancelled ?? graph.first(of: paths, in: value) else { continue }
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
    }

    // MARK: Pages without items of a known kind

    private static let openGraphKinds: [(prefix: String, kind: Meaning.Kind)] = [
        ("place", .place), ("restaurant", .place), ("business", .place), ("hotel", .place), ("event", .event),
        ("video", .media), ("music", .media), ("product", .product), ("og:product", .product), ("article", .article),
        ("profile", .person),
    ]

    private var openGraphKind: Meaning.Kind? {
        guard let type = page.openGraph["og:type"]?.first?.lowercased() else { return nil }
        return Self.openGraphKinds.first { type.hasPrefix($0.prefix) }?.kind
    }

    private mutating func fallback(_ line: (String, Int) -> Int) -> Meaning? {
        let type = page.openGraph["og:type"]?.first?.lowercased() ?? ""
        let hasPosition = page.openGraph["place:location:latitude"] != nil || !page.position.isEmpty
        let known = openGraphKind ?? (hasPosition ? .place : nil)
        let parts = page.items.filter(Self.isPartOfPlace)
        guard let kind = known ?? (parts.isEmpty ? nil : .place) else { return nil }
        let others = page.items.filter { kind != .place || !Self.isPartOfPlace($0) }
        var meaning = Meaning(
            kind: kind, type: type, values: [:], ignored: others.flatMap { ItemGraph.types(of: $0.value) })
        if kind == .place {
            // An address and a position are those of the same place. None of several is that of a known place.
            let first = Self.partsOfPlaces.compactMap { type in
                parts.first { ItemGraph.types(of: $0.value) == [type] }
            }
            let isList = parts.contains { part in !first.contains { $0.value == part.value } }
            meaning.isOneOfMany = isList && known == nil
            let used = !isList ? first[...] : known == nil ? parts.prefix(1) : []
            for part in used { fill(&meaning, from: part, line) }
        }
        complete(&meaning)
        return meaning
    }

    /// The types of the microformats that are parts of a place.
    private static let partsOfPlaces = ["PostalAddress", "GeoCoordinates"]

    private static func isPartOfPlace(_ item: Markup.Item) -> Bool {
        item.syntax == .microformats && ItemGraph.types(of: item.value).contains { partsOfPlaces.contains($0) }
    }

    /// Completes a meaning with the metadata in the head of the page.
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
