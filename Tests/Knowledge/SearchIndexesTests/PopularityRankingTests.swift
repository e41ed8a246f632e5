import FoundationEssentials
import HunchModel
import Popularity
import SearchIndexes
import SeededRandom
import TestSupport
import Testing

/// Popularity in the order of results.
@Suite("Popularity of results") struct PopularityRankingTests {
    private static let options = SearchOptions(now: IndexRig.now)

    /// Returns the sketch of an aggregator after four of ten people opened an item.
    private static func sketch(_ identifier: String) throws -> PopularitySketch {
        let encoding = try #require(UnaryEncoding(epsilon: 4))
        var random = SplitMix64(seed: 11)
        var sketch = PopularitySketch(encoding: encoding)
        let key = PopularityKey(
            address: nil, application: IndexRig.notes.application.rawValue, index: IndexRig.notes.name, item: identifier
        )
        for person in 0..<2_000 {
            try sketch.add(
                PopularityReport(about: person % 10 < 4 ? key : nil, encoding: encoding, using: &random))
        }
        return sketch
    }

    private static func item(_ id: String, _ title: String) -> SearchableItem {
        var item = IndexRig.item(id, title)
        item.isPublic = true
        return item
    }

    @Test("Popular public content comes earlier, and says why")
    func popular() async throws {
        try await IndexRig.with { rig in
            let items = [Self.item("1", "Jazz club"), Self.item("2", "Jazz club"), IndexRig.item("3", "Jazz club")]
            try rig.store.write(items.map(IndexChange.add), to: IndexRig.notes, now: IndexRig.now)
            #expect(try rig.store.search("jazz", Self.options).map(\.id) == ["3", "2", "1"])
            try rig.store.setPopularity(Self.sketch("1"))
            let hits = try rig.store.search("jazz", Self.options)
            #expect(hits.map(\.id) == ["1", "3", "2"])
            let popularity = try #require(hits[0].factors.popularity)
            #expect((0.3...0.45).contains(popularity.share) && popularity.factor > 1.2)
            #expect(abs(hits[0].score - hits[0].factors.score) < 1e-12)
            // Content that is not public, or that is not reported.
            #expect(hits[1].factors.popularity == nil)
            #expect(hits[2].factors.popularity?.share == 0 && hits[2].factors.popularity?.factor == 1)
            // An app learns nothing from the order of its own items.
            var own = Self.options
            own.countsEngagement = false
            #expect(try rig.store.search("jazz", own).map(\.id) == ["3", "2", "1"])
            try rig.store.setPopularity(nil)
            #expect(try rig.store.search("jazz", Self.options).map(\.id) == ["3", "2", "1"])
        }
    }

    @Test("Only public items opened since a date are returned")
    func reported() async throws {
        try await IndexRig.with { rig in
            let items = [Self.item("1", "Jazz club"), Self.item("2", "Jazz bar"), IndexRig.item("3", "Jazz radio")]
            try rig.store.write(items.map(IndexChange.add), to: IndexRig.notes, now: IndexRig.now)
            func open(_ id: String, after seconds: Double) throws {
                var options = Self.options
                options.now = IndexRig.now.addingTimeInterval(seconds)
                try rig.store.learnOpening(of: id, in: IndexRig.notes, for: "", options)
            }
            try open("1", after: 0)
            try open("3", after: 1)
            #expect(try rig.store.publicItemsOpened(since: IndexRig.now).count == 1)
            #expect(try rig.store.publicItemsOpened(since: IndexRig.now.addingTimeInterval(1)).isEmpty)
            // Passing an item over does not count as opening it.
            var options = Self.options
            options.now = IndexRig.now.addingTimeInterval(9)
            try rig.store.learnOpening(of: "3", in: IndexRig.notes, for: "jazz", options)
            #expect(try rig.store.publicItemsOpened(since: IndexRig.now.addingTimeInterval(1)).isEmpty)
            try open("2", after: 10)
            #expect(try rig.store.publicItemsOpened(since: IndexRig.now).count == 2)
            let excluded: Set<AppID> = [IndexRig.notes.application]
            #expect(try rig.store.publicItemsOpened(since: IndexRig.now, excluding: excluded).isEmpty)
            _ = try rig.store.forget(.everything)
            #expect(try rig.store.publicItemsOpened(since: IndexRig.now).isEmpty)
        }
    }
}
