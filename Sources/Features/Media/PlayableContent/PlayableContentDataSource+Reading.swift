internal import Players
public import HunchModel

extension PlayableContentDataSource {
    /// Returns the item to suggest if the app leaves the choice: the first item in progress, else the first playable
    /// one.
    ///
    /// Reads the tree in its order, a page at a time and no further than needed. Reads at most 200 items of a list, and
    /// at most 6 levels, 32 lists and 500 items of the tree, or less if the context's limits are lower.
    ///
    /// - Throws: The errors of ``HunchModel/PlayableContentDataSource/childItems(of:offset:limit:)``.
    public func firstOffer(within context: PlayableContentContext) async throws -> ContentItem? {
        var reading = TreeReading(context: context)
        try await reading.read(self)
        return reading.begun ?? reading.playable
    }

    /// Returns the next playable item after the given one in the root list, such as a player's queue; `nil` if there is
    /// none. Reads at most 500 items.
    ///
    /// - Throws: The errors of ``HunchModel/PlayableContentDataSource/childItems(of:offset:limit:)``.
    public func item(after identifier: ContentItem.ID) async throws -> ContentItem? {
        let items = try await childItems(of: nil, offset: 0, limit: MPRISContent.trackLimit)
        guard let index = items.firstIndex(where: { ItemIdentity.areSame($0.id, identifier) }) else { return nil }
        return items[(index + 1)...].first(where: \.isPlayable)
    }
}

/// A bounded breadth-first traversal of a content tree, so that items near the root come first.
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
                // A container that contains itself would make the tree infinite.
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
