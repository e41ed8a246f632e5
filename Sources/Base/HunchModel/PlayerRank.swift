internal import Localization

/// The reason for a player's rank among the running players.
public enum PlayerRank: Hashable, Sendable {
    /// The player is playing.
    case plays
    /// The user last started, resumed or paused it this long ago.
    case used(ago: Duration)
    /// The probability that it is played on the device in use among the present players, 0…1, and the latest recorded
    /// plays on that device: of its app, and of all apps. `nil` if nothing was played there.
    case usual(Double, plays: Explanation.Share? = nil)
    /// The player is paused and could resume.
    case paused
    /// The player is stopped, or holds nothing.
    case stopped
    /// A browser that plays nothing.
    case idleBrowser
    /// The player says that it plays, but makes no sound or does not advance.
    case soundless
    /// The player controls playback on another device.
    case remote
    /// The player did not answer the last request.
    case silent

    /// Returns the reason as one clause for a user, in their language.
    ///
    /// - Parameter device: the name of the device in use.
    public func words(device: String) -> String {
        switch self {
        case .plays: localized("it plays")
        case .used(let ago): Self.words(ago)
        case .usual(_, let plays?) where plays.count > 0: Self.words(plays, device)
        case .usual: localized("you listened with it before")
        case .paused: localized("it is paused")
        case .stopped: localized("it is stopped")
        case .idleBrowser: localized("it is a browser that plays nothing")
        case .soundless: localized("it says that it plays, but no sound comes from it")
        case .remote: localized("it plays on another device")
        case .silent: localized("it does not answer")
        }
    }

    private static func words(_ plays: Explanation.Share, _ device: String) -> String {
        switch (plays.count, plays.total) {
        case (_, 1): localized("you listened with it the last time on %1", device)
        case let (count, total) where count == total:
            localizedPlural(
                "you listened with it all %1 time on %2", "you listened with it all %1 times on %2", total, device)
        case let (count, total):
            localizedPlural(
                "you listened with it %3 of %1 time on %2", "you listened with it %3 of %1 times on %2", total, device,
                count)
        }
    }

    private static func words(_ ago: Duration) -> String {
        let minutes = ago.components.seconds / 60
        return switch minutes {
        case ..<1: localized("you used it just now")
        case 1: localized("you used it a minute ago")
        case ..<120: localizedPlural("you used it %1 minute ago", "you used it %1 minutes ago", Int(clamping: minutes))
        case ..<2_880:
            localizedPlural("you used it %1 hour ago", "you used it %1 hours ago", Int(clamping: minutes / 60))
        default: localizedPlural("you used it %1 day ago", "you used it %1 days ago", Int(clamping: minutes / 1_440))
        }
    }
}
