public import HunchDBus
public import HunchModel

// Content items as `(sa{sv})` and `a{sv}`; the keys are described in org.hunch.PlayableContent1.xml.

extension ContentItem {
    private enum Key {
        static let subtitle = "subtitle"
        static let container = "container"
        static let playable = "playable"
        static let progress = "progress"
    }

    /// Reads an item. Unknown keys are ignored.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for a key that is missing or of the wrong type, and for an invalid
    ///   identifier; `…LimitsExceeded` for a text that is too long. The message names the key.
    public init(id: String, transfer map: VariantMap) throws(DBusError) {
        try Self.check(identifier: id)
        let progress: Double? = try map.value(Key.progress)
        if let progress, !(0...1).contains(progress) {
            throw DBusError(.invalidArgs, "“\(Key.progress)” must be from 0 to 1, not \(progress)")
        }
        self.init(
            id: id, title: try map.contentTitle(), subtitle: try map.contentText(Key.subtitle),
            artworkURL: try map.contentText(ContentKey.artURL), isContainer: try map.value(Key.container) ?? false,
            isPlayable: try map.value(Key.playable) ?? true, progress: progress)
    }

    /// The item with the same keys, without its identifier. Unknown values are left out.
    public var transfer: VariantMap {
        var map: VariantMap = [
            ContentKey.title: .string(title), Key.container: .boolean(isContainer), Key.playable: .boolean(isPlayable),
        ]
        map[Key.subtitle] = subtitle.map(Value.string)
        map[ContentKey.artURL] = artworkURL.map(Value.string)
        map[Key.progress] = progress.map(Value.double)
        return map
    }

    /// Checks an identifier.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` if it is empty or too long.
    public static func check(identifier: String) throws(DBusError) {
        guard !identifier.isEmpty, identifier.utf8.count <= identifierLimit else {
            throw DBusError(.invalidArgs, "an item's identifier must have 1 to \(identifierLimit) bytes of UTF-8")
        }
    }

    /// Checks a list of identifiers.
    ///
    /// - Throws: ``DBusError`` `…LimitsExceeded` if there are too many; also like ``check(identifier:)``.
    public static func check(identifiers: [String]) throws(DBusError) {
        guard identifiers.count <= ContentPage.limit else {
            throw DBusError(
                .limitsExceeded, "a list of items must have at most \(ContentPage.limit), not \(identifiers.count)")
        }
        for identifier in identifiers { try check(identifier: identifier) }
    }
}

/// A page of children: `a(sa{sv})`.
public enum ContentPage {
    /// The largest number of items in a page, and of identifiers in a list.
    public static let limit = 1_000

    /// An item in a page: `(sa{sv})`.
    public struct Entry: DBusStructure {
        /// The item's identifier.
        public var id: String
        /// The item's other properties by key.
        public var attributes: VariantMap

        /// Creates an entry.
        public init(id: String, attributes: VariantMap) {
            self.id = id
            self.attributes = attributes
        }

        /// The D-Bus layout of an entry.
        public static let layout = StructureLayout(Entry.init(id:attributes:)) { ($0.id, $0.attributes) }
    }

    /// Returns items as a page.
    public static func transfer(_ items: some Collection<ContentItem>) -> [Entry] {
        items.map { Entry(id: $0.id, attributes: $0.transfer) }
    }

    /// Reads a page.
    ///
    /// - Parameter limit: the most items that were requested.
    /// - Throws: ``DBusError``: `…LimitsExceeded` for more items; also like ``HunchModel/ContentItem/init(id:transfer:)``.
    public static func items(_ entries: [Entry], limit: Int) throws(DBusError) -> [ContentItem] {
        guard entries.count <= limit else {
            throw DBusError(.limitsExceeded, "ChildItems returned \(entries.count) items; the limit was \(limit)")
        }
        var items: [ContentItem] = []
        for entry in entries { items.append(try ContentItem(id: entry.id, transfer: entry.attributes)) }
        return items
    }
}
