import CommandSupport
import AgentInterface
import ArgumentParser
import FoundationEssentials
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
            somewhere, started an app, left a page, or that an appointment was near. Sentences with “Now” name connected \
            devices at which nothing is suggested at present. The agent keeps this only while it runs, and forgets it when \
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
        let offered: Bool
        let hold: String?
        let sentence: String
    }

    func run() async throws {
        let (reports, devices) = try await AgentSession.run { agent in
            try await agent.requireRunning()
            let reports = try await agent.status().outcomes ?? []
            guard !reports.isEmpty else {
                throw CommandError(
                    try await agent.reasonForNothing(
                        localized("nothing happened yet that could lead to a suggestion"), orElse: nil),
                    ExitStatus.nothingFound)
            }
            return (reports, try await agent.devices())
        }
        var apps = AppNames(environment: ProcessInfo.processInfo.environment)
        let names = Dictionary(devices.map { ($0.id, $0.name) }) { first, _ in first }
        let dates = LocalDate(now: Date())
        let past = reports.reversed().map { report -> Fields in
            let date = Date(timeIntervalSince1970: Double(report.date) / 1_000_000)
            let occasion =
                switch Trigger(report.trigger) {
                case .device(let id): Trigger(report.trigger).words(deviceName: names[id] ?? id.rawValue)
                case .activity(let app): Trigger.activity(AppID(apps.name(of: app))).words(deviceName: "")
                case let trigger: trigger.words(deviceName: "")
                }
            let reason = report.hold?.pastClause { apps.name(of: $0) }
            return Fields(
                trigger: report.trigger, date: date.timeIntervalSince1970, offered: report.wasOffered, hold: reason,
                sentence: localizedIn(
                    "date, occasion and outcome", "%1, %2: %3.", dates.moment(date).withCapital, occasion,
                    Self.outcome(wasOffered: report.wasOffered, reason)))
        }
        let present = devices.filter(\.isConnected).compactMap { device in
            device.hold.map { hold in
                Fields(
                    trigger: Trigger.device(device.id).description, date: Date().timeIntervalSince1970, offered: false,
                    hold: hold.description, sentence: localized("Now, %1: %2", device.name, hold))
            }
        }
        let fields = present + past
        if json { return try fields.forEach { try Output.raw(Output.json($0)) } }
        for field in fields { try Output.line(field.sentence) }
    }

    /// Returns a clause that says what came of a trigger.
    private static func outcome(wasOffered: Bool, _ reason: String?) -> String {
        // The reason of an app may be a sentence.
        let reason = reason.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        return switch (wasOffered, reason) {
        case (true, nil): localized("something was offered")
        case (true, let reason?): localized("what was offered was not shown, because %1", reason)
        case (false, nil): localized("nothing was offered, because there was nothing to suggest")
        case (false, let reason?): localized("nothing was offered, because %1", reason)
        }
    }
}
