public import FoundationEssentials
internal import Localization

/// A reason not to suggest something now.
public enum Hold: Hashable, Sendable, CustomStringConvertible {
    /// The player of this name plays.
    case playing(String)
    /// A device with this name is present but not ready.
    case notReady(device: String, DeviceHold)
    /// The user switched suggestions off for the device of this name.
    case suggestionsOff(device: String)
    /// The history has no playback on the device of this name.
    case nothingPlayed(device: String)
    /// The user excluded this app, and no other one was played.
    case excluded(AppID)
    /// The device was away for so short a time that its connection is not a new one.
    case reconnected(after: Duration)
    /// The device disconnected, or another output was chosen, while an app prepared.
    case outputChanged
    /// An app could not prepare. The clause names the app and says why.
    case notPrepared(String)
    /// The user muted the pair, or dismissed it too often.
    case muted(SuggestionPair)
    /// Suggestions and recording are paused until this date.
    case paused(until: Date)
    /// The hourly limit is reached until this date.
    case tooMany(until: Date)
    /// The chance that the user accepts the suggestion, 0…1, is too low.
    case unlikely(chance: Double)
    /// A suggestion with at least the same score was made just now, or the same one is still open.
    case likelierSuggested
    /// An appointment is suggested, which comes before everything else.
    case appointmentFirst
    /// Playback that was continued instead of a suggestion, as the user wants it at the device.
    case continued
    /// Another suggestion is being carried out.
    case beingCarriedOut
    /// The suggestion has expired.
    case expired
    /// Do Not Disturb was on, so that the suggestion was not shown.
    case doNotDisturb
    /// No notification server could show the suggestion.
    case notDisplayed
    /// No app can do it.
    case noApp
    /// Another suggestion has the same identifier.
    case identifierTaken
    /// A reason that only a newer version knows, by its code.
    case other(code: String)

    /// The reason as one clause for a user, in their language.
    public var description: String { clause { $0.rawValue } }

    /// Returns the reason as one clause for a user, in their language.
    ///
    /// - Parameter name: returns the name of an app for people.
    public func clause(naming name: (AppID) -> String) -> String {
        switch self {
        case .playing(let player): localized("%1 is already playing", player)
        case .notReady(let device, let hold): localized("%1: %2", device, hold)
        case .suggestionsOff(let device): localized("suggestions are off for %1", device)
        case .nothingPlayed(let device): localized("nothing had been played on %1 when it connected", device)
        case .excluded(let application): localized("%1 is excluded", name(application))
        case .reconnected(let absence):
            if absence < .seconds(120) {
                localizedPlural(
                    "it had been away for only %1 second", "it had been away for only %1 seconds",
                    max(1, Int(clamping: absence.components.seconds)))
            } else {
                localizedPlural(
                    "it had been away for only %1 minute", "it had been away for only %1 minutes",
                    Int(clamping: absence.components.seconds / 60))
            }
        case .outputChanged: localized("sound went elsewhere while the app prepared")
        case .notPrepared(let clause): clause
        case .muted(let pair):
            if let subject = pair.subject {
                localizedIn("suggestions", "“%1” is muted", subject.words)
            } else if case .device = pair.trigger {
                localizedIn("suggestions", "%1 is muted for this device", name(pair.application))
            } else if let trigger = pair.trigger {
                localizedIn(
                    "suggestions", "%1 is muted %2", name(pair.application), trigger.words(deviceName: ""))
            } else {
                localizedIn("suggestions", "%1 is muted", name(pair.application))
            }
        case .paused: localized("Hunch is paused")
        case .tooMany: localized("enough was suggested within the last hour")
        case .unlikely(let chance):
            localized("it is not likely enough to be wanted (%1 %)", Int(clamping: (chance * 100).rounded()))
        case .likelierSuggested: localized("something likelier is suggested")
        case .appointmentFirst: localized("an appointment comes first")
        case .continued: localized("playback was continued")
        case .beingCarriedOut: localized("another suggestion is being carried out")
        case .doNotDisturb: localized("Do Not Disturb was on")
        case .notDisplayed: localized("no notification server showed it")
        case .noApp: localized("no app can open it")
        case .expired: localized("its time has passed")
        case .identifierTaken: localized("it is suggested already")
        case .other(let code): code
        }
    }

    /// Returns the reason of an earlier decision as one clause for a user, in their language. It may no longer hold.
    ///
    /// - Parameter name: returns the name of an app for people.
    public func pastClause(naming name: (AppID) -> String) -> String {
        switch self {
        case .playing(let player): localized("%1 was already playing", player)
        case .suggestionsOff(let device): localized("suggestions were off for %1", device)
        case .muted(let pair):
            pair.subject.map { localizedIn("suggestions", "“%1” was muted", $0.words) }
                ?? localizedIn("suggestions", "%1 was muted", name(pair.application))
        case .paused(let end):
            end < Date.distantFuture
                ? localized("suggestions were paused until %1", LocalDate(now: Date()).end(end))
                : localized("suggestions were paused")
        case .tooMany: localized("enough had been suggested within the hour before")
        case .unlikely(let chance):
            localized("it was not likely enough to be wanted (%1 %)", Int(clamping: (chance * 100).rounded()))
        case .likelierSuggested: localized("something likelier was suggested")
        case .excluded(let application): localized("%1 was excluded", name(application))
        case .appointmentFirst: localized("an appointment came first")
        case .beingCarriedOut: localized("another suggestion was being carried out")
        case .noApp: localized("no app could open it")
        case .expired: localized("its time had passed")
        case .identifierTaken: localized("it was suggested already")
        case .notReady, .nothingPlayed, .reconnected, .outputChanged, .notPrepared, .doNotDisturb, .notDisplayed,
            .continued, .other:
            clause(naming: name)
        }
    }

    /// Returns the reason as one sentence for a user, in their language.
    ///
    /// - Parameter name: returns the name of an app for people.
    public func sentence(naming name: (AppID) -> String) -> String {
        let clause = clause(naming: name)
        switch self {
        case .notReady, .other: return clause
        // These begin with a name.
        case .playing, .excluded: return localizedIn("sentence", "%1.", clause)
        case .muted(let pair) where pair.subject == nil:
            return localizedIn("sentence", "%1.", localizedIn("suggestions", "%1 is muted", name(pair.application)))
        case .notPrepared: return clause.hasSuffix(".") ? clause : localizedIn("sentence", "%1.", clause)
        default: return localizedIn("sentence", "%1.", clause.withCapital)
        }
    }
}
