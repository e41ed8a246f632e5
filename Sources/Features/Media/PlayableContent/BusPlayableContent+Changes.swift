internal import AgentInterface
internal import HunchDBus
public import HunchModel

/// A change of an app's playable content.
public enum PlayableContentChange: Hashable, Sendable {
    /// The children of these items changed, or those of the root (“”); `nil` if those of any item may have changed.
    case content([ContentItem.ID]?)
    /// Many changes follow. Until they end, reads may be incomplete.
    case updatesBegan
    /// The content is complete again.
    case updatesEnded
}

extension BusPlayableContent {
    /// Returns the app's content changes while the stream is held. If more than eight wait unread, the rest is replaced
    /// with `.content(nil)`, which may also stand for `.updatesEnded`.
    ///
    /// - Throws: `DBusError` if the bus refuses or is gone.
    public func changes() async throws -> some AsyncSequence<PlayableContentChange, Never> & Sendable {
        let rule = MatchRule(sender: proxy.service, path: proxy.path, interface: HunchNames.playableContent)
        return try await proxy.connection.signals([rule], capacity: 8).compactMap { event in
            guard case .signal(let message) = event else { return .content(nil) }
            switch message.member {
            case "ContentChanged":
                guard let parents = try? message.arguments([String].self),
                    (try? ContentItem.check(identifiers: parents.filter { !$0.isEmpty })) != nil
                else { return .content(nil) }
                return .content(parents)
            case "UpdatesBegan": return .updatesBegan
            case "UpdatesEnded": return .updatesEnded
            default: return nil
            }
        }
    }
}
