extension RankedAction {
    /// Why, in words, the weightiest first: "4 of 4 times after connecting WH-1000XM4".
    ///
    /// - Parameters:
    ///   - circumstances: those of the prediction.
    ///   - deviceName: what the person calls the device of the circumstances.
    ///   - limit: the most to return.
    public func reasons(_ circumstances: Circumstances, deviceName: String? = nil, limit: Int = 3) -> [String] {
        let words = Words(circumstances: circumstances, deviceName: deviceName ?? "this device")
        var reasons: [String] = []
        for evidence in evidence where evidence.weight > 0 && reasons.count < limit {
            if let sentence = words.sentence(evidence), !reasons.contains(sentence) { reasons.append(sentence) }
        }
        return reasons
    }
}

/// Evidence in English.
private struct Words {
    let circumstances: Circumstances
    let deviceName: String

    func sentence(_ evidence: Evidence) -> String? {
        switch evidence.source {
        case .recency: return "often done lately"
        case .rank(0): return "what was done last"
        case .rank, .recentSequence, .lastSuccessor: return nil
        case .frequency: return counted(evidence, "in all")
        case .sequence(1): return counted(evidence, "after what was done last")
        case .sequence(let length): return counted(evidence, "after the last \(length) things done")
        case .trigger: return counted(evidence, trigger)
        case .circumstance(let name): return counted(evidence, phrase(name))
        case .circumstances(let one, let other):
            let names = [one, other].sorted { order($0) < order($1) }
            return counted(evidence, names.map(phrase).joined(separator: " "))
        }
    }

    private func counted(_ evidence: Evidence, _ phrase: String) -> String? {
        guard let share = evidence.share, share.count > 0 else { return nil }
        return "\(share.count) of \(share.total) \(share.total == 1 ? "time" : "times") \(phrase)"
    }

    private var trigger: String {
        switch circumstances.trigger {
        case let trigger? where trigger.hasPrefix("device:"): "after connecting \(deviceName)"
        case "login": "after logging in"
        case "unlock": "after unlocking"
        case "resume": "after the computer woke up"
        case let trigger? where trigger.hasPrefix("arrive:"): "after arriving at \(place(trigger.dropFirst(7)))"
        case let trigger? where trigger.hasPrefix("leave:"): "after leaving \(place(trigger.dropFirst(6)))"
        case let trigger?: "after \(trigger)"
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
        case "place": "at \(place(value[...]))"
        case "session": "when you had just come to the computer"
        default: "when \(name) is \(value)"
        }
    }

    private func place(_ word: Substring) -> String {
        word.hasPrefix("place-") ? "a place where you often are" : String(word)
    }

    private func order(_ name: String) -> Int { ["weekday", "hour", "device"].firstIndex(of: name) ?? 3 }

    private static func weekday(_ value: String) -> String {
        let days = ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"]
        guard let number = Int(value), (1...7).contains(number) else { return "day \(value)" }
        return days[number - 1]
    }
}
