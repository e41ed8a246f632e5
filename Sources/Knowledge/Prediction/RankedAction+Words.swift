public import HunchModel
internal import Localization

extension RankedAction {
    /// The subject whose uses the evidence counts.
    public enum Subject: Sendable {
        /// The suggested action itself.
        case action
        /// The action's app, whatever it was used for: "you used this app 4 of 4 times after unlocking".
        case application
        /// The player of this name, whatever it played: "you chose mpv the last time you listened after connecting WH-1000XM4".
        case player(String)
    }

    /// The least weight of a reason: half of the last digit shown.
    private static let leastWeight = 0.005

    /// Returns the evidence in the words of the user's language: "4 of 4 times after connecting WH-1000XM4". The strongest reason comes
    /// first, because some surfaces show only one. Among equals, the trigger comes first, because it answers "why now".
    /// Evidence with the same words becomes one reason.
    ///
    /// The weights of the reasons and the remainder sum to those of the evidence: the lead over the next action. If no
    /// other action was ever done, there is no lead, and the reasons have no weights.
    ///
    /// - Parameters:
    ///   - circumstances: The circumstances of the prediction.
    ///   - deviceName: The user's name for the device in the circumstances.
    ///   - subject: The subject of the evidence.
    ///   - limit: The most reasons. All other evidence goes into the remainder.
    public func explanation(
        _ circumstances: Circumstances, deviceName: String? = nil, of subject: Subject = .action, limit: Int = 3
    ) -> Explanation {
        let words = Words(
            circumstances: circumstances, deviceName: deviceName ?? localizedIn("device", "this device"),
            subject: subject)
        var merged: [(reason: Explanation.Reason, isCause: Bool)] = []
        let evidence = evidenceForPeople
        for evidence in evidence {
            guard let sentence = words.sentence(evidence) else { continue }
            if let index = merged.firstIndex(where: { $0.reason.text == sentence }) {
                merged[index].reason.weight? += evidence.weight
            } else {
                // The returns are those to all actions, so they say nothing about how often this one was done.
                let share = evidence.source == .returning ? nil : evidence.share
                let reason = Explanation.Reason(sentence, weight: evidence.weight, share: share)
                merged.append((reason, evidence.source == .trigger))
            }
        }
        func weight(_ index: Int) -> Double { merged[index].reason.weight ?? 0 }
        let order = merged.indices.filter { weight($0) >= Self.leastWeight }.sorted { one, other in
            if weight(one) != weight(other) { return weight(one) > weight(other) }
            return merged[one].isCause != merged[other].isCause ? merged[one].isCause : one < other
        }
        var reasons = order.prefix(max(limit, 0)).map { merged[$0].reason }
        // Weights alone do not say how often. But the strongest reason stays.
        if limit > min(reasons.count, 1), !reasons.contains(where: { $0.share != nil }),
            let counted = words.count(evidence)
        {
            reasons = reasons.prefix(limit - 1) + [counted]
        }
        guard hasRival else { return Explanation(reasons.map { .init($0.text, share: $0.share) }) }
        let shown = reasons.reduce(0) { $0 + ($1.weight ?? 0) }
        return Explanation(reasons, remainder: evidence.reduce(0) { $0 + $1.weight } - shown)
    }

    /// The evidence with the count of the trigger as people count: its occurrences, not the actions after it.
    private var evidenceForPeople: [Evidence] {
        guard let occasions else { return evidence }
        return evidence.map { evidence in
            var evidence = evidence
            if evidence.source == .trigger { evidence.share = occasions }
            return evidence
        }
    }

    /// Returns the count after the trigger as a reason without a weight; `nil` if there is none.
    func contextReason(_ circumstances: Circumstances, deviceName: String? = nil) -> Explanation.Reason? {
        let words = Words(
            circumstances: circumstances, deviceName: deviceName ?? localizedIn("device", "this device"),
            subject: .action)
        return evidenceForPeople.first { $0.source == .trigger }.flatMap { evidence in
            words.sentence(evidence).map { Explanation.Reason($0, share: evidence.share) }
        }
    }
}

