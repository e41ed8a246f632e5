internal import HunchDBus
internal import HunchModel

/// What a player told, as one value: properties go in, nothing is asked.
struct PlayerState: Hashable {
    var identity = ""
    var desktopEntry: String?
    var hasTrackList = false
    /// The browser whose player it stands for, as plasma-browser-integration tells it: a process number.
    private(set) var proxiedProcess: UInt32?
    private(set) var status: PlaybackStatus?
    /// Without a position; see ``position(at:)``.
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

    /// The identifier of what plays or would play.
    var item: ContentItem.ID? { info.flatMap(ItemIdentity.identifier) }

    /// Takes properties of `org.mpris.MediaPlayer2`; those of wrong types are left out.
    mutating func applyRoot(_ properties: VariantMap) {
        if let text = properties["Identity"].flatMap(MPRISMetadata.text) {
            identity = text.cut(toBytes: MPRISMetadata.textLimit)
        }
        if let text = properties["DesktopEntry"].flatMap(MPRISMetadata.text), text.utf8.count <= 255 {
            let name = text.hasSuffix(".desktop") ? String(text.dropLast(8)) : text
            // Some send a path; the identifier is the file's name.
            desktopEntry = name.split(separator: "/").last.map(String.init)
        }
        if case .boolean(let value)? = properties["HasTrackList"] { hasTrackList = value }
    }

    /// Takes properties of `org.mpris.MediaPlayer2.Player`; those of wrong types are left out.
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
        // Where a stopped player stood is worth more than where it says that it stands, which is the start.
        if status == .stopped {
            sample = reckoned.map { Sample(position: $0, instant: now) }
        } else if let told = properties["Position"].flatMap(MPRISMetadata.integer), told >= 0 {
            sample = Sample(position: told, instant: now)
        } else if let item, item != former {
            sample = Sample(position: 0, instant: now)
        } else {
            sample = reckoned.map { Sample(position: $0, instant: now) }
        }
    }

    /// Takes the position of a `Seeked` signal, in microseconds.
    mutating func applySeek(_ position: Int64, at now: MonotonicInstant) {
        if position >= 0 { sample = Sample(position: position, instant: now) }
    }

    /// Where playback should stand, in microseconds from the start; `nil` when never told, and of a live stream.
    func position(at now: MonotonicInstant) -> Int64? {
        guard let sample, info?.isLive != true else { return nil }
        var position = Double(sample.position)
        if status == .playing {
            position += sample.instant.duration(to: now) / .microseconds(1) * rate
        }
        return Int64(clamping: min(position, info?.length.map(Double.init) ?? .infinity), .towardZero)
    }
}
