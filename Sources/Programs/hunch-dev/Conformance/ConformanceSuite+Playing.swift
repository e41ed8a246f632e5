import CommandSupport
import AgentInterface
import HunchDBus
import HunchModel

extension ConformanceSuite {
    private static let mpris: ObjectPath = "/org/mpris/MediaPlayer2"

    private func prepare(
        _ items: [ContentItem.ID], context: PlaybackContext = PlaybackContext()
    ) async throws -> NowPlayingInfo {
        let reply = try await ask("InitializePlaybackQueue", items, context.transfer)
        return try NowPlayingInfo(transfer: reply.arguments(VariantMap.self), isChoice: items.isEmpty)
    }

    private func somethingPlayable() throws -> ContentItem {
        guard let item = playable.first(where: { $0.id == wanted }) ?? playable.first else {
            throw Unchecked("there is nothing that can be played")
        }
        return item
    }

    func checkPreparing() async throws {
        let item = try somethingPlayable()
        let headphones = AudioDevice(id: "", name: "", kind: .headphones, transport: .bluetooth)
        let info = try await prepare([item.id], context: PlaybackContext(device: headphones))
        if let told = info.item, told != item.id { throw Unmet("asked for “\(item.id)” it prepares “\(told)”") }
    }

    func checkChoice() async throws {
        let info: NowPlayingInfo
        do {
            info = try await prepare([])
        } catch let error as DBusError where error.name == .notSupported {
            // Then Hunch chooses.
            return
        }
        guard let item = info.item else { return }
        guard try await !ask("ContentItem", item, VariantMap()).arguments(VariantMap.self).isEmpty else {
            throw Unmet("it chooses “\(item)”, which ContentItem knows not")
        }
    }

    func checkRepeatedPreparing() async throws {
        let item = try somethingPlayable()
        let (bus, service, path) = (bus, service, path)
        let body = [[item.id].dbusValue, PlaybackContext().transfer.dbusValue]
        let titles = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let call = MethodCall(
                        service, path, HunchNames.playableContent, "InitializePlaybackQueue", body: body,
                        startsService: false)
                    let reply = try await bus.reply(to: call, timeout: Self.replyTime)
                    return try NowPlayingInfo(transfer: reply.arguments(VariantMap.self)).title
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        guard titles.count == 1 else { throw Unmet("it reports \(titles.sorted())") }
    }

    func checkUnknownPreparing() async throws {
        try await requireRefusal(of: "the item “\(Self.unknown)”") {
            try await ask("InitializePlaybackQueue", [Self.unknown], PlaybackContext().transfer)
        }
    }

    /// Returns whether the app plays, as it or its MPRIS player reports; `nil` if neither does.
    private func isPlaying() async throws -> Bool? {
        if let playing = try await nowPlaying(), !playing.isEmpty { return true }
        guard let owner = try await bus.owner(of: service) else { return nil }
        let call = MethodCall(
            owner, Self.mpris, .properties, "Get",
            body: ["org.mpris.MediaPlayer2.Player".dbusValue, "PlaybackStatus".dbusValue], startsService: false)
        if let reply = try? await bus.reply(to: call, timeout: Self.replyTime),
            let status = try? String(dbusValue: reply.arguments(Value.self))
        {
            return status == "Playing"
        }
        return try await nowPlaying().map { !$0.isEmpty }
    }

    func checkSilence() async throws {
        guard let isPlaying = try await isPlaying() else {
            throw Unchecked("neither NowPlayingIds nor an MPRIS player reports what plays")
        }
        if isPlaying { throw Unmet("something plays") }
    }

    func checkContext() async throws {
        let car = AudioDevice(id: "", name: "", kind: .car, transport: .bluetooth)
        for context in [PlayableContentContext(device: car), PlayableContentContext()] {
            try await requireAnswer { try await ask("UpdateContext", context.transfer) }
        }
    }

    func checkLimits() async throws {
        let many = [String](repeating: Self.unknown, count: ContentPage.limit + 1)
        let long = String(repeating: "x", count: ContentItem.identifierLimit + 1)
        let context = PlaybackContext().transfer
        try await requireAnswer { try await ask("InitializePlaybackQueue", many, context) }
        for identifier in [long, ""] {
            try await requireAnswer { try await ask("ContentItem", identifier, VariantMap()) }
            try await requireAnswer { try await ask("InitializePlaybackQueue", [identifier], context) }
        }
        try await requireAnswer { try await ask("ChildItems", "", UInt32.max, UInt32.max, VariantMap()) }
    }

    func checkWrongTypes() async throws {
        try await requireRefusal(of: "InitializePlaybackQueue with a number") {
            try await ask("InitializePlaybackQueue", UInt32(41))
        }
        try await requireRefusal(of: "ChildItems without arguments") { try await ask("ChildItems") }
    }

    func checkPlaying() async throws {
        guard let wanted else { throw Unchecked("nothing is played unless you name an item with --play") }
        _ = try await send(
            "InitiatePlayback", [wanted.dbusValue, VariantMap().dbusValue], of: HunchNames.playableContent,
            within: Self.playTime)
        guard let playing = try await nowPlaying() else {
            guard try await isPlaying() == true else { throw Unmet("nothing reports that it plays") }
            return
        }
        guard playing.first == wanted else { throw Unmet("NowPlayingIds is \(playing)") }
    }

    func checkUnknownPlaying() async throws {
        guard wanted != nil else { throw Unchecked("nothing is played unless you name an item with --play") }
        try await requireRefusal(of: "to play “\(Self.unknown)”") {
            try await ask("InitiatePlayback", Self.unknown, VariantMap())
        }
    }
}
