internal import AgentInterface
internal import HunchDBus
public import HunchModel

/// What an app tells of its content.
public enum PlayableContentChange: Hashable, Sendable {
    /// The children of these items, or of the root “”, are others than before; `nil`: those of any may be.
    case content([ContentItem.ID]?)
    /// Many changes follow; what is read before they have ended may be incomplete.
    case updatesBegan
    /// The content is complete again.
    case updatesEnded
}

extension BusPlayableContent {
    /// What the app tells of its content, as long as the stream is held. For what is not read in time, after eight changes, it
    /// is told that anything may have changed; an end of updates may be among that.
    ///
    /// - Throws: `DBusError` when the bus refuses or is gone.
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
