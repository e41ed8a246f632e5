import HunchModel
import Media
import SeededRandom
import TestSupport
import Testing

/// A content tree in memory that records the requests it gets.
private actor Tree: PlayableContentDataSource {
    struct Request: Equatable {
        let parent: ContentItem.ID?
        let offset: Int
        let limit: Int
    }

    private let children: @Sendable (ContentItem.ID?) -> [ContentItem]
    private(set) var requests: [Request] = []

    init(_ children: @escaping @Sendable (ContentItem.ID?) -> [ContentItem]) { self.children = children }

    func childItems(of parent: ContentItem.ID?, offset: Int, limit: Int) -> [ContentItem] {
        requests.append(Request(parent: parent, offset: offset, limit: limit))
        let page = Array(children(parent).dropFirst(offset).prefix(limit))
        items += page.count
        return page
    }

    func contentItem(_ identifier: ContentItem.ID) -> ContentItem? { nil }

    /// The total number of read items.
    private(set) var items = 0
}

@Suite("Search of a content tree for an item to suggest")
struct ContentReadingTests {
    private static let anywhere = PlayableContentContext()
    private static let car = PlayableContentContext(areLimitsEnforced: true)

    private static func folder(_ id: String) -> ContentItem {
        ContentItem(id: id, title: id, isContainer: true, isPlayable: false)
    }

    private static func track(_ id: String, _ progress: Double? = nil) -> ContentItem {
        ContentItem(id: id, title: id, progress: progress)
    }

    @Test("An unfinished item is found first, however deep")
    func begun() async throws {
        let tree = Tree { parent in
            switch parent {
            case nil: [Self.track("new"), Self.folder("shows"), Self.track("through", 1), Self.track("fresh", 0)]
            case "shows": [Self.folder("show")]
            case "show": [Self.track("other"), Self.track("half", 0.5)]
            default: []
            }
        }
        #expect(try await tree.firstOffer(within: Self.anywhere)?.id == "half")
    }

    @Test("Without an unfinished item, the first playable one is found")
    func first() async throws {
        let tree = Tree { $0 == nil ? [Self.folder("a"), Self.track("b"), Self.track("c")] : [] }
        #expect(try await tree.firstOffer(within: Self.anywhere)?.id == "b")
        let folders = Tree { $0 == nil ? [Self.folder("a")] : [] }
        #expect(try await folders.firstOffer(within: Self.anywhere) == nil)
        #expect(try await Tree { _ in [] }.firstOffer(within: Self.anywhere) == nil)
    }

    @Test("Lists are read in pages and no further than needed")
    func pages() async throws {
        let tree = Tree { $0 == nil ? (0..<120).map { Self.track("\($0)", $0 == 60 ? 0.1 : nil) } : [] }
        #expect(try await tree.firstOffer(within: Self.anywhere)?.id == "60")
        let requests = await tree.requests
        #expect(requests.first == Tree.Request(parent: nil, offset: 0, limit: 50))
        #expect(requests.allSatisfy { $0.limit <= 50 } && requests.map(\.offset) == [0, 50, 100])
    }

    @Test("In a car only 12 items per list and 5 levels are read")
    func limits() async throws {
        let long = Tree { $0 == nil ? (0..<40).map { Self.track("\($0)", $0 == 12 ? 0.1 : nil) } : [] }
        #expect(try await long.firstOffer(within: Self.car)?.id == "0")
        #expect(await long.requests == [Tree.Request(parent: nil, offset: 0, limit: 12)])
        // A list whose name is its depth. The sixth has a playable item.
        let deep = Tree { parent in
            let level = parent?.count ?? 0
            return level == 5 ? [Self.track("deep")] : [Self.folder(String(repeating: "x", count: level + 1))]
        }
        #expect(try await deep.firstOffer(within: Self.car) == nil)
        #expect(try await deep.firstOffer(within: Self.anywhere)?.id == "deep")
    }

    @Test("Endless and cyclic trees are read up to a limit")
    func endless() async throws {
        let endless = Tree { parent in
            (0..<10_000).map { Self.folder("\(parent ?? "")/\($0)") }
        }
        #expect(try await endless.firstOffer(within: Self.anywhere) == nil)
        #expect(await endless.items <= 500)
        let ring = Tree { _ in [Self.folder("ring")] }
        #expect(try await ring.firstOffer(within: Self.anywhere) == nil)
        #expect(await ring.requests.count == 2)
    }

    @Test("Any tree is read within limits and gives only playable items")
    func randomTrees() async throws {
        for seed in 1...100 as ClosedRange<UInt64> {
            let shape = SplitMix64(seed: seed)
            let tree = Tree { parent in
                var random = shape
                for _ in (parent ?? "").utf8 { _ = random.next() }
                return (0..<Int.random(in: 0...80, using: &random)).map { number in
                    ContentItem(
                        id: "\(parent ?? "")\(number).", title: "T", isContainer: .random(using: &random),
                        isPlayable: Int.random(in: 0..<20, using: &random) == 0,
                        progress: Bool.random(using: &random) ? .random(in: 0...1, using: &random) : nil)
                }
            }
            for context in [Self.anywhere, Self.car] {
                let found = try await tree.firstOffer(within: context)
                #expect(found?.isPlayable != false)
            }
            #expect(await tree.items <= 1_000)
        }
    }
}
