internal import AgentInterface
public import HunchDBus
public import HunchModel

/// The content of an app that serves the PlayableContent1 interface on the session bus.
///
/// Only a running app is asked to prepare; one that does not run is offered from what is remembered of it. What an app
/// answers is held against the interface's documented types and limits; an answer that breaks them is an error.
public struct BusPlayableContent: PlayableContent {
    let application: String
    let name: String
    let proxy: Proxy
    let deadlines: MediaDeadlines
    let remembered: RememberedPlayback
    let launch: AppLaunch

    /// Describes the content of one app; nothing is sent.
    ///
    /// - Parameters:
    ///   - application: desktop identifier, without `.desktop`.
    ///   - name: what people call the app.
    ///   - service: the bus name of the app: its desktop identifier, where the bus can start it.
    ///   - path: the object; `nil` for the one of `org.freedesktop.Application`, the bus name with slashes for dots and
    ///     underscores for hyphens.
    ///   - remembered: what is remembered of its items.
    ///   - launch: launches it where the bus cannot.
    /// - Throws: `DBusError` when no path can be made of the name.
    public init(
        application: String, name: String, bus: Connection, service: BusName, path: ObjectPath? = nil,
        deadlines: MediaDeadlines = MediaDeadlines(),
        remembered: @escaping RememberedPlayback, launch: @escaping AppLaunch
    ) throws(DBusError) {
        self.application = application
        self.name = name
        let object = if let path { path } else { try ObjectPath(application: service) }
        proxy = Proxy(bus, service, object)
        self.deadlines = deadlines
        self.remembered = remembered
        self.launch = launch
    }

    /// Whether the app owns its bus name.
    public var isRunning: Bool {
        get async { (try? await proxy.connection.owner(of: proxy.service)) ?? nil != nil }
    }

    // MARK: Data source

    /// A page of children; `limit` is at most 1,000, and more is not asked for.
    ///
    /// - Throws: ``MediaError``: `notRunning`, `noReply`, `refused`, `invalidReply`; the same in all that follows.
    public func childItems(of parent: ContentItem.ID?, offset: Int, limit: Int) async throws -> [ContentItem] {
        let limit = min(limit, ContentPage.limit)
        guard limit > 0, let offset = UInt32(exactly: offset) else { return [] }
        let arguments = [(parent ?? "").dbusValue, offset.dbusValue, UInt32(limit).dbusValue]
        return try await ask("ChildItems", arguments) { reply in
            try ContentPage.items(reply.arguments([ContentPage.Entry].self), limit: limit)
        }
    }

    /// The item; `nil` when the app answers an empty dictionary.
    public func contentItem(_ identifier: ContentItem.ID) async throws -> ContentItem? {
        try await ask("ContentItem", [identifier.dbusValue]) { reply in
            let map = try reply.arguments(VariantMap.self)
            return map.isEmpty ? nil : try ContentItem(id: identifier, transfer: map)
        }
    }

    /// Tells the app that the children of an item, or of the root, will be wanted soon.
    public func beginLoadingChildItems(of parent: ContentItem.ID?) async throws {
        try await ask("BeginLoadingChildItems", [(parent ?? "").dbusValue]) { _ in }
    }

    /// The items that play now.
    public var nowPlayingIdentifiers: [ContentItem.ID] {
        get async throws {
            let arguments = [HunchNames.playableContent.text.dbusValue, "NowPlayingIdentifiers".dbusValue]
            return try await ask("Get", arguments, of: .properties) { reply in
                let identifiers = try [String](dbusValue: reply.arguments(Value.self))
                try ContentItem.check(identifiers: identifiers)
                return identifiers
            }
        }
    }

    // MARK: Delegate

    /// Asks a running app to prepare, which must answer in time; of one that does not run, tells what is remembered.
    ///
    /// - Throws: ``MediaError`` as above, and `nothingToPlay` when the app does not run and nothing is remembered.
    public func initializePlaybackQueue(
        _ items: [ContentItem.ID], context: PlaybackContext
    ) async throws -> NowPlayingInfo {
        guard await isRunning else {
            if let info = await remembered(items.first, context) { return info }
            throw MediaError(.nothingToPlay, "\(name) is not running, and nothing is remembered that it could play")
        }
        guard items.isEmpty else { return try await prepare(items, context) }
        do {
            return try await prepare([], context)
        } catch let error as MediaError where error.leavesTheChoice {
            guard let item = try await firstOffer(within: context.content) else {
                throw MediaError(.nothingToPlay, "\(name) leaves the choice to Hunch and has nothing to play")
            }
            var info = try await prepare([item.id], context)
            info.item = info.item ?? item.id
            return info
        }
    }

    private func prepare(_ items: [ContentItem.ID], _ context: PlaybackContext) async throws -> NowPlayingInfo {
        let arguments = [items.dbusValue, context.transfer.dbusValue]
        return try await ask("InitializePlaybackQueue", arguments, within: deadlines.preparation) { reply in
            try NowPlayingInfo(transfer: reply.arguments(VariantMap.self), isChoice: items.isEmpty)
        }
    }

    /// Tells a running app that its content is used elsewhere, or under other limits, than before.
    public func contextChanged(to context: PlayableContentContext) async throws {
        try await ask("UpdateContext", [context.transfer.dbusValue]) { _ in }
    }

    /// Asks the app to play, launching it when it does not run.
    ///
    /// - Throws: ``MediaError`` as above, and `launchFailed`.
    public func initiatePlayback(of item: ContentItem.ID, context: PlaybackContext) async throws {
        guard await isRunning else { return try await launchAndInitiate(item) }
        try await ask("InitiatePlayback", [item.dbusValue], within: deadlines.start) { _ in }
    }

    // MARK: Calls

    func ask<Result: Sendable>(
        _ member: MemberName, _ body: [Value], of other: InterfaceName? = nil, within deadline: Duration? = nil,
        startsService: Bool = false, _ read: (Message) throws -> Result
    ) async throws -> Result {
        let call = MethodCall(
            proxy.service, proxy.path, other ?? HunchNames.playableContent, member, body: body,
            startsService: startsService)
        let reply: Message
        do {
            reply = try await proxy.connection.reply(to: call, timeout: deadline ?? deadlines.reply)
        } catch let error as DBusError {
            throw MediaError(error, app: name, request: member.text)
        }
        do {
            return try read(reply)
        } catch {
            throw MediaError(
                .invalidReply, "\(name) answers \(member) with values that cannot be used: \(error)", underlying: error)
        }
    }
}

extension MediaError {
    /// Whether the app was to choose and leaves that to Hunch.
    fileprivate var leavesTheChoice: Bool { (underlying as? DBusError)?.name == .notSupported }
}
