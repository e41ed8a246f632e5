internal import FoundationEssentials
internal import Glibc
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Prediction

/// Something that could be offered: an app, and what it would play.
struct MediaCandidate: Sendable {
    let application: String
    /// `nil`: the app chooses.
    let item: ContentItem.ID?
    /// The stored metadata; `nil` if only the app knows it.
    let info: NowPlayingInfo?
    /// The confidence that it is wanted, 0…1.
    var score: Double
    /// Why this app, or where ``itemReason`` is `nil`, why this item.
    var explanation: Explanation
    /// Why this item of the app, whose habits tell nothing of it.
    var itemReason: String?
    /// Whether there is a reason for it beside habits: its app announced it, the device's going interrupted it, or the person
    /// just used it.
    var hasOwnReason = false
    /// The item of the app that was played to its end, which is not to be resumed.
    var finished: ContentItem.ID?
}

extension MediaCandidate {
    /// The reason for an item that the app chooses.
    static let choiceOfApp = "the app goes on with it"

    /// Why this app, and why this item of it.
    ///
    /// - Parameter item: what would be played; `nil` while only the app knows.
    func explanation(of item: ContentItem.ID?) -> Explanation {
        guard let itemReason else { return explanation }
        var whole = explanation
        let isSame = if let own = self.item, let item { ItemIdentity.areSame(own, item) } else { false }
        whole.reasons.append(Explanation.Reason(isSame ? itemReason : Self.choiceOfApp))
        return whole
    }

    /// Creates a candidate from a habit at this trigger. The app continues where it stopped.
    init(_ choice: ActionHabits.Choice) {
        self.init(
            application: choice.donation.application, item: nil, info: choice.donation.played,
            score: choice.likelihood, explanation: choice.explanation, itemReason: Self.choiceOfApp)
    }

