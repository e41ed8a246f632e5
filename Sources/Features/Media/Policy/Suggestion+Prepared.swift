internal import Players
package import FoundationEssentials
package import HunchModel
internal import Localization

extension Suggestion {
    /// Creates the suggestion for an item that an app prepared, without pictures.
    package init(
        ofPrepared info: NowPlayingInfo, by app: (id: AppID, name: String), _ candidate: MediaCandidate,
        _ playback: PlaybackContext, id: Suggestion.ID, in context: Context, until expiry: Date
    ) {
        let item = info.item ?? candidate.item ?? ItemIdentity.identifier(of: info) ?? ""
        self.init(
            id: id, title: MediaWording.title(info), subtitle: MediaWording.subtitle(info, app: app.name),
            application: app.id, applicationName: app.name, source: localizedIn("app", "From %1", app.name),
            score: candidate.score,
            explanation: candidate.explanation(of: item), context: context, expiry: expiry,
            action: .play(item: item, info: info, context: playback))
    }
}
