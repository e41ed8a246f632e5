internal import Players
package import FoundationEssentials
internal import Glibc
package import History
internal import HunchDBus
package import HunchModel
internal import Localization
package import Prediction

/// A candidate for a media suggestion: an app, and what it would play.
package struct MediaCandidate: Sendable {
    package let application: AppID
    /// The item; `nil` if the app chooses.
    package let item: ContentItem.ID?
    /// The stored metadata; `nil` if only the app knows them.
    package let info: NowPlayingInfo?
    /// The confidence that it is wanted, 0…1.
    package var score: Double
    /// The reason for this app, or for this item if ``itemReason`` is `nil`.
    package var explanation: Explanation
    /// The reason for this item of the app, if it differs from the reason for the app.
    package var itemReason: String?
    /// Whether there is a reason other than habits: its app announced it, a disconnect interrupted it, or the user just
    /// used it.
    package var hasOwnReason = false
    /// The item of the app that was played to its end and must not be resumed.
    package var finished: NowPlayingInfo?
}

extension MediaCandidate {
    /// The reason for an item that the app chooses.
    package static var choiceOfApp: String { localized("the app continues with it") }

    /// Returns the reasons for this app and this item.
    ///
    /// - Parameter item: the item to play; `nil` while only the app knows it.
    package func explanation(of item: ContentItem.ID?) -> Explanation {
        guard let itemReason else { return explanation }
        var whole = explanation
        let isSame = if let own = self.item, let item { ItemIdentity.areSame(own, item) } else { false }
        whole.reasons.append(Explanation.Reason(isSame ? itemReason : Self.choiceOfApp))
        return whole
    }

    /// Creates a candidate from a habit at this trigger. The app continues where it stopped.
    package init(_ choice: ActionHabits.Choice) {
        self.init(
            application: choice.donation.application, item: nil, info: choice.donation.played,
            score: choice.likelihood, explanation: choice.explanation, itemReason: Self.choiceOfApp)
    }

    /// Splits the candidate into the app's usual item and whatever else the app would play. Returns one candidate if
    /// both are the same, or if there is a reason other than habit for the item.
    ///
    /// - Parameter usual: the app's usual item; `nil` if it has none in this context.
    package func parted(by usual: ItemHabits.Choice?) -> [MediaCandidate] {
        guard !hasOwnReason, let usual, let item = usual.donation.mediaItem else { return [self] }
        if let own = self.item, ItemIdentity.areSame(own, item) {
            var candidate = self
            candidate.explanation = usual.explanation
            candidate.itemReason = nil
            return [candidate]
        }
        let chosen = MediaCandidate(
            application: application, item: item, info: usual.donation.played, score: score * usual.share,
            explanation: usual.explanation)
        var rest = self
        rest.score *= 1 - usual.share
        return [chosen, rest]
    }
}

/// A play on a device, before ranking.
package struct UnrankedMedia: Sendable {
    package let application: AppID
    package var item: ContentItem.ID?
    package var info: NowPlayingInfo?
    package var lastPlayed: Date?
    package var wasPausedByDisconnect = false
    /// Whether the user used it last, on any output, and just now.
    package var wasJustUsed = false
    /// The item that was played to its end. The app's next one is offered, if any.
    package var finished: NowPlayingInfo?
    /// The list of the announcement, if the app announced it.
    package var announced: Announcement.List?
}

extension UnrankedMedia {
    /// Creates an offer from a resume point.
    package init(_ point: ResumePoint) {
        let isFinished = point.info.isFinished
        var finished = point.info
        finished.item = point.item ?? ItemIdentity.identifier(of: point.info)
        self.init(
            application: point.application, item: isFinished ? nil : point.item, info: isFinished ? nil : point.info,
            lastPlayed: point.date, wasPausedByDisconnect: point.pausedByDisconnect && !isFinished,
            finished: isFinished ? finished : nil)
    }

    /// Creates an offer from an announcement.
    package init(_ item: Announcement, of application: AppID, in list: Announcement.List) {
        self.init(application: application, item: item.item, info: item.info, announced: list)
    }
}

