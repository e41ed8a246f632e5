internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Triggers

/// The players that are followed, by the unique names of their connections.
typealias PlayerTable = [BusName: FollowedPlayer]

extension PlayerTable {
    /// Returns all players that represent themselves, those of other devices included.
    ///
    /// - Parameter streams: the audio server's streams; `nil` if it does not report them.
    func snapshots(at now: MonotonicInstant, among streams: [AudioStream]?) -> [MPRISPlayer] {
        filter { !isRepresented($1) }.map { $1.snapshot($0, at: now, among: streams) }
    }

    /// Whether the player is reported: it plays on this computer, and no other player represents it.
    func isReported(_ player: FollowedPlayer) -> Bool { !player.isRemote && !isRepresented(player) }

    /// The browser processes that another player represents.
    private var proxiedProcesses: Set<UInt32> { Set(values.compactMap(\.state.proxiedProcess)) }

    private func isRepresented(_ player: FollowedPlayer) -> Bool {
        player.twin != nil || player.isProxied(by: proxiedProcesses)
    }

    // MARK: Twins

    /// Finds the players that show the same playback as another one of their app. Chromium adds a player of its own to
    /// each program that is built on it.
    ///
    /// A pair stays together while both are there, because the two do not change at the same moment.
    ///
    /// - Returns: the players whose representation changed.
    mutating func pair(_ owner: BusName) -> [BusName] {
        guard let player = self[owner], player.twin == nil else { return [] }
        for (other, candidate) in self where candidate.twin == nil && player.isTwin(of: candidate) {
            let hidden = player.isNamedByEngine ? owner : other
            self[hidden]?.twin = player.isNamedByEngine ? other : owner
            return [hidden]
        }
        return []
    }

    /// Forgets a player that left.
    ///
    /// - Returns: the players that it represented.
    mutating func unpair(_ owner: BusName) -> [BusName] {
        let twins = filter { $1.twin == owner }.map(\.key)
        for twin in twins { self[twin]?.twin = nil }
        return twins
    }
}

extension FollowedPlayer {
    /// Whether the player has a name from a browser engine (`chromium.instance42`), which apps on that engine have too.
    fileprivate var isNamedByEngine: Bool { names.contains(where: MPRISPlayer.isOfEngine) }

    /// Returns whether both players show the same playback of one app, and only one has a name that the app chose.
    fileprivate func isTwin(of other: FollowedPlayer) -> Bool {
        guard isNamedByEngine != other.isNamedByEngine else { return false }
        let isSameProcess = isRelated(to: other)
        guard isSameProcess || application != nil && application == other.application else { return false }
        guard let info = state.info, let shown = other.state.info else { return false }
        if let url = info.contentURL, let shownURL = shown.contentURL, ItemIdentity.areSame(url, shownURL) {
            return true
        }
        let (title, shownTitle) = (info.title.lowercased(), shown.title.lowercased())
        if title == shownTitle { return !title.isEmpty }
        // A page's title often has the artist or the service next to the title.
        let (short, long) = title.count < shownTitle.count ? (title, shownTitle) : (shownTitle, title)
        return isSameProcess && short.count >= 3 && long.contains(short)
    }

    private func isRelated(to other: FollowedPlayer) -> Bool {
        guard let process = processes?.first, let another = other.processes?.first else { return false }
        return processes?.contains(another) == true || other.processes?.contains(process) == true
    }
}
