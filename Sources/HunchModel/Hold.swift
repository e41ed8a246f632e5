public import FoundationEssentials

/// A reason not to suggest something now.
public enum Hold: Hashable, Sendable, CustomStringConvertible {
    /// The player of this name plays.
    case playing(String)
    /// A device with this name is present but not ready.
    case notReady(device: String, DeviceHold)
    /// The person switched suggestions off for the device of this name.
    case suggestionsOff(device: String)
    /// The history has no playback on the device of this name.
    case nothingPlayed(device: String)
    /// The device disconnected, or another output was chosen, while an app prepared.
    case outputChanged
    /// An app could not prepare. The clause names the app and says why.
    case notPrepared(String)
    /// The person muted the pair, or dismissed it too often.
    case muted(SuggestionPair)
    /// Suggestions and recording are paused until this date.
    case paused(until: Date)
    /// The hourly limit is reached until this date.
    case tooMany(until: Date)
    /// The chance that the person accepts the suggestion, 0…1, is too low.
    case unlikely(chance: Double)
    /// A suggestion with at least the same score was made just now, or the same one is still open.
    case likelierSuggested
    /// Another suggestion is being carried out.
    case beingCarriedOut
    /// The suggestion has expired.
    case expired
    /// Another suggestion has the same identifier.
    case identifierTaken
    /// A reason that only a newer version knows, by its code.
    case other(code: String)

    /// The reason as one clause for a person.
    public var description: String {
        switch self {
        case .playing(let player): "\(player) is already playing"
        case .notReady(let device, let hold): "\(device): \(hold)"
        case .suggestionsOff(let device): "suggestions are off for \(device)"
        case .nothingPlayed(let device): "no earlier playback on \(device) is known"
        case .outputChanged: "sound went elsewhere while the app prepared"
        case .notPrepared(let clause): clause
        case .muted(let pair):
            pair.trigger.map { "\(pair.application) is muted for \($0)" } ?? "\(pair.application) is muted"
        case .paused: "Hunch is paused"
        case .tooMany: "enough was suggested within the last hour"
        case .unlikely(let chance): "it is not likely enough to be wanted (\(Int(clamping: chance * 100)) %)"
        case .likelierSuggested: "something likelier is suggested"
        case .beingCarriedOut: "another suggestion is being carried out"
        case .expired: "its time has passed"
        case .identifierTaken: "its identifier is taken"
        case .other(let code): code
        }
    }
}
