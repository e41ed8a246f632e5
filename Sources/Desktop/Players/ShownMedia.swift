public import HunchModel
internal import Synchronization

/// The audio and video that apps show on the screen, which completes what their media players say.
///
/// A browser's player has the title of the page and no cover, or the browser's own icon, if the page itself names neither.
public final class ShownMedia: Sendable {
    private let activities = Mutex<[AppID: [Activity]]>([:])

    /// Creates an empty collection.
    public init() {}

    /// Replaces all activities.
    ///
    /// - Parameter activities: those with ``HunchModel/Activity/media``, the most recently shown of each app first.
    public func set(_ activities: [AppID: [Activity]]) { self.activities.withLock { $0 = activities } }

    /// Returns an item with what its app shows about it. Its identifier stays the same.
    public func completed(_ info: NowPlayingInfo, of application: AppID) -> NowPlayingInfo {
        let shown = activities.withLock { $0[application] ?? [] }
        return shown.lazy.compactMap { info.completed(by: $0) }.first ?? info
    }
}

extension NowPlayingInfo {
    /// Returns the item with what an activity says about it; `nil` if the activity is not about it.
    func completed(by activity: Activity) -> NowPlayingInfo? {
        guard let media = activity.media, !isLive else { return nil }
        let page = activity.webPageURL
        if let contentURL, let page, !WebAddress.mayBeSamePage(contentURL, page) { return nil }
        // A browser calls a page without a title by its address.
        let isNamedByPage =
            title == activity.title || title == page?.split(separator: "://", maxSplits: 1).last.map(String.init)
        guard isNamedByPage || title == media.title || contentURL != nil && contentURL == page else { return nil }
        var completed = self
        completed.item = ItemIdentity.identifier(of: self)
        // If the page describes its media, the browser has at least the artist from there, and the cover.
        if isNamedByPage, artists.isEmpty, album == nil {
            completed.title = media.title
            completed.artworkURL = media.artworkURL ?? artworkURL
        }
        if isNamedByPage || title == media.title {
            completed.artists = artists.isEmpty ? media.artists : artists
            completed.album = album ?? media.album
        }
        completed.artworkURL = completed.artworkURL ?? media.artworkURL
        return completed
    }
}
