public import HunchDBus
public import HunchModel

/// A suggestion to play something as a paused media player, which media widgets, lock screens and media keys show and
/// start like any other.
///
/// It never plays: a press is told as an event, and whoever acts on it has the app play and then withdraws the card. It
/// belongs on the bus only while no other player plays or is paused; its user sees to that.
///
/// Source: MPRIS D-Bus Interface Specification 2.2.
public actor NowPlayingCard {
    /// The object that every player has.
    static let path: ObjectPath = "/org/mpris/MediaPlayer2"
    /// The subject of the card, for the server's `Sight`. A caller that may not see it learns neither its content nor its
    /// changes, and cannot press it. No app's identifier begins with a slash.
    public static let subject = path.text
    static let player: InterfaceName = "org.mpris.MediaPlayer2.Player"

    let server: ObjectServer
    private let bus: Connection
    private let name: BusName
    private let fallbackArtwork: String?
    private let application: @Sendable (BusName) async -> String?
    private let now: @Sendable () -> MonotonicInstant
    private(set) var current: Shown?
    private var ownsName = false
    private let turns = Turns()
    private var readers: [Int: AsyncStream<CardEvent>.Continuation] = [:]
    private var nextReader = 0

    /// What is on the card.
    struct Shown {
        let suggestion: Suggestion.ID
        var metadata: VariantMap
        /// Where playback would go on, in microseconds.
        var position: Int64
        var press: CardPress
        var isStarting = false
    }

    /// The loop's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { bus.unownedExecutor }

    /// Makes a card that is not there yet.
    ///
    /// - Parameters:
    ///   - bus: the session bus.
    ///   - server: the objects of this program on that bus; its `Sight` says who sees ``subject``.
    ///   - name: the player's name on the bus, below `org.mpris.MediaPlayer2`.
    ///   - fallbackArtwork: `file:` URI of what is shown of an item without a picture; `nil` shows nothing.
    ///   - application: finds out the app behind a unique name, which tells a shell's own process from others.
    ///   - now: the clock.
    public init(
        on bus: Connection, server: ObjectServer, name: BusName, fallbackArtwork: String? = nil,
        application: @escaping @Sendable (BusName) async -> String? = { _ in nil },
        now: @escaping @Sendable () -> MonotonicInstant = { .now }
    ) {
        self.bus = bus
        self.server = server
        self.name = name
        self.fallbackArtwork = fallbackArtwork
        self.application = application
        self.now = now
    }

    /// What the person does with the card from now on. Ends when the reader ends.
    public func events() -> AsyncStream<CardEvent> {
        let (stream, continuation) = AsyncStream<CardEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        nextReader += 1
        let reader = nextReader
        readers[reader] = continuation
        continuation.onTermination = { [weak self, bus] _ in
            bus.loop.execute { [weak self] in self?.assumeIsolated { $0.readers[reader] = nil } }
        }
        return stream
    }

    /// The suggestion on the card.
    public var shownSuggestion: Suggestion.ID? { current?.suggestion }

    // MARK: Showing

    /// Shows a suggestion, in place of the one before. Calls wait for each other.
    ///
    /// - Parameter keysCountFrom: when a key counts as the person's; devices send keys by themselves as they connect.
    /// - Throws: ``DBusError`` when the bus refuses; the card is then not there.
    public func present(_ suggestion: Suggestion, keysCountFrom: MonotonicInstant) async throws -> CardResult {
        await turns.begin()
        defer { turns.end() }
        guard case .play(_, let info, _) = suggestion.action else { return .notMedia }
        current = Shown(
            suggestion: suggestion.id,
            metadata: CardMetadata.values(info, of: suggestion, fallbackArtwork: fallbackArtwork),
            position: info.position ?? 0, press: CardPress(keysCountFrom: keysCountFrom))
        do {
            if ownsName {
                try await server.propertiesChanged(Self.path, Self.player, ["Metadata"])
                return .shown
            }
            // Final before the name is there: widgets read it once and believe it.
            try await server.export(Self.path, interfaces(), about: Self.subject)
            ownsName = try await bus.requestName(name) == .owner
            if ownsName { return .shown }
            await remove()
            return .nameTaken
        } catch {
            await remove()
            throw error
        }
    }

    /// Changes what the card says of the suggestion that is on it; does nothing for another one.
    ///
    /// - Throws: ``DBusError`` when the bus refuses.
    public func change(_ suggestion: Suggestion) async throws {
        await turns.begin()
        defer { turns.end() }
        guard case .play(_, let info, _) = suggestion.action, current?.suggestion == suggestion.id else { return }
        current?.metadata = CardMetadata.values(info, of: suggestion, fallbackArtwork: fallbackArtwork)
        current?.position = info.position ?? 0
        try await server.propertiesChanged(Self.path, Self.player, ["Metadata"])
    }

    /// Says from when on keys count, as after a device was away for a moment.
    public func holdKeys(until instant: MonotonicInstant) { current?.press.keysCountFrom = instant }

    /// Says that what the card offers is about to play, so that Pause and Stop take it back.
    public func noteStarting(_ suggestion: Suggestion.ID) {
        if current?.suggestion == suggestion { current?.isStarting = true }
    }

    /// Says that what the card offers did not begin, so that Play may be pressed again.
    public func noteFailure(_ suggestion: Suggestion.ID) {
        if current?.suggestion == suggestion { current?.isStarting = false }
    }

    /// Takes a suggestion off the card; does nothing when it is not on it.
    public func withdraw(_ suggestion: Suggestion.ID) async {
        await turns.begin()
        defer { turns.end() }
        if current?.suggestion == suggestion { await remove() }
    }

    /// Takes the card away, whatever is on it.
    public func withdraw() async {
        await turns.begin()
        defer { turns.end() }
        await remove()
    }

    /// A bus that refuses is gone, and the card with it.
    private func remove() async {
        current = nil
        if ownsName { try? await bus.releaseName(name) }
        ownsName = false
        try? await server.unexport(Self.path)
    }

    // MARK: Presses

    func press(_ request: CardPress.Request, by sender: BusName) async {
        let pressed = current?.suggestion
        let origin = CardPress.Origin(request, by: await shell(sender))
        // Another one may have come on the card meanwhile, which nobody pressed.
        guard let shown = current, shown.suggestion == pressed else { return }
        switch current?.press.meaning(of: request, from: origin, isStarting: shown.isStarting, at: now()) {
        case .play?:
            current?.isStarting = true
            tell(.pressed(shown.suggestion))
        case .cancel?: tell(.cancelled(shown.suggestion))
        case .nothing?, nil: break
        }
    }

    func quit() {
        if let shown = current { tell(.dismissed(shown.suggestion)) }
    }

    /// The shell that a connection is: it owns the shell's name, which anybody may own where there is no such shell, and
    /// is the shell's process.
    private func shell(_ sender: BusName) async -> CardPress.Shell? {
        for shell in CardPress.Shell.allCases where (try? await bus.owner(of: shell.name)) == sender {
            if let application = await application(sender), shell.applications.contains(application) { return shell }
        }
        return nil
    }

    private func tell(_ event: CardEvent) {
        for reader in readers.values { reader.yield(event) }
    }
}
