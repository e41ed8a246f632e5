import FoundationEssentials
import Glibc
import HunchModel
import JSON
import Popularity
import Queries
import SearchIndexes

extension Fuzzer {
    /// The query language, what an aggregator sends and gets, and searches for typed words in an index of a few items.
    static let searches: [Fuzzer] = [
        Fuzzer(
            "queries",
            text: { text in
                guard let query = try? Query(text, clock: date) else { return }
                _ = try? index?.search(query, SearchOptions(now: date))
            }),
        Fuzzer(
            "popularity",
            bytes: { bytes in
                if let report = try? PopularityReport(json: bytes),
                    let encoding = UnaryEncoding(epsilon: report.epsilon)
                {
                    var sketch = PopularitySketch(encoding: encoding)
                    try? sketch.add(report)
                    _ = sketch.estimator().share(of: PopularityKey(hash: StableHash(bytes).value))
                }
                if let sketch = try? PopularitySketch(json: bytes) { _ = sketch.ones }
            }),
        Fuzzer(
            "changes",
            bytes: { bytes in
                // The first byte of a line is the change, the rest its item or its name.
                let changes = bytes.split(separator: 0x0A).prefix(64).compactMap { line -> IndexChange? in
                    let text = String(decoding: line.dropFirst(), as: UTF8.self)
                    switch line.first {
                    case UInt8(ascii: "-"): return .delete([text, ""])
                    case UInt8(ascii: "/"): return .deleteDomain(text)
                    case UInt8(ascii: "*"): return .deleteAll
                    default:
                        return (Array(line) + [0]).withUnsafeBufferPointer { line in
                            var scanner = JSONScanner(nulTerminated: line)
                            let item = (try? scanner.value()).flatMap { try? SearchableItem(json: $0) }
                            return item.map(IndexChange.add)
                        }
                    }
                }
                _ = try? index?.write(changes, to: changed, now: date)
                _ = try? index?.search("a", SearchOptions(now: date))
            }),
        Fuzzer(
            "typed",
            text: { text in
                for needsAllWords in [false, true] {
                    _ = try? index?.search(
                        text, SearchOptions(isUnfinished: true, needsAllWords: needsAllWords, now: date))
                }
                _ = TypedWords(text).match(["Dim sum", text])
                let item = SearchableItem(id: "fuzz", attributes: ["title": .text(text), "text": .text(text)])
                _ = try? index?.write([.add(item)], to: source, now: date)
                try? index?.learnOpening(of: "fuzz", in: source, for: text, SearchOptions(now: date))
            }),
    ]

    private static let date = Date(timeIntervalSince1970: 1_795_658_400)
    private static let source = IndexSource(application: "org.example.Notes", name: "notes")
    private static let changed = IndexSource(application: "org.example.Changes", name: "changes")

    /// An index whose files are already unlinked, so that nothing of them remains.
    private static let index: IndexStore? = {
        var template = Array("/tmp/hunch-fuzz-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else { return nil }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try? IndexStore.open(at: folder + "/index.sqlite", language: "en")
        let titles = ["Dim sum at Yank Sing", "Jazz in Ørsted's café", "東京の駅", "newYork 2026", "a-b_c d.e"]
        let items = titles.enumerated().map { number, title in
            SearchableItem(
                id: "\(number)", domain: "in.work",
                attributes: ["title": .text(title), "rating": .number(Double(number)), "keywords": .texts([title])])
        }
        _ = try? store?.write(items.map(IndexChange.add), to: source, now: date)
        return store
    }()
}
