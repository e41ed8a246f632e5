internal import HunchDBus
internal import HunchModel

/// How content items, now-playing info and contexts travel in the PlayableContent1 interface. The interface's XML
/// documents each key; keys that are not known are left out.
enum PlayableContentWire {
    /// The most items in one page, or in one list of identifiers.
    static let pageLimit = 1_000
    /// The longest title, subtitle, album or artist, in bytes of UTF-8.
    static let textLimit = 4_096
    /// The most artists.
    static let artistLimit = 64

    enum Key {
        static let title = "xesam:title"
        static let artist = "xesam:artist"
        static let album = "xesam:album"
        static let url = "xesam:url"
        static let artURL = "mpris:artUrl"
        static let trackID = "mpris:trackid"
        static let length = "mpris:length"
        static let position = "position"
        static let item = "item"
        static let subtitle = "subtitle"
        static let container = "container"
        static let playable = "playable"
        static let progress = "progress"
        static let deviceKind = "device-kind"
        static let deviceTransport = "device-transport"
    }

    // MARK: Items

    static func item(_ id: String, _ map: VariantMap) throws(DBusError) -> ContentItem {
        try check(identifier: id)
        let progress: Double? = try map.value(Key.progress)
        if let progress, !(0...1).contains(progress) {
            throw DBusError(.invalidArgs, "“\(Key.progress)” must be from 0 to 1, not \(progress)")
        }
        return ContentItem(
            id: id, title: try requiredTitle(map), subtitle: try text(map, Key.subtitle),
            artworkURL: try text(map, Key.artURL), isContainer: try map.value(Key.container) ?? false,
            isPlayable: try map.value(Key.playable) ?? true, progress: progress)
    }

    static func map(_ item: ContentItem) -> VariantMap {
        var map: VariantMap = [
            Key.title: .string(item.title), Key.container: .boolean(item.isContainer),
            Key.playable: .boolean(item.isPlayable),
        ]
        map[Key.subtitle] = item.subtitle.map(Value.string)
        map[Key.artURL] = item.artworkURL.map(Value.string)
        map[Key.progress] = item.progress.map(Value.double)
        return map
    }

    static func check(identifier: String) throws(DBusError) {
        guard !identifier.isEmpty, identifier.utf8.count <= ContentItem.identifierLimit else {
            throw DBusError(
                .invalidArgs, "an item's identifier must have 1 to \(ContentItem.identifierLimit) bytes of UTF-8")
        }
    }

    static func check(identifiers: [String]) throws(DBusError) {
        guard identifiers.count <= pageLimit else {
            throw DBusError(.limitsExceeded, "a list of items must have at most \(pageLimit), not \(identifiers.count)")
        }
        for identifier in identifiers { try check(identifier: identifier) }
    }

    // MARK: Now-playing info

    static func info(_ map: VariantMap) throws(DBusError) -> NowPlayingInfo {
        let artists: [String] = try map.value(Key.artist) ?? []
        guard artists.count <= artistLimit else {
            throw DBusError(.limitsExceeded, "“\(Key.artist)” must have at most \(artistLimit) entries")
        }
        for artist in artists { try check(artist, Key.artist) }
        let track: ObjectPath? = try map.value(Key.trackID)
        let item: String? = try map.value(Key.item)
        if let item { try check(identifier: item) }
        return NowPlayingInfo(
            title: try requiredTitle(map), artists: artists, album: try text(map, Key.album),
            artworkURL: try text(map, Key.artURL), contentURL: try text(map, Key.url), trackIdentifier: track?.text,
            length: try map.value(Key.length), position: try map.value(Key.position),
            item: item)
    }

    static func map(_ info: NowPlayingInfo) -> VariantMap {
        var map: VariantMap = [Key.title: .string(info.title)]
        if !info.artists.isEmpty { map[Key.artist] = info.artists.dbusValue }
        map[Key.album] = info.album.map(Value.string)
        map[Key.artURL] = info.artworkURL.map(Value.string)
        map[Key.url] = info.contentURL.map(Value.string)
        map[Key.trackID] = info.trackIdentifier.flatMap { try? ObjectPath($0) }.map(Value.objectPath)
        map[Key.length] = info.length.map(Value.int64)
        map[Key.position] = info.position.map(Value.int64)
        map[Key.item] = info.item.map(Value.string)
        return map
    }

    // MARK: Context

    /// The kind of device and how it is connected; an app learns neither its name nor its address.
    static func map(_ context: PlaybackContext) -> VariantMap {
        guard let device = context.device else { return [:] }
        return [
            Key.deviceKind: .string(device.kind.rawValue), Key.deviceTransport: .string(device.transport.rawValue),
        ]
    }

    static func context(_ map: VariantMap) throws(DBusError) -> PlaybackContext {
        guard let kind: String = try map.value(Key.deviceKind) else { return PlaybackContext() }
        let transport: String = try map.value(Key.deviceTransport) ?? ""
        return PlaybackContext(
            device: AudioDevice(
                id: "", name: "", kind: AudioDevice.Kind(rawValue: kind) ?? .other,
                transport: AudioDevice.Transport(rawValue: transport) ?? .other))
    }

    // MARK: Texts

    private static func requiredTitle(_ map: VariantMap) throws(DBusError) -> String {
        guard let title = try text(map, Key.title), !title.isEmpty else {
            throw DBusError(.invalidArgs, "“\(Key.title)” is missing")
        }
        return title
    }

    private static func text(_ map: VariantMap, _ key: String) throws(DBusError) -> String? {
        guard let text: String = try map.value(key) else { return nil }
        try check(text, key)
        return text
    }

    private static func check(_ text: String, _ key: String) throws(DBusError) {
        guard text.utf8.count <= textLimit else {
            throw DBusError(.limitsExceeded, "“\(key)” must have at most \(textLimit) bytes, not \(text.utf8.count)")
        }
    }
}

/// An item in a page: `(sa{sv})`.
struct WireItem: DBusStructure {
    var id: String
    var attributes: VariantMap

    static let layout = StructureLayout(WireItem.init(id:attributes:)) { ($0.id, $0.attributes) }
}