    /// The usual item of the app as a candidate of its own, and after it whatever else the app would play. There is one
    /// candidate alone where both are the same, and where there is another reason than habit for what would be played.
    ///
    /// - Parameter usual: `nil` when the app has none at such a moment.
    func parted(by usual: ItemHabits.Choice?) -> [MediaCandidate] {
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
struct MediaOffer: Sendable {
    let application: String
    var item: ContentItem.ID?
    var info: NowPlayingInfo?
    var lastPlayed: Date?
    var wasPausedByDisconnect = false
    /// Whether it is what the person used last, on any output, and only a moment ago.
    var wasJustUsed = false
    /// The item that was played to its end; the app's next one is offered, if any.
    var finished: ContentItem.ID?
    /// Why, when the app itself said that it is worth offering.
    var announced: Announcement.List?
}

extension MediaOffer {
    /// The point at which an app's playback stood.
    init(_ point: ResumePoint) {
        let isFinished = point.info.isFinished
        self.init(
            application: point.application, item: isFinished ? nil : point.item, info: isFinished ? nil : point.info,
            lastPlayed: point.date, wasPausedByDisconnect: point.pausedByDisconnect && !isFinished,
            finished: isFinished ? point.item ?? ItemIdentity.identifier(of: point.info) : nil)
    }

    /// Creates a candidate from an announcement.
    init(_ item: Announcement, of application: String, in list: Announcement.List) {
        self.init(application: application, item: item.item, info: item.info, announced: list)
    }
}

/// Ranks what could be offered for a device.
enum MediaRanking {
    /// The time in seconds after a disconnect in which the interrupted item comes first.
    static let interruptionWindow: Double = 12 * 3_600
    /// The time for which something that was used on any output comes first, in seconds.
    static let justUsedWindow: Double = 600
    /// A habit is clear when an app was chosen in at least this share of at least so many cases after the device connected.
    static let clearShare = 0.8
    static let clearCount = 5
    /// The minimum score of a candidate that was never played on the device.
    static let leastScore = 0.1
    /// The minimum score of an announcement.
    static let upcomingScore = 0.35
    static let relevantScore = 0.5

    /// The offers, likeliest first. What the person just used comes first, unless there is a clear habit to use another app
    /// at such moments. Then comes for a while what the device's going interrupted; then counts what was learned of the
    /// person's plays, and among apps of which nothing was learned yet, which was used last.
    ///
    /// An app that was never played on the device competes with everything that the person plays, and must have been played
    /// somewhere: after n plays its score counts n/(n + 1), and below ``leastScore`` it is left out. Announcements need no
    /// history.
    ///
    /// - Parameters:
    ///   - usual: by app, the item that is wanted of it at such moments: a candidate of its own.
    ///   - names: by app, what people call it; its desktop identifier where it is not among them.
    static func rank(
        _ offers: [MediaOffer], learner: Learner, usual: [String: ItemHabits.Choice] = [:],
        names: [String: String] = [:], context: Context, deviceName: String, at now: Date
    ) -> [MediaCandidate] {
        let circumstances = Circumstances(context)
        let actions = offers.map { Action(application: $0.application, kind: .playMedia) }
        let known = offers.contains { $0.lastPlayed == nil } ? learner.predict(circumstances, at: now, limit: 32) : []
        let rivals = actions + known.map(\.action)
        let predictions = learner.predict(circumstances, at: now, among: rivals, limit: rivals.count)
        let byApplication = Dictionary(predictions.map { ($0.action.application, $0) }) { first, _ in first }
        let knowsNone = actions.allSatisfy { learner.count(of: $0) == 0 }
        let habits = Set(predictions.filter(isClear).map(\.action.application))
        let ranked = offers.map { offer -> (offer: MediaOffer, place: Int, candidate: MediaCandidate) in
            let prediction = byApplication[offer.application]
            var explanation =
                prediction?.explanation(
                    circumstances, deviceName: deviceName,
                    of: .player(names[offer.application] ?? offer.application)) ?? []
            var itemReason: String?
            let age = offer.lastPlayed.map { now.timeIntervalSince($0) }
            let wasInterrupted = offer.wasPausedByDisconnect && (age.map { $0 < interruptionWindow } ?? false)
            let isFirst = offer.wasJustUsed && habits.subtracting([offer.application]).isEmpty
            if wasInterrupted {
                explanation.reasons.insert("was playing when \(deviceName) disconnected", at: 0)
            } else if isFirst {
                explanation.reasons.insert("you used it a moment ago", at: 0)
            } else if let list = offer.announced {
                explanation.reasons.insert(
                    list == .upcoming ? "next, and not played yet" : "the app says that it is wanted now",
                    at: 0)
            } else if offer.lastPlayed != nil {
                itemReason = "was played last on \(deviceName)"
            } else {
                if explanation.reasons.isEmpty {
                    explanation.reasons = ["you listened with \(names[offer.application] ?? offer.application) before"]
                }
                itemReason = MediaCandidate.choiceOfApp
            }
            var probability = prediction?.probability ?? 1 / Double(max(offers.count, 1))
            let isUnknown = learner.count(of: Action(application: offer.application, kind: .playMedia)) == 0
            if let list = offer.announced {
                probability = max(probability, list == .relevant ? relevantScore : upcomingScore)
            } else if offer.lastPlayed != nil, isUnknown {
                // What was learned of others says little of what was played here and not yet learned.
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

    /// Whether the person nearly always chose an app after what just happened.
    private static func isClear(_ prediction: RankedAction) -> Bool {
        guard let share = prediction.evidence.first(where: { $0.source == .trigger })?.share else { return false }
        return Int(share.total) >= clearCount && Double(share.count) >= clearShare * Double(share.total)
    }

    /// Returns the prior of a play by its recency: each is half as likely as the more recent one.
    private static func prior(of offer: MediaOffer, among offers: [MediaOffer]) -> Double {
        let later = offers.count { ($0.lastPlayed ?? .distantPast) > (offer.lastPlayed ?? .distantPast) }
        let played = offers.count { $0.lastPlayed != nil }
        return exp2(-Double(later)) / (2 - exp2(1 - Double(played)))
    }
}

/// The most apps that are looked at though no play of them was seen on the device.
private let appLimit = 8

extension MediaStage {
    /// Returns the candidates at a trigger, likeliest first. For a device that became ready: plays on it, apps that
    /// were played elsewhere or donated plays, and announcements. For other triggers: announcements for them, and
    /// usual plays. If an item of an app is usual at the trigger, that item.
    func candidates(for moment: MediaMoment) async throws -> (media: [MediaCandidate], others: MomentChoices) {
        let excluded = try await history.use { store, _ in try store.exclusions() }
        let context = await context(at: moment)
        let choices = moment.mayBeLearned ? try await self.choices(at: moment, context) : MomentChoices()
        let items = await habits.items
        let usual =
            moment.mayBeLearned
            ? items.choices(context, deviceName: moment.deviceName, at: configuration.now()) : [:]
        var offers: [MediaOffer] = []
        if case .device(let device, _) = moment {
            offers = try await playedOffers(on: device, excluded: excluded)
            try await addUpcoming(to: &offers, excluded: excluded)
            await addPlayedElsewhere(to: &offers, items, context, excluded: excluded)
        }
        if moment.mayBeAnnounced { try await addRelevant(to: &offers, at: moment, excluded: excluded) }
        var media: [MediaCandidate] = []
        if !offers.isEmpty {
            var names: [String: String] = [:]
            for offer in offers { names[offer.application] = await name(of: offer.application) }
            media = MediaRanking.rank(
                offers, learner: await habits.plays, usual: usual, names: names, context: context,
                deviceName: moment.deviceName, at: configuration.now())
        }
        if !moment.isDevice {
            let known = Set(media.map(\.application))
            let played = choices.media.filter { !known.contains($0.donation.application) }.flatMap {
                MediaCandidate($0).parted(by: usual[$0.donation.application])
            }
            media = (media + played).sorted { $0.score > $1.score }
        }
        return (media, choices)
    }

    private func playedOffers(on device: AudioDevice, excluded: Set<String>) async throws -> [MediaOffer] {
        let points = try await history.use { store, _ in try store.resumePoints() }.filter { point in
            !excluded.contains(point.application)
        }
        var offers = points.filter { $0.device == device.id }.map(MediaOffer.init)
        // Points are in the order of their dates, the latest first.
        if let last = points.first, !last.info.isFinished,
            abs(configuration.now().timeIntervalSince(last.date)) < MediaRanking.justUsedWindow
        {
            var offer = MediaOffer(last)
            offer.wasJustUsed = true
            if last.device != device.id { offer.wasPausedByDisconnect = false }
            offers.removeAll { $0.application == last.application }
            offers.append(offer)
        }
        for application in try await runningContentApps()
        where !excluded.contains(application) && !offers.contains(where: { $0.application == application }) {
            offers.append(MediaOffer(application: application))
        }
        return offers
    }

    /// Adds the likeliest apps of which no play was seen on the device, but elsewhere, or which told of plays themselves. Once
    /// may be by chance.
    private func addPlayedElsewhere(
        to offers: inout [MediaOffer], _ items: ItemHabits, _ context: Context, excluded: Set<String>
    ) async {
        let plays = await habits.plays
        let known = plays.predict(Circumstances(context), at: configuration.now(), limit: appLimit)
        for action in known.map(\.action)
        where plays.count(of: action) >= 2 && !excluded.contains(action.application)
            && !offers.contains(where: { $0.application == action.application })
        {
            offers.append(
                MediaOffer(application: action.application, info: items.latest(of: action.application)?.played))
        }
    }

    /// Adds what apps announced as upcoming: of each the first that was not played.
    private func addUpcoming(to offers: inout [MediaOffer], excluded: Set<String>) async throws {
        let upcoming = try await history.use { store, _ in
            try store.announcements(in: .upcoming).map { application, items in
                let played = try store.playedItems(of: application, among: items.map(\.item))
                return (
                    application: application, next: items.first { !played.contains($0.item) },
                    isExclusive: items.contains(where: \.isExclusive)
                )
            }
        }
        for (application, next, isExclusive) in upcoming.sorted(by: { $0.application < $1.application })
        where !excluded.contains(application) {
            guard let next else { continue }
            // After what was played to its end comes what its app says.
            offers.removeAll { $0.application == application && (isExclusive || $0.finished != nil) }
            offers.append(MediaOffer(next, of: application, in: .upcoming))
        }
    }

    /// Adds what apps announced as relevant at such a moment.
    private func addRelevant(
        to offers: inout [MediaOffer], at moment: MediaMoment, excluded: Set<String>
    ) async throws {
        let now = configuration.now()
        let position = await present.position()
        let relevant = try await history.use { store, _ in try store.announcements(in: .relevant) }
        for (application, items) in relevant.sorted(by: { $0.key < $1.key }) where !excluded.contains(application) {
            // What other apps do is no app's business.
            if case .occasion(.launched(let launched), _) = moment, launched != application { continue }
            let item = items.first {
                $0.isRelevant(at: now, when: moment.happening, near: position) && moment.isNews($0)
            }
            if let item { offers.append(MediaOffer(item, of: application, in: .relevant)) }
        }
    }
}

extension Announcement {
    /// The known metadata of the item before its app prepares it.
    var info: NowPlayingInfo {
        NowPlayingInfo(title: title, contentURL: item.contains("://") ? item : nil, item: item)
    }
}
