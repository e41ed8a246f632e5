internal import HunchModel
internal import Prediction

/// The learned actions at a trigger that may be suggested.
struct MomentChoices: Sendable {
    /// Plays, each of an app that goes on where it stands; for what is no device, where what was played counts.
    var media: [ActionHabits.Choice] = []
    /// Anything else.
    var others: [ActionHabits.Choice] = []
    /// The probability that media is wanted, rather than anything else, 0…1.
    var mediaShare = 1.0
}

/// Something that could be offered at a moment.
enum MomentCandidate: Sendable {
    case media(MediaCandidate)
    case other(ActionHabits.Choice)

    var isMedia: Bool {
        if case .media = self { true } else { false }
    }

    /// The candidate when it is media.
    var asMedia: MediaCandidate? {
        if case .media(let candidate) = self { candidate } else { nil }
    }

    /// Returns all candidates, likeliest first; media in the given order.
    ///
    /// At a device, the score of media is relative to other media, so it is multiplied by the share of media there. Announced
    /// and interrupted items keep their score.
    static func ranked(
        _ media: [MediaCandidate], _ choices: MomentChoices, at moment: MediaMoment
    ) -> [MomentCandidate] {
        var ranked: [MomentCandidate] = []
        var others = choices.others[...]
        for candidate in media {
            let isShare = moment.isDevice && !candidate.hasOwnReason
            let likelihood = candidate.score * (isShare ? choices.mediaShare : 1)
            while let other = others.first, other.likelihood > likelihood {
                ranked.append(.other(other))
                others.removeFirst()
            }
            ranked.append(.media(candidate))
        }
        return ranked + others.map(MomentCandidate.other)
    }
}
