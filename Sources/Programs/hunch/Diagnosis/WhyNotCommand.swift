import CommandSupport
import AgentInterface
import ArgumentParser
import FoundationEssentials
import History
import HunchKit
import HunchModel
import Localization

/// `hunch why-not`.
struct WhyNotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why-not",
        abstract: localized("Say why nothing was suggested."),
        discussion: localized(
            """
            One sentence for each device that connected, and for the last time that you logged in or unlocked the screen, came \
            somewhere, started an app, left a page, or that an appointment was near. Sentences with “Now” say that \
            suggestions are paused, and name connected devices at which nothing is suggested at present. The agent keeps this only while it runs, and forgets it when \
            you forget or exclude anything.

            Exit code 1: nothing happened yet that could lead to a suggestion.

            Example:
              hunch why-not
              hunch why-not --json
            """))

    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    private struct Fields: Encodable {
        let trigger: String
        /// The date in seconds since 1970.
        let date: Double
        /// The date of the trigger, if the decision was postponed.
        var occasion: Double?
        let offered: Bool
        let hold: String?
        let sentence: String
    }

    func run() async throws {
        let (status, devices, present) = try await AgentSession.run { agent in
            try await agent.requireRunning()
            let status = try await agent.status()
            let devices = try await agent.devices()
            let present = try await Self.presentReasons(status, devices, agent)
            guard status.outcomes?.isEmpty == false || !present.isEmpty else {
                throw CommandError(
                    try await agent.reasonForNothing(Self.nothing(since: status)), ExitStatus.nothingFound)
            }
            return (status, devices, present)
        }
        var apps = AppNames(environment: ProcessInfo.processInfo.environment)
        // A device without a name has its identifier instead, which means nothing to people.
        let names = Dictionary(devices.filter { $0.name != $0.id.rawValue }.map { ($0.id, $0.name) }) { first, _ in
            first
        }
        let dates = LocalDate(now: Date())
        let past = (status.outcomes ?? []).reversed().map { report -> Fields in
            let date = Date(timeIntervalSince1970: Double(report.date) / 1_000_000)
            let begin = report.occasion.map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }
            let occasion =
                switch Trigger(report.trigger) {
                case .device(let id): Self.words(report, deviceName: names[id] ?? localizedIn("device", "a device"))
                case .activity(let app): Trigger.activity(AppID(apps.name(of: app))).words(deviceName: "")
                default: Self.words(report, deviceName: "")
                }
            let reason = report.hold?.pastClause { apps.name(of: $0) }
            let outcome =
                report.hold == .continued ? reason ?? "" : Self.outcome(wasOffered: report.wasOffered, reason)
            return Fields(
                trigger: report.trigger, date: date.timeIntervalSince1970, occasion: begin?.timeIntervalSince1970,
                offered: report.wasOffered, hold: reason,
                sentence: localizedIn(
                    "date, occasion and outcome", "%1, %2: %3.", dates.moment(begin ?? date).withCapital, occasion,
                    begin == nil ? outcome : localized("%1 (decided at %2)", outcome, dates.end(date))))
        }
        let now = present.map { device, reason in
            let reason = reason.sentence { apps.name(of: $0) }
            return Fields(
                trigger: device.map { Trigger.device($0.id).description } ?? "", date: Date().timeIntervalSince1970,
                offered: false, hold: reason,
                sentence: device.map { localized("Now, %1: %2", $0.name, reason) } ?? localized("Now: %1", reason))
        }
        let fields = now + past
        if json { return try fields.forEach { try Output.raw(Output.json($0)) } }
        for field in fields { try Output.line(field.sentence) }
    }

    /// Returns the clause for a status without results.
    private static func nothing(since status: AgentStatus) -> String {
        guard let since = status.outcomesSince else {
            return localized("nothing happened yet that could lead to a suggestion")
        }
        let date = LocalDate(now: Date()).end(Date(timeIntervalSince1970: Double(since) / 1_000_000))
        guard let excluded = status.outcomesExcluded else {
            return localized(
                "nothing that could lead to a suggestion has happened since you forgot something at %1", date)
        }
        var apps = AppNames(environment: ProcessInfo.processInfo.environment)
        return localized(
            "nothing that could lead to a suggestion has happened since you excluded %1 at %2", apps.name(of: excluded),
            date)
    }

    /// Returns the occasion of a result as a clause.
    private static func words(_ report: TriggerReport, deviceName: String) -> String {
        let trigger = Trigger(report.trigger)
        guard report.isTakenUp else { return trigger.words(deviceName: deviceName) }
        if case .device = trigger { return localized("%1 was already connected when Hunch started", deviceName) }
        return localized("when Hunch started again, %1", trigger.words(deviceName: ""))
    }

    /// A reason why nothing is suggested now.
    private enum Reason: Sendable {
        /// Hunch is off.
        case off
        /// Hunch is paused until a date; `nil` without an end.
        case paused(until: Date?)
        case device(DeviceHold)
        case hold(Hold)
        /// A device for which nothing to play is known.
        case nothingKnown
        /// The name of a player that is paused, but was not played on the device.
        case neverPlayed(String)
        /// The title of the suggestion for a device that has just disconnected, and whether the user accepted it.
        case away(String, isAccepted: Bool)
        /// The title of what would be suggested if the device connected now.
        case connectedBefore(String)
        /// The title of what would play by itself if the device connected now.
        case resumes(String)

        func sentence(naming name: (AppID) -> String) -> String {
            switch self {
            case .off: localized("Hunch is off; “hunch enable” switches it on.")
            case .paused(let end?):
                localized(
                    "Suggestions are paused until %1. What connects until then is not noticed.",
                    LocalDate(now: Date()).end(end))
            case .paused(nil):
                localized(
                    "Suggestions are paused until you run “hunch unpause”. What connects until then is not noticed.")
            case .device(let hold): hold.description
            case .hold(let hold): hold.sentence(naming: name)
            case .nothingKnown: localized("Nothing is known that you could play on it.")
            case .neverPlayed(let player):
                localized("%1 is paused, but was not played on it yet, so there is nothing to resume.", player)
            case .away(let title, isAccepted: false):
                localized("It has just disconnected. Unless it comes back within seconds, this ends: %1.", title)
            case .away(let title, isAccepted: true):
                localized("It has just disconnected. If it comes back within seconds, this starts: %1.", title)
            case .connectedBefore(let title): localized("Once it connects again, this is suggested: %1.", title)
            case .resumes(let title): localized("Once it connects again, playback continues: “%1”.", title)
            }
        }
    }

    /// Returns why nothing is suggested now: a pause, or the reason for each connected device.
    private static func presentReasons(
        _ status: AgentStatus, _ devices: [DeviceReport], _ agent: HunchAgent
    ) async throws -> [(device: DeviceReport?, reason: Reason)] {
        // Without earlier results, the error says it.
        if !status.isEnabled { return status.outcomes?.isEmpty == false ? [(nil, .off)] : [] }
        if status.isPaused {
            let end = status.pausedUntil.map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }
            return [(nil, .paused(until: end))]
        }
        // Suggestions for appointments say nothing about devices.
        let suggested = try await agent.suggestions().filter { !$0.isRequested }
        let isMediaSuggested = suggested.contains { $0.isMedia && $0.absentDevice(devices) == nil }
        var reasons: [(device: DeviceReport?, reason: Reason)] = []
        for suggestion in suggested {
            guard let device = suggestion.absentDevice(devices) else { continue }
            reasons.append((device, .away(suggestion.title, isAccepted: suggestion.state == "accepted")))
        }
        for device in devices where device.isConnected {
            if let hold = device.hold {
                reasons.append((device, .device(hold)))
            } else if device.isReady, !isMediaSuggested {
                let candidates = try await agent.simulate(SimulatedTrigger(device: device.id))
                let next = candidates.first { $0.hold == nil }
                guard !suggested.contains(where: { $0.title == next?.title }) else { continue }
                // Playback continues also where nothing is suggested.
                let off = Hold.suggestionsOff(device: device.name)
                let resumed = device.resumes ? try resumedPlay(on: device.id) : nil
                let mayResume = candidates.contains {
                    $0.application == resumed?.application && ($0.hold == nil || $0.hold == off)
                }
                let paused = candidates.isEmpty ? try await pausedPlayer(agent) : nil
                let reason: Reason =
                    if let resumed, mayResume {
                        .resumes(resumed.info.title)
                    } else if !device.suggests {
                        .hold(off)
                    } else if let next {
                        .connectedBefore(next.title)
                    } else {
                        try (candidates.first?.hold ?? excludedPlayer().map(Hold.excluded)).map(Reason.hold)
                            ?? paused.map(Reason.neverPlayed) ?? .nothingKnown
                    }
                reasons.append((device, reason))
            }
        }
        return reasons
    }

    /// Returns the play on a device that the agent would resume when the device connects; `nil` if there is none.
    private static func resumedPlay(on device: AudioDevice.ID) throws -> ResumePoint? {
        let path = try HistoryStore.defaultPath(environment: ProcessInfo.processInfo.environment)
        guard let store = try HistoryStore.openReadOnly(at: path) else { return nil }
        let excluded = try store.exclusions()
        return try store.resumePoints(device: device).filter {
            !excluded.contains($0.application) && !$0.info.isFinished
        }
        .max { $0.date < $1.date }
    }

    /// Returns the name of a player that is paused, at a device for which nothing to resume is known; `nil` if there is none.
    private static func pausedPlayer(_ agent: HunchAgent) async throws -> String? {
        let excluded = try await agent.exclusions()
        let paused = try await agent.players().first {
            $0.status == "Paused" && $0.title != nil && $0.rank != .remote && !excluded.contains($0.application)
        }
        return paused.map { $0.identity.isEmpty ? $0.application.rawValue : $0.identity }
    }

    /// Returns the excluded app that was played last, at a device for which nothing else is known, as the agent does.
    private static func excludedPlayer() throws -> AppID? {
        let path = try HistoryStore.defaultPath(environment: ProcessInfo.processInfo.environment)
        return try HistoryStore.openReadOnly(at: path)?.excludedPlayer()
    }

    /// Returns a clause that says what came of a trigger.
    private static func outcome(wasOffered: Bool, _ reason: String?) -> String {
        // The reason of an app may be a sentence.
        let reason = reason.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        return switch (wasOffered, reason) {
        case (true, nil): localized("something was suggested")
        case (true, let reason?): localized("what was suggested was not shown, because %1", reason)
        case (false, nil): localized("nothing was suggested, because nothing was known that fits")
        case (false, let reason?): localized("nothing was suggested, because %1", reason)
        }
    }
}
