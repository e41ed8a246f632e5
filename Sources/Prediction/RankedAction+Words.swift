public import HunchModel

extension RankedAction {
    /// The subject whose uses the evidence counts.
    public enum Subject: Sendable {
        /// The suggested action itself.
        case action
        /// The action's app, whatever it was used for: "you used this app 4 of 4 times after unlocking".
        case application
        /// The player of this name, whatever it played: "you listened with mpv the last time you connected WH-1000XM4".
        case player(String)
    }

    /// The least weight of a reason: half of the last digit shown.
    private static let leastWeight = 0.005

    /// Returns the evidence in words: "4 of 4 times after connecting WH-1000XM4". The trigger comes first because it
    /// answers "why now", then the other reasons by weight. Evidence with the same words becomes one reason.
    ///
    /// The weights of the reasons and the remainder sum to those of the evidence: the lead over the next action. If no
    /// other action was ever done, there is no lead, and the reasons have no weights.
    ///
    /// - Parameters:
    ///   - circumstances: The circumstances of the prediction.
    ///   - deviceName: The person's name for the device in the circumstances.
    ///   - subject: The subject of the evidence.
    ///   - limit: The most reasons. All other evidence goes into the remainder.
    public func explanation(
        _ circumstances: Circumstances, deviceName: String? = nil, of subject: Subject = .action, limit: Int = 3
    ) -> Explanation {
        let words = Words(circumstances: circumstances, deviceName: deviceName ?? "this device", subject: subject)
        var merged: [(reason: Explanation.Reason, isCause: Bool)] = []
        for evidence in evidence {
            guard let sentence = words.sentence(evidence) else { continue }
            if let index = merged.firstIndex(where: { $0.reason.text == sentence }) {
                merged[index].reason.weight? += evidence.weight
            } else {
                let reason = Explanation.Reason(sentence, weight: evidence.weight, share: evidence.share)
                merged.append((reason, evidence.source == .trigger))
            }
        }
        func weight(_ index: Int) -> Double { merged[index].reason.weight ?? 0 }
        let order = merged.indices.filter { weight($0) >= Self.leastWeight }.sorted { one, other in
            if merged[one].isCause != merged[other].isCause { return merged[one].isCause }
            return (weight(other), one) < (weight(one), other)
        }
        let reasons = order.prefix(max(limit, 0)).map { merged[$0].reason }
        guard hasRival else { return Explanation(reasons.map { Explanation.Reason($0.text, share: $0.share) }) }
        let shown = reasons.reduce(0) { $0 + ($1.weight ?? 0) }
        return Explanation(reasons, remainder: evidence.reduce(0) { $0 + $1.weight } - shown)
    }

    /// Returns the count after the trigger as a reason without a weight; `nil` if there is none.
    func contextReason(_ circumstances: Circumstances, deviceName: String? = nil) -> Explanation.Reason? {
        let words = Words(circumstances: circumstances, deviceName: deviceName ?? "this device", subject: .action)
        return evidence.first { $0.source == .trigger }.flatMap { evidence in
            words.sentence(evidence).map { Explanation.Reason($0, share: evidence.share) }
        }
    }
}

/// English sentences for evidence.
private struct Words {
    let circumstances: Circumstances
    let deviceName: String
    let subject: RankedAction.Subject

