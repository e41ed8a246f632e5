internal import AgentInterface
internal import HunchModel
internal import Localization

/// The words for why nothing is suggested.
enum HoldWords {
    /// Returns a hold as one sentence.
    ///
    /// - Parameter state: knows the names of apps.
    static func sentence(_ hold: Hold, _ state: SettingsState) -> String {
        switch hold {
        case .playing(let player): localized("%1 is already playing.", player)
        case .notReady(let device, let hold): localized("%1: %2", device, sentence(hold))
        case .suggestionsOff(let device): localized("Suggestions are off for %1.", device)
        case .nothingPlayed(let device): localized("Nothing was played on %1 before.", device)
        case .outputChanged: localized("Sound went elsewhere while the app prepared.")
        case .notPrepared(let clause): clause.hasSuffix(".") ? clause : clause + "."
        case .muted(let pair): localized("%1 is muted.", state.name(of: pair.application))
        case .paused: localized("Hunch is paused.")
        case .tooMany: localized("Enough was suggested within the last hour.")
        case .unlikely(let chance):
            localized("It is not likely enough to be wanted (%1 %).", Int(exactly: (chance * 100).rounded()) ?? 0)
        case .likelierSuggested: localized("Something likelier is suggested.")
        case .beingCarriedOut: localized("Another suggestion is being carried out.")
        case .expired: localized("Its time has passed.")
        case .identifierTaken: localized("It is suggested already.")
        case .other(let code): code
        }
    }

    /// Returns why a device is not ready as one sentence.
    static func sentence(_ hold: DeviceHold) -> String {
        switch hold {
        case .notConnected: localized("It is not connected.")
        case .audioServerUnreachable: localized("The audio server cannot be reached.")
        case .noOutput: localized("The audio server has no output for it yet.")
        case .nothingPluggedIn: localized("Nothing is plugged in.")
        case .notDefault(let current?): localized("Sound goes to %1.", current)
        case .notDefault(nil): localized("The audio server has no default output.")
        case .settling: localized("It connected only a moment ago.")
        case .alreadyThere: localized("It was connected before Hunch started.")
        }
    }
}
