public import Players
internal import AgentInterface
public import HunchDBus
public import HunchModel
internal import Localization

/// The playable content of an app that implements the PlayableContent1 interface on the session bus.
///
/// Only a running app is asked to prepare. For an app that is not running, remembered items are used. Answers that
/// break the interface's documented types or limits are errors.
public struct BusPlayableContent: LaunchableContent {
    package let application: AppID
    package let name: String
    let proxy: Proxy
    let deadlines: MediaDeadlines
    let remembered: RememberedPlayback
    package let launch: AppLaunch

    /// Creates the content of one app. Sends nothing.
    ///
    /// - Parameters:
    ///   - application: The desktop identifier, without `.desktop`.
    ///   - name: The app's display name.
    ///   - service: The bus name of the app: its desktop identifier, if the app is D-Bus activatable.
    ///   - path: The object path; `nil` for that of `org.freedesktop.Application`: the bus name with slashes for dots
    ///     and underscores for hyphens.
    ///   - remembered: Returns the remembered now-playing info of the app's items.
    ///   - launch: Launches the app if the bus cannot.
    /// - Throws: `DBusError` if the bus name cannot be converted to a path.
    public init(
        application: AppID, name: String, bus: Connection, service: BusName, path: ObjectPath? = nil,
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

    /// Returns a page of children. A `limit` above 1,000 is lowered to 1,000.
    ///
    /// - Throws: ``MediaError``: `notRunning`, `noReply`, `refused`, `invalidReply`. The methods below throw the same.
    public func childItems(of parent: ContentItem.ID?, offset: Int, limit: Int) async throws -> [ContentItem] {
        let limit = min(limit, ContentPage.limit)
        guard limit > 0, let offset = UInt32(exactly: offset) else { return [] }
        let arguments = [(parent ?? "").dbusValue, offset.dbusValue, UInt32(limit).dbusValue, Self.noOptions]
        return try await ask("ChildItems", arguments) { reply in
            try ContentPage.items(reply.arguments([ContentPage.Entry].self), limit: limit)
        }
    }

    /// Returns the item; `nil` if the app answers with an empty dictionary.
    public func contentItem(_ identifier: ContentItem.ID) async throws -> ContentItem? {
        try await ask("ContentItem", [identifier.dbusValue, Self.noOptions]) { reply in
            let map = try reply.arguments(VariantMap.self)
            return map.isEmpty ? nil : try ContentItem(id: identifier, transfer: map)
        }
    }

    /// Tells the app that the children of an item, or of the root, will be requested soon.
    public func beginLoadingChildItems(of parent: ContentItem.ID?) async throws {
        try await ask("BeginLoadingChildItems", [(parent ?? "").dbusValue, Self.noOptions]) { _ in }
    }

    /// The items that are playing.
    public var nowPlayingIdentifiers: [ContentItem.ID] {
        get async throws {
            let arguments = [HunchNames.playableContent.text.dbusValue, "NowPlayingIds".dbusValue]
            return try await ask("Get", arguments, of: .properties) { reply in
                let identifiers = try [String](dbusValue: reply.arguments(Value.self))
                try ContentItem.check(identifiers: identifiers)
                return identifiers
            }
        }
    }

    // MARK: Delegate

    /// Asks a running app to prepare within the deadline. Returns remembered info if the app is not running.
    ///
    /// - Throws: ``MediaError`` as above, and `nothingToPlay` if the app is not running and nothing is remembered.
    public func initializePlaybackQueue(
        _ items: [ContentItem.ID], context: PlaybackContext
    ) async throws -> NowPlayingInfo {
        guard await isRunning else {
            if let info = await remembered(items.first, context) { return info }
            throw MediaError(
                .nothingToPlay, localized("%1 is not running, and Hunch remembers nothing that it could play", name))
        }
        guard items.isEmpty else { return try await prepare(items, context) }
        do {
            return try await prepare([], context)
        } catch let error as MediaError where error.leavesTheChoice {
            guard let item = try await firstOffer(within: context.content) else {
                throw MediaError(
                    .nothingToPlay, localized("%1 leaves the choice to Hunch and has nothing to play", name))
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

    /// Tells a running app that its content is used elsewhere or under other limits than before.
    public func contextChanged(to context: PlayableContentContext) async throws {
        try await ask("UpdateContext", [context.transfer.dbusValue]) { _ in }
    }

    /// Asks the app to play, launching it if necessary.
    ///
    /// - Throws: ``MediaError`` as above, and `launchFailed`.
    public func initiatePlayback(of item: ContentItem.ID, context: PlaybackContext) async throws {
        guard await isRunning else { return try await launchAndInitiate(item) }
        try await ask("InitiatePlayback", [item.dbusValue, Self.noOptions], within: deadlines.start) { _ in }
    }

    // MARK: Calls

    /// The last argument of the methods that have no options yet.
    static let noOptions = VariantMap().dbusValue

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
                .invalidReply, localized("%1 sent an invalid answer to %2: %3", name, member.text, "\(error)"),
                underlying: error)
        }
    }
}

extension MediaError {
    /// Whether the app declined to choose an item itself, so that Hunch must.
    fileprivate var leavesTheChoice: Bool { (underlying as? DBusError)?.name == .notSupported }
}
