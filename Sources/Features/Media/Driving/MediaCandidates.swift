package import FoundationEssentials
package import History
package import HunchModel
package import Learning
internal import Prediction

/// Finds and ranks the candidates at a trigger, from the history, the habits and the announcements of apps.
package struct MediaCandidates: Sendable {
    package let now: @Sendable () -> Date
    package let history: HistoryKeeper
    package let habits: Habits
    package let present: CurrentContext
    /// Returns the name of an app for people.
    package let name: @Sendable (_ application: AppID) async -> String
    /// Returns the desktop identifiers of running apps that serve playable content.
    package let runningContentApps: @Sendable () async throws -> [AppID]
    /// Returns whether an item may be played again, as far as Hunch knows without asking its app.
    package let mayPlay: @Sendable (ResumePoint) async -> Bool
    /// Returns the learned actions at a trigger, and those that apps announced as relevant.
    package let learned: @Sendable (MediaTrigger, Context) async throws -> LearnedActions

    package init(
        now: @escaping @Sendable () -> Date, history: HistoryKeeper, habits: Habits, present: CurrentContext,
        name: @escaping @Sendable (_ application: AppID) async -> String,
        runningContentApps: @escaping @Sendable () async throws -> [AppID],
        mayPlay: @escaping @Sendable (ResumePoint) async -> Bool = { _ in true },
        learned:
            @escaping @Sendable (MediaTrigger, Context) async throws
            -> LearnedActions
    ) {
        self.now = now
        self.history = history
        self.habits = habits
        self.present = present
        self.name = name
        self.runningContentApps = runningContentApps
        self.mayPlay = mayPlay
        self.learned = learned
    }

    /// The maximum number of apps considered without a play on the device.
    private static let appLimit = 8

    /// Returns all candidates, likeliest first, with media in the given order.
    ///
    /// For a device, the score of media is relative to other media, so it is multiplied by the share of media.
    /// Announced and interrupted items keep their score.
    private static func ranked(
        _ media: [MediaCandidate], _ choices: LearnedActions, at trigger: MediaTrigger
    ) -> [SuggestionCandidate] {
        var ranked: [SuggestionCandidate] = []
        var others = choices.others[...]
        for candidate in media {
            let isShare = trigger.isDevice && !candidate.hasOwnReason
            let likelihood = candidate.score * (isShare ? choices.mediaShare : 1)
            while let other = others.first, other.likelihood > likelihood {
                ranked.append(.other(other))
                others.removeFirst()
            }
            ranked.append(.media(candidate))
        }
        return ranked + others.map(SuggestionCandidate.other)
    }

    /// Returns the context of suggestions at a trigger.
    package func context(at trigger: MediaTrigger) async -> Context {
        var context = await present.now(device: trigger.device, trigger: trigger.trigger)
        // A simulated trigger is treated as if it had happened.
        switch trigger {
        case .person(.session(_, let event), _): context.further["session"] = event.rawValue
        case .person(.plain(.arrival(let place)), _): context.further["place"] = place
        case .person(.plain(.departure), _): context.further["place"] = nil
        case .device, .person: break
        }
        return context
    }

    /// Returns the candidates at a trigger, likeliest first. For a device that became ready: plays on it, apps that
    /// were played elsewhere or donated plays, and announcements. For other triggers: announcements for them, and
    /// usual plays. An app's usual item at the trigger becomes a candidate of its own.
    package func ranked(at trigger: MediaTrigger) async throws -> [SuggestionCandidate] {
        let excluded = try await history.use { store, _ in try store.exclusions() }
        let context = await context(at: trigger)
        let choices = try await learned(trigger, context)
        let items = await habits.items
        let usual =
            trigger.mayBeLearned
            ? items.choices(context, deviceName: trigger.deviceName, at: self.now()) : [:]
        var offers: [UnrankedMedia] = []
        if case .device(let device, _) = trigger {
            offers = try await playedOffers(on: device, excluded: excluded)
            try await addUpcoming(to: &offers, excluded: excluded)
            await addPlayedElsewhere(to: &offers, items, context, excluded: excluded)
        }
        if trigger.mayBeAnnounced { try await addRelevant(to: &offers, at: trigger, excluded: excluded) }
        var media: [MediaCandidate] = []
        if !offers.isEmpty {
            var names: [AppID: String] = [:]
            for offer in offers { names[offer.application] = await name(offer.application) }
            media = MediaRanking.rank(
                offers, learner: await habits.plays, usual: usual, names: names, context: context,
                deviceName: trigger.deviceName, at: self.now())
        }
        if !trigger.isDevice {
            let known = Set(media.map(\.application))
            let played = choices.media.filter { !known.contains($0.donation.application) }.flatMap {
                MediaCandidate($0).parted(by: usual[$0.donation.application])
            }
            media = (media + played).sorted { $0.score > $1.score }
        }
        return Self.ranked(media, choices, at: trigger)
    }

    private func playedOffers(on device: AudioDevice, excluded: Set<AppID>) async throws -> [UnrankedMedia] {
        let points = try await history.use { store, _ in try store.resumePoints() }.filter { point in
            !excluded.contains(point.application)
        }
        var offers = points.filter { $0.device == device.id }.map(UnrankedMedia.init)
        if let last = await lastUsed(points) {
            var offer = UnrankedMedia(last)
            offer.wasJustUsed = true
            if last.device != device.id { offer.wasPausedByDisconnect = false }
            offers.removeAll { $0.application == last.application }
            offers.append(offer)
        }
        for application in try await runningContentApps()
        where !excluded.contains(application) && !offers.contains(where: { $0.application == application }) {
            offers.append(UnrankedMedia(application: application))
        }
        return offers
    }

    /// Returns the item that the user just used; `nil` if it was played to its end. An item that cannot be played again
    /// is replaced by the one before it.
    ///
    /// - Parameter points: the resume points by date, latest first.
    private func lastUsed(_ points: [ResumePoint]) async -> ResumePoint? {
        for point in points.prefix(Self.appLimit) {
            guard !point.info.isFinished, abs(now().timeIntervalSince(point.date)) < MediaRanking.justUsedWindow else {
                return nil
            }
            if await mayPlay(point) { return point }
        }
        return nil
    }

    /// Adds the likeliest apps without a play on the device that were played elsewhere or donated plays. A single
    /// play may be by chance.
    private func addPlayedElsewhere(
        to offers: inout [UnrankedMedia], _ items: ItemHabits, _ context: Context, excluded: Set<AppID>
    ) async {
        let plays = await habits.plays
        let known = plays.predict(Circumstances(context), at: self.now(), limit: Self.appLimit)
        for action in known.map(\.action)
        where plays.count(of: action) >= 2 && !excluded.contains(action.application)
            && !offers.contains(where: { $0.application == action.application })
        {
            offers.append(
                UnrankedMedia(application: action.application, info: items.latest(of: action.application)?.played))
        }
    }

    /// Adds the first unplayed upcoming item of each app.
    private func addUpcoming(to offers: inout [UnrankedMedia], excluded: Set<AppID>) async throws {
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
            // After an item that was played to its end, the app's announced item comes next.
            offers.removeAll { $0.application == application && (isExclusive || $0.finished != nil) }
            offers.append(UnrankedMedia(next, of: application, in: .upcoming))
        }
    }

    /// Adds the items that apps announced as relevant in this context.
    private func addRelevant(
        to offers: inout [UnrankedMedia], at trigger: MediaTrigger, excluded: Set<AppID>
    ) async throws {
        let now = self.now()
        let position = await present.position()
        let announced = try await history.use { store, _ in try store.announcements(in: .relevant) }
        for (application, item) in trigger.relevant(of: announced, at: now, near: position, where: \.isMedia)
        where !excluded.contains(application) {
            offers.append(UnrankedMedia(item, of: application, in: .relevant))
        }
    }
}
