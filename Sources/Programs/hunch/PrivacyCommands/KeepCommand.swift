import CommandSupport
import ArgumentParser
import FoundationEssentials
import History
import HunchKit
import HunchModel
import Localization

/// `hunch keep`: sets how long data is kept. Permissions are those of `hunch allow`; the former options remain.
struct KeepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep",
        abstract: localized("Set how long data is kept."),
        discussion: localized(
            """
            Without options, prints the settings. “hunch allow” sets what Hunch may use.

            Example:
              hunch keep --days 30
            """))

    @Option(help: .localized("The number of days, 1 to 3650."))
    var days: UInt32?
    @Option(help: .hidden)
    var record: [String] = []
    @Option(help: .hidden)
    var omit: [String] = []
    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Fields: Encodable {
        let days: UInt32
        let categories: [String: Bool]
    }

    func run() async throws {
        let (days, record, omit) = (days, record, omit)
        if let both = record.first(where: omit.contains) {
            throw CommandError(
                localized("“%1” cannot be both recorded and omitted; say one", both), ExitStatus.badInput)
        }
        let fields = try await AgentSession.run { agent in
            if let days { try await agent.setRetention(days: days) }
            for category in record { try await agent.setCategory(category, isRecorded: true) }
            for category in omit { try await agent.setCategory(category, isRecorded: false) }
            let kept = try await agent.retention()
            return Fields(days: kept.days, categories: kept.categories)
        }
        if json {
            try Output.raw(Output.json(fields))
            return
        }
        var table = Table(localized("What"), localized("Kept"))
        table.add(localized("anything"), localized("%1 days at most", fields.days))
        for (category, isRecorded) in fields.categories.sorted(by: { $0.key < $1.key }) {
            let isRead = category == PrivacyCategory.calendar.rawValue
            table.add(
                category,
                isRecorded
                    ? isRead ? localized("read") : localized("recorded")
                    : isRead ? localized("not read") : localized("not recorded"))
        }
        try table.print()
    }
}
