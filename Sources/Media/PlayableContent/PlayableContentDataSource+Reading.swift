public import HunchModel

extension PlayableContentDataSource {
    /// What may be offered where the app leaves the choice: the first item in the tree that was begun and is not through,
    /// else the first that can be played.
    ///
    /// The tree is read in its order, a page at a time and no further than needed: of a list at most 200 items, of the tree
    /// at most 6 levels, 32 lists and 500 items, or what the context enforces where that is less.
    ///
    /// - Throws: as ``HunchModel/PlayableContentDataSource/childItems(of:offset:limit:)``.
    public func firstOffer(within context: PlayableContentContext) async throws -> ContentItem? {
        var reading = TreeReading(context: context)
        try await reading.read(self)
        return reading.begun ?? reading.playable
    }

    /// The first item after another one in the list at the root, such as a player's queue, that can be played; `nil` when the
    /// list has no such item. At most 500 items are looked at.
    ///
    /// - Throws: as ``HunchModel/PlayableContentDataSource/childItems(of:offset:limit:)``.
    public func item(after identifier: ContentItem.ID) async throws -> ContentItem? {
        let items = try await childItems(of: nil, offset: 0, limit: MPRISContent.trackLimit)
        guard let index = items.firstIndex(where: { ItemIdentity.areSame($0.id, identifier) }) else { return nil }
        return items[(index + 1)...].first(where: \.isPlayable)
    }
}

/// One bounded way through a content tree, breadth first: what is near the root comes first.
private struct TreeReading {
    private static let pageSize = 50
    private static let listLimit = 200
    private static let depthLimit = 6
    private static let containerLimit = 32
    private static let itemLimit = 500

    private let itemsPerList: Int
    private let depth: Int
    private var itemsLeft = itemLimit
    private(set) var begun: ContentItem?
    private(set) var playable: ContentItem?

    init(context: PlayableContentContext) {
        itemsPerList = min(context.itemCount(orElse: Self.listLimit), Self.listLimit)
        depth = min(context.treeDepth(orElse: Self.depthLimit), Self.depthLimit)
    }

    mutating func read(_ source: some PlayableContentDataSource) async throws {
        var seen: Set<ContentItem.ID> = []
        var lists: [(parent: ContentItem.ID?, level: Int)] = [(nil, 1)]
        var next = 0
        while next < lists.count, next < Self.containerLimit, begun == nil, itemsLeft > 0 {
            let (parent, level) = lists[next]
            next += 1
            for item in try await list(source, parent) {
                if item.isPlayable {
                    playable = playable ?? item
                    if let progress = item.progress, progress > 0, progress < 1 {
                        begun = item
                        return
                    }
                }
                // A tree in which something contains itself has no end.
                if item.isContainer, level < depth, seen.insert(item.id).inserted { lists.append((item.id, level + 1)) }
            }
        }
    }

    private mutating func list(
        _ source: some PlayableContentDataSource, _ parent: ContentItem.ID?
    ) async throws -> [ContentItem] {
        var items: [ContentItem] = []
        while items.count < itemsPerList, itemsLeft > 0 {
            let wanted = min(Self.pageSize, itemsPerList - items.count, itemsLeft)
            let page = try await source.childItems(of: parent, offset: items.count, limit: wanted)
            items += page
            itemsLeft -= page.count
            if page.count < wanted { break }
        }
        return items
    }
}
