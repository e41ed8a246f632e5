import CommandSupport
import AgentInterface
import ArgumentParser
import FoundationEssentials
import History
import HunchDBus
import HunchKit
internal import HunchModel
import Localization

/// `hunch status`: shows whether Hunch is on and what it watches. Starts nothing.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: localized("Show whether Hunch is on and what it watches."),
        discussion: localized(
            """
            Example:
              hunch status
              hunch status --json
            """))

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    func run() async throws {
        let status = try await AgentSession.run { agent -> AgentStatus? in
            guard try await agent.isRunning() else { return nil }
            return try await agent.status()
        }
        let report = try status.map { StatusReport($0) } ?? StatusReport.withoutAgent()
        try report.write(json: json, held: status?.holds ?? [])
    }
}

/// The output of `hunch status`.
struct StatusReport: Encodable {
    /// The state of what a part of the agent watches or has.
    struct Part: Encodable {
        var part, title, state, text, level: String
        var count: UInt32?
        var remedy: String?

        init(_ report: PartReport) {
            (part, title, state, text) = (report.id, report.title, report.state, report.text)
            (level, count, remedy) = (report.level.rawValue, report.count, report.remedy)
        }
    }

    var running = false
    var enabled = false
    var paused = false
    /// The end of the pause, in seconds since 1970.
    var pausedUntil: Double?
    var withheld: String?
    var version: String?
    var pid: UInt32?
    var parts: [Part] = []
    var screen: String?
    var context: [String: String]?
    var history: String?
    var setAside: String?
    /// When a new history replaced a lost one, in seconds since 1970.
    var renewed: Double?
    var donations: UInt64?
    var engagements: UInt64?
    var suggestions: UInt64?
    var answers: UInt64?
    var holds: [String] = []
    var problems: [String] = []

    init(_ status: AgentStatus) {
        running = true
        enabled = status.isEnabled
        paused = status.isPaused
        pausedUntil = status.pausedUntil.map { Double($0) / 1_000_000 }
        withheld = status.withheld?.description
        version = status.version
        pid = status.processIdentifier
        parts = status.parts.map(Part.init)
        screen = status.screen
        context = status.context
        history = status.history
        setAside = status.setAside
        renewed = status.renewed.map { Double($0) / 1_000_000 }
        donations = status.donations
        engagements = status.engagements
        suggestions = status.suggestions
        answers = status.answers
        holds = (status.holds ?? []).map(\.description)
        problems = status.problems ?? []
    }

    private init() {}

    /// Reads the report from the files alone.
    static func withoutAgent() throws -> StatusReport {
        var report = StatusReport()
        let path = try HistoryStore.defaultPath(environment: ProcessInfo.processInfo.environment)
        report.history = path
        if let store = try HistoryStore.openReadOnly(at: path) {
            let settings = try store.settings()
            report.enabled = settings.isEnabled
            if let until = settings.pauseEnd(at: Date()) {
                report.paused = true
                report.pausedUntil = until.timeIntervalSince1970 < 253_402_300_799 ? until.timeIntervalSince1970 : nil
            }
            let counts = try store.counts()
            report.donations = UInt64(counts.donations)
            report.engagements = UInt64(counts.engagements)
            report.suggestions = UInt64(counts.suggestions)
            report.answers = UInt64(counts.answers)
            try store.close()
        }
        return report
    }

    /// - Parameter held: the holds, which people read with the commands that undo them.
    func write(json: Bool, held: [Hold]) throws {
        if json {
            try Output.raw(Output.json(self))
            return
        }
        var table = Table(localized("What"), localized("State"))
        // Just after the start, the settings are not known for a moment.
        let isOn = withheld == nil || withheld == RecordingVeto.settingsUnknown.description
        table.add(
            "Hunch",
            !enabled
                ? localized("off; “hunch enable” switches it on")
                : isOn ? CodeWords.setting(true) : localized("on, but it records nothing"))
        if paused {
            let end = pausedUntil.map { DateText.words(Date(timeIntervalSince1970: $0)) }
            table.add(localized("paused"), end.map { localized("until %1", $0) } ?? localized("until “hunch unpause”"))
        }
        if let withheld { table.add(localized("records nothing"), withheld) }
        table.add(
            localized("agent"),
            running ? localized("running, process %1, version %2", pid ?? 0, version ?? "?") : localized("not running"))
        for part in parts { table.add(part.title, part.text) }
        if screen == "hidden" { table.add(localized("screen"), localized("locked, or another session is in front")) }
        for (name, value) in (context ?? [:]).sorted(by: { $0.key < $1.key }) {
            let words = CodeWords.context(name, value)
            table.add(words.name, words.value)
        }
        if let history { table.add(localized("history"), history) }
        if let donations {
            table.add(
                localized("recorded"),
                [
                    localizedPlural("%1 action", "%1 actions", Int(clamping: donations)),
                    localizedPlural("%1 suggestion", "%1 suggestions", Int(clamping: suggestions ?? 0)),
                    localizedPlural(
                        "%1 answer to a request", "%1 answers to requests", Int(clamping: answers ?? 0)),
                ].joined(separator: localized(", ")))
        }
        if let renewed {
            let date = Date(timeIntervalSince1970: renewed)
            table.add(
                localized("new history"),
                localized("since %1, because the former one was deleted or moved", DateText.words(date)))
        }
        if let setAside { table.add(localized("damaged history"), setAside) }
        var apps = AppNames(environment: ProcessInfo.processInfo.environment)
        for hold in held { table.add(localized("hold"), hold.withRemedy(&apps)) }
        for problem in problems { table.add(localized("problem"), problem) }
        try table.print()
    }
}