    func sentence(_ evidence: Evidence) -> String? {
        switch evidence.source {
        case .recency:
            return choose("often done lately", "you often used this app lately") {
                "you often listened with \($0) lately"
            }
        case .rank(0): return choose("what was done last", "you used this app last") { "you listened with \($0) last" }
        case .rank, .recentSequence, .lastSuccessor: return nil
        case .match(let length):
            guard evidence.share?.count == 1 else { return nil }
            let past = "the last \(length) things were done in this order before; then "
            return choose(past + "came this", past + "you used this app") { past + "you listened with \($0)" }
        case .returning:
            return choose(
                "you often repeat what you did about as recently as this",
                "you often return to apps that you used about as recently as this app"
            ) { "you often return to players that you used about as recently as \($0)" }
        case .sessionStart: return counted(evidence, "first after a break")
        case .nextSessionStart: return counted(evidence, "first after a session that began like the last one")
        case .hoursAbout:
            return choose("often done about this hour", "you often used this app about this hour") {
                "you often listened with \($0) about this hour"
            }
        case .frequency: return counted(evidence, "in all")
        case .sequence(1): return counted(evidence, "after what was done last")
        case .sequence(let length): return counted(evidence, "after the last \(length) things done")
        case .trigger:
            if case .player(let name) = subject, let event { return counted(evidence, name, event) }
            return counted(evidence, trigger)
        case .circumstance(let name): return counted(evidence, phrase(name))
        case .circumstances(let one, let other):
            let names = [one, other].sorted { order($0) < order($1) }
            return counted(evidence, names.map(phrase).joined(separator: " "))
        case .allCircumstances: return counted(evidence, "in the same circumstances as now")
        }
    }

    private func counted(_ evidence: Evidence, _ phrase: String) -> String? {
        guard let share = evidence.share, share.count > 0 else { return nil }
        let counts = "\(share.count) of \(share.total) \(share.total == 1 ? "time" : "times") \(phrase)"
        return choose(counts, "you used this app " + counts) { "you listened with \($0) \(counts)" }
    }

    private func choose(_ ofAction: String, _ ofApplication: String, _ ofPlayer: (String) -> String) -> String {
        switch subject {
        case .action: ofAction
        case .application: ofApplication
        case .player(let name): ofPlayer(name)
        }
    }

    /// Returns a sentence for how often a player was used after an event.
    private func counted(_ evidence: Evidence, _ name: String, _ event: String) -> String? {
        guard let share = evidence.share, share.count > 0 else { return nil }
        let times =
            switch (share.count, share.total) {
            case (_, 1): "the last time"
            case (2, 2): "both times"
            case let (count, total) where count == total: "all \(total) times"
            default: "\(share.count) of the \(share.total) times"
            }
        return "you listened with \(name) \(times) \(event)"
    }

    /// The trigger as a clause; `nil` for triggers without their own wording.
    private var event: String? {
        switch circumstances.trigger {
        case .device: "you connected \(deviceName)"
        case .session(.sessionStarted): "you logged in"
        case .session(.unlocked): "you unlocked the screen"
        case .session(.resumed): "the computer woke up"
        case .arrival(let place): "you arrived at \(self.place(place))"
        case .departure(let place): "you left \(self.place(place))"
        case .move, .launch, .activity, .other, nil: nil
        }
    }

    private var trigger: String {
        switch circumstances.trigger {
        case .device: "after connecting \(deviceName)"
        case .session(.sessionStarted): "after logging in"
        case .session(.unlocked): "after unlocking"
        case .session(.resumed): "after the computer woke up"
        case .arrival(let place): "after arriving at \(self.place(place))"
        case .departure(let place): "after leaving \(self.place(place))"
        case .move, .launch, .activity, .other: "after \(circumstances.trigger?.description ?? "this")"
        case nil: "after this"
        }
    }

    private func phrase(_ name: String) -> String {
        let value = circumstances.values[name] ?? ""
        return switch name {
        case "device": "with \(deviceName)"
        case "hour": "around \(value):00"
        case "weekday": "on \(Self.weekday(value))"
        case "power": value == "battery" ? "on battery" : "on mains power"
        case "place": "at \(place(value))"
        case "session": "when you had just come to the computer"
        default: "when \(name) is \(value)"
        }
    }

    private func place(_ word: String) -> String {
        word.hasPrefix("place-") ? "a place where you often are" : word
    }

    private func order(_ name: String) -> Int { ["weekday", "hour", "device"].firstIndex(of: name) ?? 3 }

    private static func weekday(_ value: String) -> String {
        let days = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"]
        guard let number = Int(value), (1...7).contains(number) else { return "day \(value)" }
        return days[number - 1]
    }
}
