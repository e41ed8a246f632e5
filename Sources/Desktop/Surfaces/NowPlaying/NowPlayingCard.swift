public import EventLoops
public import HunchDBus
public import HunchModel

/// Shows a suggestion to play something as a paused media player, for media widgets, lock screens and media keys.
///
/// The card never plays. A press is delivered as an event, upon which the caller has the app play and withdraws the
/// card. The caller must show the card only while no other player plays or is paused.
///
/// Source: MPRIS D-Bus Interface Specification 2.2.
public actor NowPlayingCard: LoopActor {
    /// The object path of every player.
    static let path: ObjectPath = "/org/mpris/MediaPlayer2"
    /// The subject of the card, for the object server's `Sight`. A caller without access to it cannot read, observe or
    /// press the card. App identifiers never start with a slash.
    public static let subject = path.text
    static let player: InterfaceName = "org.mpris.MediaPlayer2.Player"

    let server: ObjectServer
    private let bus: Connection
    private let name: BusName
    private let fallbackArtwork: String?
    private let application: @Sendable (BusName) async -> AppID?
    private let now: @Sendable () -> MonotonicInstant
    private(set) var current: Shown?
    private var ownsName = false
    private let turns = Turns()
    private var readers: [Int: AsyncStream<CardEvent>.Continuation] = [:]
    private var nextReader = 0

    /// The content of the card.
    struct Shown {
        let suggestion: Suggestion.ID
        var metadata: VariantMap
        /// The position at which playback would resume, in microseconds.
        var position: Int64
        var press: CardPress
        var isStarting = false
    }

    /// The loop that executes the actor.
    public nonisolated var loop: EventLoop { bus.loop }

    /// Creates a card that is not on the bus yet.
    ///
    /// - Parameters:
    ///   - bus: the session bus.
    ///   - server: this program's objects on that bus. Its `Sight` decides which programs see ``subject``.
    ///   - name: the player's bus name, below `org.mpris.MediaPlayer2`.
    ///   - fallbackArtwork: the `file:` URI of the picture for items without one; `nil` for no picture.
    ///   - application: returns the app behind a unique name, to verify a shell's process.
    ///   - now: the clock.
    public init(
        on bus: Connection, server: ObjectServer, name: BusName, fallbackArtwork: String? = nil,
        application: @escaping @Sendable (BusName) async -> AppID? = { _ in nil },
        now: @escaping @Sendable () -> MonotonicInstant = { .now }
    ) {
        self.bus = bus
        self.server = server
        self.name = name
        self.fallbackArtwork = fallbackArtwork
        self.application = application
        self.now = now
    }

    /// Returns a stream of the user's actions from now on. It ends when the reader ends.
    public func events() -> AsyncStream<CardEvent> {
        let (stream, continuation) = AsyncStream<CardEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        nextReader += 1
        let reader = nextReader
        readers[reader] = continuation
        continuation.onTermination = { [weak self] _ in self?.execute { $0.readers[reader] = nil } }
        return stream
    }

    /// The suggestion on the card.
    public var shownSuggestion: Suggestion.ID? { current?.suggestion }

    // MARK: Showing

    /// Shows a suggestion instead of the previous one. Calls wait for each other.
    ///
    /// - Parameter keysCountFrom: the instant from which a key counts. Connecting devices send keys by themselves.
    /// - Throws: ``DBusError`` if the bus refuses. The card is then not on the bus.
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
            // Export before requesting the name: widgets read the properties once, as soon as the name appears.
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

    /// Updates the suggestion on the card. Does nothing if the card shows another one.
    ///
    /// - Throws: ``DBusError`` if the bus refuses.
    public func change(_ suggestion: Suggestion) async throws {
        await turns.begin()
        defer { turns.end() }
        guard case .play(_, let info, _) = suggestion.action, current?.suggestion == suggestion.id else { return }
        current?.metadata = CardMetadata.values(info, of: suggestion, fallbackArtwork: fallbackArtwork)
        current?.position = info.position ?? 0
        try await server.propertiesChanged(Self.path, Self.player, ["Metadata"])
    }

    /// Sets the instant from which keys count, for example after a device reconnected.
    public func holdKeys(until instant: MonotonicInstant) { current?.press.keysCountFrom = instant }

    /// Records that the suggestion is about to play, so that Pause and Stop cancel it.
    public func noteStarting(_ suggestion: Suggestion.ID) {
        if current?.suggestion == suggestion { current?.isStarting = true }
    }

    /// Records that the suggestion failed to start, so that Play works again.
    public func noteFailure(_ suggestion: Suggestion.ID) {
        if current?.suggestion == suggestion { current?.isStarting = false }
    }

    /// Removes the card if it shows this suggestion.
    public func withdraw(_ suggestion: Suggestion.ID) async {
        await turns.begin()
        defer { turns.end() }
        if current?.suggestion == suggestion { await remove() }
    }

    /// Removes the card, whichever suggestion it shows.
    public func withdraw() async {
        await turns.begin()
        defer { turns.end() }
        await remove()
    }

    /// Removes the card from the bus. If the bus refuses, its connection has ended, and the card with it.
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
        // The card may show another suggestion by now, which was not pressed.
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
        if let shown = current { tell(.closed(shown.suggestion)) }
    }

    /// Returns the shell behind a connection. It must own the shell's bus name and be the shell's process, because any
    /// program may own the name if the shell does not run.
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
