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
    private(set) var status: PlaybackStatus?
    /// The current item without a position; see ``position(at:)``.
    private(set) var info: NowPlayingInfo?
    private(set) var canPlay = false
    private(set) var canSeek = false
    private(set) var canControl = true
    private var rate = 1.0
    private var sample: Sample?

    private struct Sample: Hashable {
        var position: Int64
        var instant: MonotonicInstant
    }

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
    }

    /// Applies properties of `org.mpris.MediaPlayer2.Player`. Ignores values of wrong types.
    mutating func applyPlayer(_ properties: VariantMap, at now: MonotonicInstant) {
        let reckoned = position(at: now)
        let former = item
        if let word = properties["PlaybackStatus"].flatMap(MPRISMetadata.text) {
            status = PlaybackStatus(mpris: word) ?? status
        }
        if let value = properties["Metadata"], let metadata = try? VariantMap(dbusValue: value) {
            info = MPRISMetadata.info(metadata, of: PlayerKind(names: [identity, desktopEntry].compactMap(\.self)))
            let process = metadata["kde:pid"].flatMap(MPRISMetadata.integer).flatMap { UInt32(exactly: $0) }
            proxiedProcess = process == 0 ? nil : process
        }
        if case .boolean(let value)? = properties["CanPlay"] { canPlay = value }
        if case .boolean(let value)? = properties["CanSeek"] { canSeek = value }
        if case .boolean(let value)? = properties["CanControl"] { canControl = value }
        if case .double(let value)? = properties["Rate"], value > 0, value <= 16 { rate = value }
        // A stopped player reports the start. Keep the position where it stopped instead.
        if status == .stopped {
            sample = reckoned.map { Sample(position: $0, instant: now) }
        } else if let newPosition = properties["Position"].flatMap(MPRISMetadata.integer), newPosition >= 0 {
            sample = Sample(position: newPosition, instant: now)
        } else if let item, item != former {
            sample = Sample(position: 0, instant: now)
        } else {
            sample = reckoned.map { Sample(position: $0, instant: now) }
        }
    }

    /// Applies the position of a `Seeked` signal, in microseconds.
    mutating func applySeek(_ position: Int64, at now: MonotonicInstant) {
        if position >= 0 { sample = Sample(position: position, instant: now) }
    }

    /// Returns the estimated position in microseconds from the start; `nil` if never reported, or for a live stream.
    func position(at now: MonotonicInstant) -> Int64? {
        guard let sample, info?.isLive != true else { return nil }
        var position = Double(sample.position)
        if status == .playing {
            position += sample.instant.duration(to: now) / .microseconds(1) * rate
        }
        return Int64(clamping: min(position, info?.length.map(Double.init) ?? .infinity), .towardZero)
    }
}