/// Sentences for evidence, in the language of the user.
private struct Words {
    let circumstances: Circumstances
    let deviceName: String
    let subject: RankedAction.Subject

    /// The fewest returns to actions of about this recency that are often.
    private static let leastReturns = 3

    func sentence(_ evidence: Evidence) -> String? {
        switch evidence.source {
        case .recency: lately
        case .rank(0):
            choose(localized("you did this last"), localized("you used this app last")) {
                localized("you listened with %1 last", $0)
            }
        case .rank, .recentSequence, .lastSuccessor: nil
        case .match(let length): evidence.share?.count == 1 ? matched(length) : nil
        // A few returns are not a habit. The rest is the experience that people return to what they did last.
        case .returning where (evidence.share?.count ?? 0) < Self.leastReturns: lately
        case .returning:
            choose(
                localized("you often repeat what you did about as recently as this"),
                localized("you often return to apps that you used about as recently as this app")
            ) { localized("you often return to players that you used about as recently as %1", $0) }
        case .sessionStart: counted(evidence, localized("first after a break"))
        case .nextSessionStart: counted(evidence, localized("first after a session that began like the last one"))
        case .hoursAbout:
            choose(localized("done about this hour"), localized("you used this app about this hour")) {
                localized("you listened with %1 about this hour", $0)
            }
        case .frequency: frequency(evidence)
        case .sequence(let length):
            counted(
                evidence,
                length == 1
                    ? localized("after what you did last")
                    : localizedPlural(
                        "after the last thing that you did", "after the last %1 things that you did", length))
        case .trigger:
            if case .player(let name) = subject { chosen(evidence, name) } else { counted(evidence, trigger) }
        case .circumstance(let name): counted(evidence, phrase(name))
        case .circumstances(let one, let other):
            order(one) <= order(other)
                ? counted(evidence, localizedIn("two circumstances", "%1 %2", phrase(one), phrase(other)))
                : counted(evidence, localizedIn("two circumstances", "%1 %2", phrase(other), phrase(one)))
        case .allCircumstances: counted(evidence, localized("in the same circumstances as now"))
        }
    }

    private var lately: String {
        choose(localized("done lately"), localized("you used this app lately")) {
            localized("you listened with %1 lately", $0)
        }
    }

    /// Returns how often it was done: after the trigger, else on the device, else in all; `nil` if that is unknown.
    func count(_ evidence: [Evidence]) -> Explanation.Reason? {
        let sources: [EvidenceSource] = [.trigger, .circumstance("device"), .frequency]
        return sources.lazy.compactMap { source in evidence.first { $0.source == source } }.compactMap { evidence in
            sentence(evidence).map { Explanation.Reason($0, share: evidence.share) }
        }.first
    }

    private func choose(_ ofAction: String, _ ofApplication: String, _ ofPlayer: (String) -> String) -> String {
        switch subject {
        case .action: ofAction
        case .application: ofApplication
        case .player(let name): ofPlayer(name)
        }
    }

    private func matched(_ length: Int) -> String {
        choose(
            localizedPlural(
                "the last %1 thing was done in this order before; then came this",
                "the last %1 things were done in this order before; then came this", length),
            localizedPlural(
                "the last %1 thing was done in this order before; then you used this app",
                "the last %1 things were done in this order before; then you used this app", length)
        ) {
            localizedPlural(
                "the last %1 thing was done in this order before; then you listened with %2",
                "the last %1 things were done in this order before; then you listened with %2", length, $0)
        }
    }

