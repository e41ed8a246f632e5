import FoundationEssentials
import HunchModel
import Queries
import SearchIndexes
import SeededRandom
import Testing

@Suite("Searches with queries")
struct QuerySearchTests {
    private func find(_ query: String, _ rig: IndexRig) throws -> Set<String> {
        let options = SearchOptions(limit: 1_000, now: IndexRig.now)
        return Set(try rig.store.search(Query(query, clock: IndexRig.now), options).map(\.id))
    }

    @Test("Texts, numbers, dates, flags and lists are compared")
    func types() async throws {
        try await IndexRig.with { rig in
            let now = IndexRig.now.timeIntervalSince1970
            var noted = IndexRig.item(
                "1", "Dim sum at Yank Sing",
                [
                    "rating": .number(5), "keywords": .texts(["food", "lunch"]), "text": .text("Long text"),
                    "done": .flag(true),
                ])
            noted.domain = "inbox.work"
            try rig.add(
                noted, IndexRig.item("2", "Jazz", ["rating": .number(3), "created": .number(now - 86_400)]),
                IndexRig.item("3", "jazz evening", ["genre": .text("Bebop")]))
            let expected: [(String, Set<String>)] = [
                ("title == \"Jazz\"", ["2"]), ("title == \"jazz*\"c", ["2", "3"]), ("title != \"Jazz\"", ["1", "3"]),
                ("text == \"Long*\"", ["1"]), ("keywords == \"lunch\"", ["1"]), ("keywords != \"lunch\"", ["2", "3"]),
                ("rating >= 3", ["1", "2"]), ("rating < 5", ["2"]), ("rating == 5", ["1"]),
                ("rating != 5", ["2", "3"]),
                ("InRange(rating, 3, 4)", ["2"]), ("created > $time.now(-90000)", ["2"]),
                ("created < $time.now(-90000)", []),
                ("done == true", ["1"]), ("done == false", []), ("genre == \"bebop\"c", ["3"]),
                ("* == \"*bop\"", ["3"]),
                ("* == \"Long text\"", ["1"]), ("id == \"3\"", ["3"]), ("domain == \"inbox*\"", ["1"]),
                ("title == \"sing yank\"ct", ["1"]), ("title == \"sum at\"w", ["1"]), ("title == \"su\"w", []),
                ("rating > 1 && title == \"*zz*\" || id == '3'", ["2", "3"]), ("!(rating > 1)", ["3"]),
                ("missing == \"a\"", []), ("title == \"\"", []), ("title == \"'; DROP TABLE item; --\"", []),
            ]
            for (query, ids) in expected { #expect(try find(query, rig) == ids, "\(query)") }
            // The largest and deepest queries.
            let many = Array(repeating: "title == \"x\"", count: 255).joined(separator: "||")
            #expect(try find(many + "|| id == '1'", rig) == ["1"])
            var deep = "title == \"x\""
            for number in 0..<15 { deep = "(\(deep)) \(number % 2 == 0 ? "||" : "&&") title == \"Jazz\"" }
            #expect(try find(deep, rig) == ["2"])
        }
    }

    /// Returns whether an item matches a query, without SQL.
    private static func matches(_ query: Query, _ item: SearchableItem) -> Bool {
        func values(_ attribute: Query.Attribute) -> [AttributeValue] {
            attribute.map { item.attributes[$0].map { [$0] } ?? [] } ?? Array(item.attributes.values)
        }
        switch query {
        case .all(let queries): return queries.allSatisfy { matches($0, item) }
        case .any(let queries): return queries.contains { matches($0, item) }
        case .not(let query): return !matches(query, item)
        case .range(let attribute, let low, let high):
            return values(attribute).contains { $0.number.map { (low...high).contains($0) } ?? false }
        case .comparison(let attribute, .unequal, let value):
            return !matches(.comparison(attribute, .equal, value), item)
        case .comparison(let attribute, _, .pattern(let pattern)):
            return values(attribute).contains { $0.texts.contains(where: pattern.matches) }
        case .comparison(let attribute, _, .flag(let flag)): return values(attribute).contains(.flag(flag))
        case .comparison(let attribute, let relation, .number(let number)):
            return values(attribute).contains { value in
                guard let own = value.number else { return false }
                return switch relation {
                case .equal: own == number
                case .unequal: own != number
                case .less: own < number
                case .lessOrEqual: own <= number
                case .greater: own > number
                case .greaterOrEqual: own >= number
                }
            }
        }
    }

    @Test("Random queries find what their definition says", arguments: 1...8 as ClosedRange<UInt64>)
    func random(seed: UInt64) async throws {
        var generator = SplitMix64(seed: seed)
        let words = ["new", "York", "yorker", "Ünder", "under", "don't", "don’t", "NewYork", "a-b", "東京都", "café", "x"]
        func text() -> String {
            (0..<Int.random(in: 1...4, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }
                .joined(separator: [" ", ", ", "-"].randomElement(using: &generator) ?? " ")
        }
        let names = ["title", "text", "keywords", "album", "mine", "rating"]
        try await IndexRig.with { rig in
            var items: [SearchableItem] = []
            for id in 0..<60 {
                var item = IndexRig.item("\(id)", text())
                if Bool.random(using: &generator) { item.attributes["text"] = .text(text()) }
                if Bool.random(using: &generator) { item.attributes["keywords"] = .texts([text(), text()]) }
                if Bool.random(using: &generator) { item.attributes["album"] = .text(text()) }
                if Bool.random(using: &generator) { item.attributes["mine"] = .text(text()) }
                if Bool.random(using: &generator) {
                    item.attributes["rating"] = .number(Double.random(in: 0...5, using: &generator).rounded())
                }
                items.append(item)
            }
            try rig.store.write(items.map(IndexChange.add), to: IndexRig.notes, now: IndexRig.now)
            func query(_ depth: Int) -> Query {
                switch Int.random(in: 0...(depth > 0 ? 7 : 4), using: &generator) {
                case 5: return .all([query(depth - 1), query(depth - 1)])
                case 6: return .any([query(depth - 1), query(depth - 1)])
                case 7: return .not(query(depth - 1))
                case 0:
                    return .comparison(
                        "rating", Query.Relation.allCases.randomElement(using: &generator) ?? .equal,
                        .number(Double(Int.random(in: 0...5, using: &generator))))
                default:
                    var pattern = text()
                    for _ in 0..<Int.random(in: 0...2, using: &generator) {
                        let index = pattern.indices.randomElement(using: &generator) ?? pattern.startIndex
                        pattern.replaceSubrange(index...index, with: "*")
                    }
                    let attribute =
                        Int.random(in: 0...5, using: &generator) == 0 ? nil : names.randomElement(using: &generator)
                    return .comparison(
                        attribute, Bool.random(using: &generator) ? .equal : .unequal,
                        .pattern(
                            Pattern(
                                parts: pattern.split(separator: "*", omittingEmptySubsequences: false).map(String.init),
                                modifiers: Pattern.Modifiers(rawValue: Int.random(in: 0...15, using: &generator)))))
                }
            }
            for _ in 0..<150 {
                let query = query(3)
                let found = try rig.store.search(query, SearchOptions(limit: 1_000, now: IndexRig.now)).map(\.id)
                let expected = items.filter { Self.matches(query, $0) }.map(\.id)
                #expect(Set(found) == Set(expected), "\(query)")
            }
        }
    }
}
