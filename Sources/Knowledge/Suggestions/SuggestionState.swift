public import HunchModel
public import FoundationEssentials

/// The state of a suggestion.
///
/// The transitions are `offered → shown → accepted → done | failed`, and from `offered` and `shown` also `dismissed`,
/// `expired` and `withdrawn`. A closed suggestion has expired early. A suggestion may be accepted without being shown, from a list. One that could
/// not be carried out may return from `accepted` to `shown`, and one that still waits may be dismissed. Every other transition is an
/// error.
public enum SuggestionState: Hashable, Sendable {
    /// The suggestion may be shown.
    case offered(since: Date)
    /// The user saw the suggestion.
    case shown(since: Date)
    /// The user accepted the suggestion, and it is being carried out.
    case accepted(since: Date)
    /// The suggestion was carried out.
    case done(at: Date)
    /// The suggestion could not be carried out.
    case failed(at: Date, reason: String)
    /// The user dismissed the suggestion.
    case dismissed(at: Date, reason: String)
    /// The suggestion expired.
    case expired(at: Date)
    /// The suggestion lost its reason, for example because the device disconnected.
    case withdrawn(at: Date, reason: String)
    /// Another suggestion replaced it before the user answered.
    case replaced(at: Date, by: Suggestion.ID)

    /// The name of the state, as on the bus. A replaced suggestion is one that was withdrawn.
    public var name: String {
        switch self {
        case .offered: "offered"
        case .shown: "shown"
        case .accepted: "accepted"
        case .done: "done"
        case .failed: "failed"
        case .dismissed: "dismissed"
        case .expired: "expired"
        case .withdrawn, .replaced: "withdrawn"
        }
    }

    /// The reason of a suggestion that failed, was dismissed or was withdrawn; otherwise `nil`.
    public var reason: String? {
        switch self {
        case .failed(_, let reason), .dismissed(_, let reason), .withdrawn(_, let reason): reason
        case .replaced(_, let successor): "replaced by \(successor)"
        case .offered, .shown, .accepted, .done, .expired: nil
        }
    }

    /// The date of the transition to this state.
    public var date: Date {
        switch self {
        case .offered(let date), .shown(let date), .accepted(let date), .done(let date), .failed(let date, _),
            .dismissed(let date, _), .expired(let date), .withdrawn(let date, _), .replaced(let date, _):
            date
        }
    }

    /// Whether the state is final.
    public var isOver: Bool {
        switch self {
        case .offered, .shown, .accepted: false
        case .done, .failed, .dismissed, .expired, .withdrawn, .replaced: true
        }
    }

    /// Whether the user may still accept or dismiss the suggestion.
    public var isOpen: Bool {
        switch self {
        case .offered, .shown: true
        case .accepted, .done, .failed, .dismissed, .expired, .withdrawn, .replaced: false
        }
    }
}

/// An event of a suggestion.
public enum SuggestionEvent: Hashable, Sendable {
    /// A surface showed the suggestion to the user.
    case show
    /// The user accepted the suggestion.
    case accept
    /// The suggestion was carried out.
    case finish
    /// The suggestion could not be carried out.
    case fail(reason: String)
    /// The suggestion could not be carried out, and the user may accept it again.
    case retry(reason: String)
    /// The user dismissed the suggestion.
    case dismiss(reason: String)
    /// The suggestion expired.
    case expire
    /// The user closed the suggestion, without an answer. Servers report “close all” in the same way.
    case close
    /// The suggestion lost its reason.
    case withdraw(reason: String)
    /// Another suggestion is offered instead.
    case replace(by: Suggestion.ID)

    /// The name of the event.
    public var name: String {
        switch self {
        case .show: "show"
        case .accept: "accept"
        case .finish: "finish"
        case .fail: "fail"
        case .retry: "retry"
        case .dismiss: "dismiss"
        case .expire: "expire"
        case .close: "close"
        case .withdraw: "withdraw"
        case .replace: "replace"
        }
    }
}

extension SuggestionState {
    /// Returns the state after an event.
    ///
    /// - Throws: ``SuggestionError`` `illegalTransition` if this state does not permit the event.
    public func after(_ event: SuggestionEvent, at date: Date) throws(SuggestionError) -> SuggestionState {
        switch (self, event) {
        case (.offered, .show): .shown(since: date)
        case (.offered, .accept), (.shown, .accept): .accepted(since: date)
        case (.offered, .dismiss(let reason)), (.shown, .dismiss(let reason)): .dismissed(at: date, reason: reason)
        case (.offered, .expire), (.shown, .expire), (.offered, .close), (.shown, .close): .expired(at: date)
        case (.offered, .withdraw(let reason)), (.shown, .withdraw(let reason)): .withdrawn(at: date, reason: reason)
        case (.offered, .replace(let successor)), (.shown, .replace(let successor)):
            .replaced(at: date, by: successor)
        case (.accepted, .finish): .done(at: date)
        case (.accepted, .fail(let reason)): .failed(at: date, reason: reason)
        case (.accepted, .retry): .shown(since: date)
        case (.accepted, .dismiss(let reason)): .dismissed(at: date, reason: reason)
        default:
            throw SuggestionError(
                .illegalTransition, "a suggestion that is \(name) cannot \(event.name)")
        }
    }
}
