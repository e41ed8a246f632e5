internal import EventLoops
internal import HunchDBus
internal import HunchModel

/// The last reported properties of a player. Sends no requests.
struct PlayerState: Hashable {
    var identity = ""
    var desktopEntry: String?
    var hasTrackList = false
    /// The process of the browser that this player represents (plasma-browser-integration).
    private(set) var proxiedProcess: UInt32?
    /// The playback status. A private window counts as stopped.
    var status: PlaybackStatus? { isPrivate ? toldStatus.map { _ in .stopped } : toldStatus }
    private var toldStatus: PlaybackStatus?
    private var isPrivate = false
    /// The current item without a position; see ``position(at:)``.
    private(set) var info: NowPlayingInfo?
    private(set) var canPlay = false
    /// Whether it can seek; `nil` before it told.
    private var toldCanSeek: Bool?
    var canSeek: Bool { toldCanSeek ?? false }
    private(set) var canControl = true
    private var clock = PlaybackClock()
    private var clues = StreamClues()
    /// The last item that the player told, its address and its track.
    private var lastItem: ContentItem.ID?
    private var lastURL: String?
    private var lastTrack: String?
    private var toldLength: Int64?

    /// The identifier of the current item.
    var item: ContentItem.ID? { info.flatMap(ItemIdentity.identifier) }

    /// Applies properties of `org.mpris.MediaPlayer2`. Ignores values of wrong types.
    mutating func applyRoot(_ properties: VariantMap) {
        if let text = properties["Identity"].flatMap(MPRISMetadata.text) {
            identity = text.cut(toBytes: MPRISMetadata.textLimit)
        }
        if let text = properties["DesktopEntry"].flatMap(MPRISMetadata.text), text.utf8.count <= 255 {
            let name = text.hasSuffix(".desktop") ? String(text.dropLast(8)) : text
            // Some players send a path. Its last part is the identifier.
            desktopEntry = name.split(separator: "/").last.map(String.init)
        }
        if case .boolean(let value)? = properties["HasTrackList"] { hasTrackList = value }
        if clock.isReckoned, PlayerTraits.tellsNoPosition(identity, desktopEntry) { clock.neverTells = true }
    }

    /// Applies properties of `org.mpris.MediaPlayer2.Player`. Ignores values of wrong types.
    mutating func applyPlayer(_ properties: VariantMap, at now: MonotonicInstant) {
        let wasStopped = status == .stopped || lastItem == nil
        if let word = properties["PlaybackStatus"].flatMap(MPRISMetadata.text) {
            toldStatus = PlaybackStatus(mpris: word) ?? toldStatus
        }
        if let value = properties["Metadata"], let metadata = try? VariantMap(dbusValue: value) {
            take(metadata, at: now)
        }
        if case .boolean(let value)? = properties["CanPlay"] { canPlay = value }
        if case .boolean(let value)? = properties["CanSeek"] { toldCanSeek = value }
        if case .boolean(let value)? = properties["CanControl"] { canControl = value }
        var rate: Double?
        if case .double(let value)? = properties["Rate"], value > 0, value <= 16 { rate = value }
        // A stopped player reports the start, or already the next item. Keep the position where it stopped instead.
        if status == .stopped { clock.stop(at: now) }
        if status != .stopped || wasStopped { followItem(at: now) }
        if status != .stopped {
            clock.run(status == .playing, rate: rate, at: now)
            if let position = properties["Position"].flatMap(MPRISMetadata.integer) {
                clock.claim(position: position, at: now)
            }
        }
        if item == lastItem { info?.length = clock.length }
    }

    private mutating func take(_ metadata: VariantMap, at now: MonotonicInstant) {
        let kind = PlayerKind(names: [identity, desktopEntry].compactMap(\.self))
        let told = MPRISMetadata.info(metadata)
        isPrivate = told.map { PrivateWindow.matches($0, of: kind, identity: identity) } ?? false
        clues.note(told, at: now)
        info = isPrivate ? nil : MPRISMetadata.info(metadata, of: kind, clues: clues)
        toldLength = info?.length
        let process = metadata["kde:pid"].flatMap(MPRISMetadata.integer).flatMap { UInt32(exactly: $0) }
        proxiedProcess = process == 0 ? nil : process
    }

    /// Tells the clock which item is current. A gap in the metadata does not end an item.
    private mutating func followItem(at now: MonotonicInstant) {
        guard let info else { return }
        if item == lastItem {
            clock.claim(length: toldLength)
            if info.trackIdentifier != lastTrack { clock.announceJump(at: now) }
        } else {
            clock.begin(length: toldLength, isOtherFile: info.contentURL != lastURL, at: now)
        }
        (lastItem, lastURL, lastTrack) = (item, info.contentURL, info.trackIdentifier)
    }

    /// Applies the position of a `Seeked` signal, in microseconds.
    mutating func applySeek(_ position: Int64, at now: MonotonicInstant) {
        clock.seek(to: position, at: now)
        info?.length = clock.length
    }

    /// Announces a jump that Hunch asked for.
    mutating func announceJump(at now: MonotonicInstant) { clock.announceJump(at: now) }

    /// Ends playback, because the player left the bus.
    mutating func end(at now: MonotonicInstant) { clock.stop(at: now) }

    /// Returns the believed position in microseconds from the start; `nil` if there is none, or for a live stream.
    func position(at now: MonotonicInstant) -> Int64? { info?.isLive == true ? nil : clock.position(at: now) }

    /// Sets the position of an item, and its source if the player does not report it.
    func locate(_ info: inout NowPlayingInfo?, at now: MonotonicInstant) {
        info?.position = position(at: now)
        guard clock.isReckoned, info?.position != nil else { return }
        info?.positionSource = toldCanSeek == false ? .unreachable : .reckoned
    }
}