    /// Returns a sentence for how often the subject was used in some circumstances.
    ///
    /// - Parameter phrase: the circumstances as an adverbial, such as “after unlocking”.
    private func counted(_ evidence: Evidence, _ phrase: String) -> String? {
        guard let share = evidence.share, share.count > 0 else { return nil }
        // “1 of 1 time” says no more.
        if share.total == 1 {
            return choose(
                localizedIn("circumstance", "once %1", phrase),
                localizedIn("circumstance", "you used this app once %1", phrase)
            ) { localizedIn("circumstance", "you listened with %1 once %2", $0, phrase) }
        }
        return choose(
            // TRANSLATORS: “4 of 5 times after connecting WH-1000XM4”. %3 is such a circumstance, or two of them.
            localizedPlural("%2 of %1 time %3", "%2 of %1 times %3", share.total, share.count, phrase),
            localizedPlural(
                "you used this app %2 of %1 time %3", "you used this app %2 of %1 times %3", share.total, share.count,
                phrase)
        ) {
            localizedPlural(
                "you listened with %4 %2 of %1 time %3", "you listened with %4 %2 of %1 times %3", share.total,
                share.count, phrase, $0)
        }
    }

    /// Returns a sentence for how often the subject was used. Only the latest actions are learned.
    private func frequency(_ evidence: Evidence) -> String? {
        guard let share = evidence.share, share.count > 0 else { return nil }
        if share.total == 1 {
            return choose(localized("the last time"), localized("you used this app the last time")) {
                localized("you listened with %1 the last time", $0)
            }
        }
        return choose(
            localizedPlural("%2 of the last %1 time", "%2 of the last %1 times", share.total, share.count),
            localizedPlural(
                "you used this app %2 of the last %1 time", "you used this app %2 of the last %1 times", share.total,
                share.count)
        ) {
            localizedPlural(
                "you listened with %3 %2 of the last %1 time", "you listened with %3 %2 of the last %1 times",
                share.total, share.count, $0)
        }
    }

    /// Returns a sentence for how often a player was chosen after the trigger. Occurrences of the trigger after which nothing
    /// was played are not known.
    private func chosen(_ evidence: Evidence, _ player: String) -> String? {
        guard let share = evidence.share, share.count > 0 else { return nil }
        return switch (share.count, share.total) {
        case (_, 1):
            // TRANSLATORS: %2 is a circumstance, such as “after connecting WH-1000XM4” or “after unlocking”.
            localizedIn("trigger", "you chose %1 the last time you listened %2", player, trigger)
        case (2, 2): localizedIn("trigger", "you chose %1 both times you listened %2", player, trigger)
        case let (count, total) where count == total:
            localizedPlural(
                "you chose %2 all %1 time you listened %3", "you chose %2 all %1 times you listened %3", total, player,
                trigger)
        case let (count, total):
            localizedPlural(
                "you chose %2 %4 of the %1 time you listened %3", "you chose %2 %4 of the %1 times you listened %3",
                total, player, trigger, count)
        }
    }

    /// The trigger as a circumstance.
    private var trigger: String { circumstances.trigger?.words(deviceName: deviceName) ?? localized("after this") }

    /// Returns a circumstance in words, such as “on Sundays”.
    private func phrase(_ name: String) -> String {
        let value = circumstances.values[name] ?? ""
        switch name {
        case "device": return localizedIn("circumstance", "with %1", deviceName)
        case "hour": return localized("around %1:00", value)
        case "weekday": return Self.weekday(value)
        case "power": return value == "battery" ? localized("on battery") : localized("on mains power")
        case "place":
            switch NamedPlace(value) {
            case .home: return localizedIn("circumstance", "at home")
            case .work: return localizedIn("circumstance", "at work")
            case .usual: return localized("at a place where you often are")
            case .other(let name): return localizedIn("circumstance", "at %1", name)
            }
        case "area": return localized("in this area")
        case "session": return localized("when you had just come to the computer")
        default: return localized("when %1 is %2", name, value)
        }
    }

    private func order(_ name: String) -> Int { ["weekday", "hour", "device"].firstIndex(of: name) ?? 3 }

    private static func weekday(_ value: String) -> String {
        switch value {
        case "1": localized("on Sundays")
        case "2": localized("on Mondays")
        case "3": localized("on Tuesdays")
        case "4": localized("on Wednesdays")
        case "5": localized("on Thursdays")
        case "6": localized("on Fridays")
        case "7": localized("on Saturdays")
        default: localized("on day %1", value)
        }
    }
}