/// Ranks the candidates for a device.
package enum MediaRanking {
    /// The time in seconds after a disconnect in which the interrupted item comes first.
    package static let interruptionWindow: Double = 12 * 3_600
    /// The time in seconds for which the item used last on any output comes first.
    package static let justUsedWindow: Double = 600
    /// The minimum share of cases, after the device connected, in which the app of a clear habit was chosen.
    package static let clearShare = 0.8
    /// The minimum number of cases for a clear habit.
    package static let clearCount = 5
    /// The minimum score of a candidate that was never played on the device.
    package static let leastScore = 0.1
    /// The minimum score of an item that its app announced as upcoming.
    package static let upcomingScore = 0.35
    /// The minimum score of an item that its app announced as relevant.
    package static let relevantScore = 0.5

    /// Ranks candidates, likeliest first.
    ///
    /// The item that the user just used comes first, unless there is a clear habit of using another app in this
    /// context. For a while, the item that a disconnect interrupted comes next. Then the learned habits count, and
    /// among apps without history the recency of use.
    ///
    /// An app that was never played on the device competes with everything that the user plays, and must have been
    /// played somewhere. After n plays its score is multiplied by n/(n + 1), and below ``leastScore`` it is left out.
    /// Announcements need no history.
    ///
    /// - Parameters:
    ///   - usual: for each app, its usual item in this context, which becomes a candidate of its own.
    ///   - names: for each app, its name for people. Apps without one show their desktop identifier.
    package static func rank(
        _ offers: [UnrankedMedia], learner: Learner, usual: [AppID: ItemHabits.Choice] = [:],
        names: [AppID: String] = [:], context: Context, deviceName: String, at now: Date
    ) -> [MediaCandidate] {
        let circumstances = Circumstances(context)
        let actions = offers.map { Action(application: $0.application, kind: .playMedia) }
        let known = offers.contains { $0.lastPlayed == nil } ? learner.predict(circumstances, at: now, limit: 32) : []
        let rivals = actions + known.map(\.action)
        let predictions = learner.predict(circumstances, at: now, among: rivals, limit: rivals.count)
        let byApplication = Dictionary(predictions.map { ($0.action.application, $0) }) { first, _ in first }
        let knowsNone = actions.allSatisfy { learner.count(of: $0) == 0 }
        let habits = Set(predictions.filter(isClear).map(\.action.application))
        let ranked = offers.map { offer -> (offer: UnrankedMedia, place: Int, candidate: MediaCandidate) in
            let prediction = byApplication[offer.application]
            let name = names[offer.application] ?? offer.application.rawValue
            var explanation =
                prediction?.explanation(circumstances, deviceName: deviceName, of: .player(name)) ?? []
            var itemReason: String?
            let age = offer.lastPlayed.map { now.timeIntervalSince($0) }
            let wasInterrupted = offer.wasPausedByDisconnect && (age.map { $0 < interruptionWindow } ?? false)
            let isFirst = offer.wasJustUsed && habits.subtracting([offer.application]).isEmpty
            if wasInterrupted {
                explanation.reasons.insert(.init(localized("was playing when %1 disconnected", deviceName)), at: 0)
            } else if isFirst {
                explanation.reasons.insert(.init(localized("you used %1 a moment ago", name)), at: 0)
            } else if let list = offer.announced {
                explanation.reasons.insert(
                    .init(
                        list == .upcoming
                            ? localized("next, and not played yet") : localized("the app says that it is relevant now")),
                    at: 0)
            } else if offer.lastPlayed != nil {
                itemReason = localized("was played last on %1", deviceName)
            } else {
                if explanation.reasons.isEmpty {
                    explanation.reasons = [
                        .init(localized("you listened with %1 before", name))
                    ]
                }
                itemReason = MediaCandidate.choiceOfApp
            }
            var probability = prediction?.probability ?? 1 / Double(max(offers.count, 1))
            let isUnknown = learner.count(of: Action(application: offer.application, kind: .playMedia)) == 0
            if let list = offer.announced {
                probability = max(probability, list == .relevant ? relevantScore : upcomingScore)
            } else if offer.lastPlayed != nil, isUnknown {
                // Habits of other apps say little about a play here that is not learned yet.
                probability = max(knowsNone ? 0 : probability, prior(of: offer, among: offers) / (knowsNone ? 1 : 2))
            } else if offer.lastPlayed == nil {
                let count = learner.count(of: Action(application: offer.application, kind: .playMedia))
                probability *= count / (count + 1)
            }
            let isWanted = isFirst || wasInterrupted
            return (
                offer, isFirst ? 0 : wasInterrupted ? 1 : 2,
                MediaCandidate(
                    application: offer.application, item: offer.item, info: offer.info,
                    score: isWanted ? max(probability, 0.9) : probability, explanation: explanation,
                    itemReason: itemReason, hasOwnReason: isWanted || offer.announced != nil, finished: offer.finished)
            )
        }
        return ranked.filter { $0.offer.lastPlayed != nil || $0.candidate.score >= leastScore }.flatMap { ranked in
            ranked.candidate.parted(by: usual[ranked.offer.application]).map {
                (offer: ranked.offer, place: ranked.place, candidate: $0)
            }
        }.sorted { left, right in
            if left.place != right.place { return left.place < right.place }
            let isLeftRelevant = left.offer.announced == .relevant
            if isLeftRelevant != (right.offer.announced == .relevant) { return isLeftRelevant }
            if left.candidate.score != right.candidate.score { return left.candidate.score > right.candidate.score }
            return (left.offer.lastPlayed ?? .distantPast) > (right.offer.lastPlayed ?? .distantPast)
        }.map(\.candidate)
    }

    /// Whether the user nearly always chose an app after this trigger.
    private static func isClear(_ prediction: RankedAction) -> Bool {
        guard let share = prediction.evidence.first(where: { $0.source == .trigger })?.share else { return false }
        return Int(share.total) >= clearCount && Double(share.count) >= clearShare * Double(share.total)
    }

    /// Returns the prior of a play by its recency. Each is half as likely as the next more recent one.
    private static func prior(of offer: UnrankedMedia, among offers: [UnrankedMedia]) -> Double {
        let later = offers.count { ($0.lastPlayed ?? .distantPast) > (offer.lastPlayed ?? .distantPast) }
        let played = offers.count { $0.lastPlayed != nil }
        return exp2(-Double(later)) / (2 - exp2(1 - Double(played)))
    }
}

extension Announcement {
    /// The metadata of the item that are known before its app prepares it.
    package var info: NowPlayingInfo {
        NowPlayingInfo(title: title, contentURL: item.contains("://") ? item : nil, item: item)
    }
}
