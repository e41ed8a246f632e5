import FoundationEssentials
import HunchModel
import SearchIndexes
import SeededRandom
import TestSupport
import Testing

/// The order of results, learned from what the user opens.
@Suite("Engagement with results")
struct EngagementTests {
    private static let options = SearchOptions(isUnfinished: true, now: IndexRig.now)

    private func open(_ id: String, _ text: String, _ rig: IndexRig, after days: Double = 0) throws {
        var options = Self.options
        options.now = IndexRig.now.addingTimeInterval(days * 86_400)
        try rig.store.learnOpening(of: id, in: IndexRig.notes, for: text, options)
    }

    private func hits(_ text: String, _ rig: IndexRig, after days: Double = 0) throws -> [SearchHit] {
        var options = Self.options
        options.now = IndexRig.now.addingTimeInterval(days * 86_400)
        return try rig.store.search(text, options)
    }

    @Test("An opened item comes first the next time, for the words and their beginnings")
    func opened() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Dim sum with Ann", "2": "Dim sum", "3": "Dim sum recipes", "4": "Summer"])
            let before = try rig.find("dim sum")
            let last = try #require(before.last { $0 != "4" })
            try open(last, "dim sum", rig)
            for text in ["dim sum", "dim", "dim su", "dim sum "] {
                #expect(try hits(text, rig).first?.id == last, "\(text)")
            }
            // The item counts a little for other words, and the others only for those.
            let hit = try #require(try hits("dim sum", rig).first)
            #expect(hit.factors.query.counts == EngagementCounts(shown: 1, opened: 1))
            #expect(hit.factors.query.factor > hit.factors.item.factor && hit.factors.item.factor > 1)
            #expect(abs(hit.score - hit.factors.score) < 1e-12)
        }
    }

    @Test("An opened item is found first from anywhere among many")
    func far() async throws {
        try await IndexRig.with { rig in
            let items = (0..<300).map { IndexRig.item("\($0)", "Jazz number \($0)") }
            try rig.store.write(items.map(IndexChange.add), to: IndexRig.notes, now: IndexRig.now)
            try open("7", "jazz", rig)
            var options = Self.options
            options.limit = 3
            let found = try rig.store.search("jaz", options).map(\.id)
            #expect(found.first == "7" && found.count == 3, "\(found)")
        }
    }

    @Test("Only items above the opened one were passed over")
    func passed() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Jazz", "2": "Jazz club", "3": "Jazz club in town", "4": "Jazz club in the old town"])
            let order = try rig.find("jazz")
            try open(order[1], "jazz", rig)
            let hits = try hits("jazz", rig)
            func counts(_ id: String) -> EngagementCounts? { hits.first { $0.id == id }?.factors.query.counts }
            #expect(counts(order[0]) == EngagementCounts(shown: 1, opened: 0))
            #expect(counts(order[1]) == EngagementCounts(shown: 1, opened: 1))
            #expect(counts(order[2]) == EngagementCounts() && counts(order[3]) == EngagementCounts())
        }
    }

    @Test("Each opening of the first result counts for it")
    func openedAgain() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Jazz", "2": "Jazz club"])
            let first = try #require(try rig.find("jazz").first)
            var factor = 1.0
            for _ in 0..<5 {
                try open(first, "jazz", rig)
                let next = try #require(try hits("jazz", rig).first).factors.query.factor
                #expect(next > factor)
                factor = next
            }
        }
    }

    @Test("Engagement fades, and an app's own search does not show it")
    func limits() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Jazz", "2": "Jazz club"])
            let plain = try hits("jazz", rig)
            try open("2", "jazz", rig)
            let (now, later) = (try hits("jazz", rig), try hits("jazz", rig, after: 900))
            #expect(now.first?.id == "2" && later.first?.id == "1")
            var options = Self.options
            options.countsEngagement = false
            #expect(try rig.store.search("jazz", options).map(\.score) == plain.map(\.score))
        }
    }

    @Test("Forgetting and removing leave no trace of searches and openings")
    func forgetting() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Zebrafinch", "2": "Quagmire"])
            try open("1", "zebrafin", rig)
            #expect(try rig.filesContain("zebrafin"))
            var lines: [String] = []
            try rig.store.exportOpened { lines.append($0) }
            #expect(lines.count == 3 && lines.contains { $0.contains(#""id":"1","query":"zebrafin","shown":1.0"#) })
            _ = try rig.store.forget(.since(IndexRig.now))
            #expect(try !rig.filesContain("zebrafin"))
            try rig.add(["1": "Zebrafinch", "2": "Quagmire"])
            try open("1", "zebrafin", rig)
            try rig.store.write([.delete(["1"])], to: IndexRig.notes, now: IndexRig.now)
            try rig.store.removeExpired(now: IndexRig.now)
            try rig.store.scrub()
            #expect(try !rig.filesContain("zebrafin"))
            try open("2", "quagmi", rig)
            _ = try rig.store.forget(.application(IndexRig.notes.application))
            #expect(try !rig.filesContain("quagmi"))
        }
    }

    /// The identifiers of the items whose openings are stored.
    private func openedItems(_ rig: IndexRig) throws -> Set<String> {
        var items: Set<String> = []
        try rig.store.exportOpened { line in
            for id in 1...4 where line.contains(#""id":"\#(id)""#) { items.insert("\(id)") }
        }
        return items
    }

    @Test("Deleting an item removes its openings and typed words at once")
    func deleting() async throws {
        try await IndexRig.with { rig in
            let attributes: [String: AttributeValue] = ["title": .text("Jazz")]
            func add() throws {
                try rig.add(
                    SearchableItem(id: "1", attributes: attributes),
                    SearchableItem(id: "2", domain: "clubs.town", attributes: attributes),
                    SearchableItem(id: "3", domain: "bars", attributes: attributes))
            }
            try add()
            for id in ["1", "2", "3"] { try open(id, "jazz", rig) }
            #expect(try openedItems(rig) == ["1", "2", "3"])
            // Apps begin to index again with it.
            try rig.store.write([.deleteAll], to: IndexRig.notes, now: IndexRig.now)
            try add()
            #expect(try openedItems(rig) == ["1", "2", "3"])
            let added = SearchableItem(id: "1", attributes: attributes)
            try rig.store.write([.delete(["1"]), .add(added)], to: IndexRig.notes, now: IndexRig.now)
            #expect(try openedItems(rig) == ["1", "2", "3"])
            try rig.store.write([.deleteDomain("clubs")], to: IndexRig.notes, now: IndexRig.now)
            #expect(try openedItems(rig) == ["1", "3"])
            try rig.store.write([.delete(["1", "4"])], to: IndexRig.notes, now: IndexRig.now)
            #expect(try openedItems(rig) == ["3"])
            let others = IndexSource(application: IndexRig.notes.application, name: "others")
            try rig.store.write([.delete(["3"])], to: others, now: IndexRig.now)
            #expect(try openedItems(rig) == ["3"])
        }
    }

    @Test("Removing an index removes its typed words at once")
    func removing() async throws {
        try await IndexRig.with { rig in
            let others = IndexSource(application: IndexRig.notes.application, name: "others")
            let item = IndexRig.item("1", "Jazz")
            try rig.add(item, IndexRig.item("2", "Jazz club"), IndexRig.item("3", "Bar"))
            try rig.add(item, IndexRig.item("4", "Jazz bar"), to: others)
            for (id, text) in [("1", "jaz"), ("2", "jazz clu"), ("3", "ba")] { try open(id, text, rig) }
            try rig.store.learnOpening(of: "4", in: others, for: "jazz b", Self.options)
            // The engagement with an item that is gone is removed as well.
            try rig.store.trim(IndexRig.notes, to: 2)
            let before = try rig.store.changeCount()
            #expect(try rig.store.remove(IndexRig.notes, isScrubbed: false) == 2)
            #expect(try rig.store.changeCount() == before + 1)
            var lines: [String] = []
            try rig.store.exportOpened { lines.append($0) }
            #expect(!lines.contains { $0.contains(#""index":"notes""#) }, "\(lines)")
            #expect(lines.contains { $0.contains(#""index":"others","id":"4","query":"jazz b""#) }, "\(lines)")
            #expect(try rig.find("jazz").sorted() == ["1", "4"] && rig.find("club") == [])
            #expect(try rig.store.remove(IndexRig.notes, isScrubbed: false) == nil)
            try rig.checkIntegrity()
        }
    }

    @Test("Learning ranks the choices of a simulated user higher")
    func person() async throws {
        try await IndexRig.with { rig in
            let subjects = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
            var random = SplitMix64(seed: 41)
            let items = (0..<400).map { number in
                IndexRig.item(
                    "\(number)",
                    "\(subjects[number % 8]) \(["plan", "list", "draft", "notes"][number / 8 % 4]) number \(number)")
            }
            try rig.store.write(items.map(IndexChange.add), to: IndexRig.notes, now: IndexRig.now)
            // For each subject, the user mostly wants one of three items.
            let wanted = subjects.indices.map { subject in
                (0..<3).map { _ in Int.random(in: 0..<50, using: &random) * 8 + subject }
            }
            var ranks: [Double] = []
            for turn in 0..<240 {
                let subject = Int.random(in: 0..<8, using: &random)
                let draw = Double.random(in: 0..<1, using: &random)
                let item = "\(wanted[subject][draw < 0.6 ? 0 : draw < 0.9 ? 1 : 2])"
                let text = String(subjects[subject].prefix(Int.random(in: 3...5, using: &random)))
                let day = Double(turn) / 4
                var options = Self.options
                (options.now, options.limit) = (IndexRig.now.addingTimeInterval(day * 86_400), 60)
                let place = try rig.store.search(text, options).firstIndex { $0.id == item }
                ranks.append(place.map { 1 / Double($0 + 1) } ?? 0)
                try open(item, text, rig, after: day)
            }
            let (early, late) = (ranks.prefix(40).reduce(0, +) / 40, ranks.suffix(120).reduce(0, +) / 120)
            #expect(early < 0.4 && late > 0.65, "mean reciprocal rank \(early), then \(late)")
        }
    }
}
