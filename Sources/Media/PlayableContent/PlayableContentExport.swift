public import HunchDBus
public import HunchModel

/// Serves a data source and a delegate as the PlayableContent1 interface.
///
///     let export = PlayableContentExport("org.example.PlayableContent1", dataSource: library, delegate: player)
///     try await server.export(path, [export.interface])
public struct PlayableContentExport: Sendable {
    /// The version of the interface that is served.
    public static let version: UInt32 = 1

    /// What to export on the object.
    public let interface: ExportedInterface

    /// Makes the interface. What the data source and the delegate throw becomes the error reply; an answer that breaks
    /// a documented limit becomes one, too.
    ///
    /// - Parameter name: the full name of PlayableContent1.
    public init(
        _ name: InterfaceName, dataSource: any PlayableContentDataSource, delegate: any PlayableContentDelegate
    ) {
        interface = ExportedInterface(name, Self.source(dataSource) + Self.delegate(delegate) + Self.signals)
    }

    private static func source(_ source: any PlayableContentDataSource) -> [ExportedMember] {
        [
            .property("Version", notice: .constant) { version },
            .property("NowPlayingIdentifiers") {
                let identifiers = try await source.nowPlayingIdentifiers
                try PlayableContentWire.check(identifiers: identifiers)
                return identifiers
            },
            .method("ChildItems", arguments: ["parent", "offset", "limit"], results: ["items"]) {
                (_, parent: String, offset: UInt32, limit: UInt32) async throws -> [WireItem] in
                let limit = min(Int(limit), PlayableContentWire.pageLimit)
                let items = try await source.childItems(
                    of: parent.isEmpty ? nil : parent, offset: Int(offset), limit: limit)
                return items.prefix(limit).map { WireItem(id: $0.id, attributes: PlayableContentWire.map($0)) }
            },
            .method("BeginLoadingChildItems", arguments: ["parent"]) { (_, parent: String) in
                try await source.beginLoadingChildItems(of: parent.isEmpty ? nil : parent)
            },
            .method("ContentItem", arguments: ["identifier"], results: ["item"]) {
                (_, identifier: String) async throws -> VariantMap in
                try PlayableContentWire.check(identifier: identifier)
                return try await source.contentItem(identifier).map { PlayableContentWire.map($0) } ?? [:]
            },
        ]
    }

    private static func delegate(_ delegate: any PlayableContentDelegate) -> [ExportedMember] {
        [
            .method("InitializePlaybackQueue", arguments: ["items", "context"], results: ["now_playing"]) {
                (_, items: [String], context: VariantMap) async throws -> VariantMap in
                try PlayableContentWire.check(identifiers: items)
                let info = try await delegate.initializePlaybackQueue(
                    items, context: PlayableContentWire.context(context))
                return PlayableContentWire.map(info)
            },
            .method("InitiatePlayback", arguments: ["item"]) { (_, item: String) in
                try PlayableContentWire.check(identifier: item)
                try await delegate.initiatePlayback(of: item, context: PlaybackContext())
            },
        ]
    }

    private static var signals: [ExportedMember] {
        [
            .signal("ContentChanged", arguments: ["parents"], [String].self),
            .signal("UpdatesBegan", arguments: []), .signal("UpdatesEnded", arguments: []),
        ]
    }
}
