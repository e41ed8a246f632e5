public import HunchModel
internal import Localization

/// The playable content of an app, with the delegate that prepares and starts it.
public protocol PlayableContent: PlayableContentDataSource, PlayableContentDelegate {
    /// Whether the app is running.
    var isRunning: Bool { get async }
}

/// Returns the remembered now-playing info of an app's item, with the resume point in ``NowPlayingInfo/position``.
///
/// If `item` is `nil`, returns the item that the app played last in this context. Returns `nil` if nothing is known.
public typealias RememberedPlayback =
    @Sendable (_ item: ContentItem.ID?, _ context: PlaybackContext) async -> NowPlayingInfo?

/// Launches an app by its desktop identifier, optionally with a URI to open. Only called after a user chose Play.
///
/// Throws if the app cannot be launched.
public typealias AppLaunch = @Sendable (_ desktopID: AppID, _ uri: String?) async throws -> Void

/// A media app, controlled either through its MPRIS player or through its playable content interface, which can be launched.
package protocol LaunchableContent: PlayableContent {
    /// The desktop identifier, without `.desktop`.
    var application: AppID { get }
    /// The app's display name.
    var name: String { get }
    var launch: AppLaunch { get }
}

extension LaunchableContent {
    /// Launches the app, with an address to open if there is one.
    ///
    /// - Throws: ``MediaError`` with the code `launchFailed`; `CancellationError`.
    package func launchApp(_ uri: String? = nil) async throws {
        do {
            try await launch(application, uri)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw MediaError(
                .launchFailed, localized("%1 could not be launched: %2", name, "\(error)"), underlying: error)
        }
    }
}
