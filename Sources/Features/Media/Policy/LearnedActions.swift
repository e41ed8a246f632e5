internal import Players
package import HunchModel
package import Prediction

/// The learned actions at a trigger that may be suggested.
package struct LearnedActions: Sendable {
    /// The usual plays, each of an app that continues where it stopped. Empty for devices, where the plays themselves
    /// are ranked.
    package var media: [ActionHabits.Choice] = []
    /// Actions other than plays.
    package var others: [ActionHabits.Choice] = []
    /// The probability that media is wanted, rather than anything else, 0…1.
    package var mediaShare = 1.0

    package init(
        media: [ActionHabits.Choice] = [], others: [ActionHabits.Choice] = [], mediaShare: Double = 1.0
    ) {
        self.media = media
        self.others = others
        self.mediaShare = mediaShare
    }
}

extension LearnedActions {
    /// Sorts learned actions into media and others, likeliest first.
    ///
    /// - Parameters:
    ///   - choices: the learned actions in this context.
    ///   - mediaShare: the probability that media is wanted, if there are others.
    ///   - isAllowed: whether an action may be suggested.
    package init(
        _ choices: [ActionHabits.Choice], mediaShare: @autoclosure () -> Double = 1,
        where isAllowed: (Donation) -> Bool
    ) {
        self.init()
        var routes: [[String: String]: Int] = [:]
        for choice in choices where isAllowed(choice.donation) {
            switch choice.donation.kind {
            case .playMedia: media.append(choice)
            case .getDirections:
                // One destination, whichever app showed it.
                if let known = routes[choice.donation.identity] {
                    others[known].likelihood += choice.likelihood
                } else {
                    routes[choice.donation.identity] = others.count
                    others.append(choice)
                }
            default: others.append(choice)
            }
        }
        others.sort { $0.likelihood > $1.likelihood }
        if !others.isEmpty { self.mediaShare = mediaShare() }
    }
}

/// A candidate for a suggestion at a trigger.
package enum SuggestionCandidate: Sendable {
    case media(MediaCandidate)
    case other(ActionHabits.Choice)

    package var isMedia: Bool {
        if case .media = self { true } else { false }
    }

    /// The candidate if it is media.
    package var asMedia: MediaCandidate? {
        if case .media(let candidate) = self { candidate } else { nil }
    }
}

extension Donation {
    /// The metadata of a donated play's item.
    package var played: NowPlayingInfo? {
        guard kind == .playMedia, let title = parameters["title"] else { return nil }
        let item = mediaItem
        return NowPlayingInfo(
            title: title, artists: [parameters["artist"]].compactMap { $0 }, album: parameters["album"],
            contentURL: item.flatMap(ItemIdentity.uri), item: item)
    }
}
