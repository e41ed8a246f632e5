internal import AgentInterface
internal import HunchDBus
internal import HunchModel

extension PlayableContentService {
    nonisolated func interface() -> ExportedInterface {
        ExportedInterface(evolving: HunchNames.playableContent, source() + control() + Self.signals)
    }

    private nonisolated func source() -> [ExportedMember] {
        [
            .property("NowPlayingIds") { [dataSource] in
                let identifiers = try await dataSource.nowPlayingIdentifiers
                try ContentItem.check(identifiers: identifiers)
                return identifiers
            },
            .method("ChildItems", arguments: ["parent", "offset", "limit"], results: ["items"]) {
                [dataSource]
                (_, parent: String, offset: UInt32, limit: UInt32) async throws -> [ContentPage.Entry] in
                let limit = min(Int(limit), ContentPage.limit)
                let items = try await dataSource.childItems(
                    of: parent.isEmpty ? nil : parent, offset: Int(offset), limit: limit)
                let page = ContentPage.transfer(items.prefix(limit))
                _ = try ContentPage.items(page, limit: limit)
                return page
            },
            .method("BeginLoadingChildItems", arguments: ["parent"]) { [dataSource] (_, parent: String) in
                try await dataSource.beginLoadingChildItems(of: parent.isEmpty ? nil : parent)
            },
            .method("ContentItem", arguments: ["id"], results: ["item"]) {
                [dataSource] (_, identifier: String) async throws -> VariantMap in
                try ContentItem.check(identifier: identifier)
                guard let map = try await dataSource.contentItem(identifier)?.transfer else { return [:] }
                _ = try ContentItem(id: identifier, transfer: map)
                return map
            },
        ]
    }

    private nonisolated func control() -> [ExportedMember] {
        [
            .method("InitializePlaybackQueue", arguments: ["items", "context"], results: ["now_playing"]) {
                [weak self, delegate] (_, items: [String], map: VariantMap) async throws -> VariantMap in
                try ContentItem.check(identifiers: items)
                let context = try PlaybackContext(transfer: map)
                await self?.take(context.content)
                do {
                    let info = try await delegate.initializePlaybackQueue(items, context: context).transfer
                    _ = try NowPlayingInfo(transfer: info, isChoice: items.isEmpty)
                    return info
                } catch is NothingChosen {
                    throw DBusError(.notSupported, "this app leaves the choice to Hunch")
                }
            },
            .method("InitiatePlayback", arguments: ["item"]) { [weak self, delegate] (_, item: String) in
                try ContentItem.check(identifier: item)
                try await delegate.initiatePlayback(of: item, context: PlaybackContext(content: await self?.context))
            },
            .method("UpdateContext", arguments: ["context"]) {
                [weak self, delegate] (_, map: VariantMap) async throws -> Void in
                let context = try PlayableContentContext(transfer: map)
                await self?.take(context)
                try await delegate.contextChanged(to: context)
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
