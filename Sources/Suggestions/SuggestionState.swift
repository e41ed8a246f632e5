public import HunchModel
public import FoundationEssentials

/// Where a suggestion is in its life.
///
/// `offered → shown → accepted → done | failed`; from `offered` and `shown` also `dismissed`, `expired`, `withdrawn` and
/// `muted`. A suggestion may be accepted that was only listed and not shown. One that could not be carried out may go back
/// from `accepted` to `shown`. Every other step is an error.
public enum SuggestionState: Hashable, Sendable {
    /// It may be shown.
    case offered(since: Date)
    /// It reached the person.
    case shown(since: Date)
    /// The person took it, and it is being carried out.
    case accepted(since: Date)
    /// It was carried out.
    case done(at: Date)
    /// It could not be carried out.
    case failed(at: Date, reason: String)
    /// The person turned it down.
    case dismissed(at: Date, reason: String)
    /// Its time passed.
    case expired(at: Date)
    /// It lost its reason: the device went, something better came.
    case withdrawn(at: Date, reason: String)
    /// The person wants no more like it.
    case muted(at: Date)

    /// The word for the state, as on the bus.
    public var name: String {
        switch self {
        case .offered: "offered"
        case .shown: "shown"
        case .accepted: "accepted"
        case .done: "done"
        case .failed: "failed"
        case .dismissed: "dismissed"
        case .expired: "expired"
        case .withdrawn: "withdrawn"
        case .muted: "muted"
        }
    }

    /// When it came to be so.
    public var date: Date {
        switch self {
        case .offered(let date), .shown(let date), .accepted(let date), .done(let date), .failed(let date, _),
            .dismissed(let date, _), .expired(let date), .withdrawn(let date, _), .muted(let date):
            date
        }
    }

    /// Whether nothing more can happen to it.
    public var isOver: Bool {
        switch self {
        case .offered, .shown, .accepted: false
        case .done, .failed, .dismissed, .expired, .withdrawn, .muted: true
        }
    }

    /// Whether the person may still take it or turn it down.
    public var isOpen: Bool {
        switch self {
        case .offered, .shown: true
        case .accepted, .done, .failed, .dismissed, .expired, .withdrawn, .muted: false
        }
    }
}

/// What happens to a suggestion.
public enum SuggestionEvent: Hashable, Sendable {
    /// A surface showed it and the person could see it.
    case show
    /// The person took it.
    case accept
    /// It was carried out.
    case finish
    /// It could not be carried out.
    case fail(reason: String)
    /// It could not be carried out, and the person may take it again.
    case retry(reason: String)
    /// The person turned it down.
    case dismiss(reason: String)
    /// Its time passed.
    case expire
    /// It lost its reason.
    case withdraw(reason: String)
    /// The person wants no more like it.
    case mute

    /// The word for the event.
    public var name: String {
        switch self {
        case .show: "show"
        case .accept: "accept"
        case .finish: "finish"
        case .fail: "fail"
        case .retry: "retry"
        case .dismiss: "dismiss"
        case .expire: "expire"
        case .withdraw: "withdraw"
        case .mute: "mute"
        }
    }
}

extension SuggestionState {
    /// The state after an event.
    ///
    /// - Throws: ``SuggestionError`` `illegalTransition` when that cannot happen in this state.
    public func after(_ event: SuggestionEvent, at date: Date) throws(SuggestionError) -> SuggestionState {
        switch (self, event) {
        case (.offered, .show): .shown(since: date)
        case (.offered, .accept), (.shown, .accept): .accepted(since: date)
        case (.offered, .dismiss(let reason)), (.shown, .dismiss(let reason)): .dismissed(at: date, reason: reason)
        case (.offered, .expire), (.shown, .expire): .expired(at: date)
        case (.offered, .withdraw(let reason)), (.shown, .withdraw(let reason)): .withdrawn(at: date, reason: reason)
        case (.offered, .mute), (.shown, .mute): .muted(at: date)
        case (.accepted, .finish): .done(at: date)
        case (.accepted, .fail(let reason)): .failed(at: date, reason: reason)
        case (.accepted, .retry): .shown(since: date)
        default:
            throw SuggestionError(
                .illegalTransition, "a suggestion that is \(name) cannot \(event.name)")
        }
    }
}
