internal import HistoryExport
import CommandSupport
import ArgumentParser
import FoundationEssentials
import History
import HunchKit
internal import HunchModel
import Localization

/// `hunch pause`.
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: localized("Pause Hunch: record, prepare and suggest nothing for a while."),
        discussion: localized(
            """
            Without an end, Hunch stays paused until “hunch unpause”, also after a restart.

            Example:
              hunch pause --for 1h
              hunch pause --until 18:30
            """))

    @Option(name: .customLong("for"), help: .localized("The duration, such as 30m, 1h30m or 2d.", valueName: "span"))
    var span: String?
    @Option(help: .localized("The end, such as 18:30 or 2025-06-02T18:30.", valueName: "time"))
    var until: String?
    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Fields: Encodable {
        let paused = true
        let until: String?
    }

    func run() async throws {
        guard span == nil || until == nil else {
            throw CommandError(localized("give either --for or --until, not both"), ExitStatus.badInput)
        }
        var end: Date?
        if let span { end = Date().addingTimeInterval(try DateText.span(span)) }
        if let until { end = try DateText.date(until, .after) }
        if let end, end <= Date() {
            throw CommandError(localized("the end of the pause lies in the past"), ExitStatus.badInput)
        }
        let date = end
        try await AgentSession.run { try await $0.pause(until: date) }
        if json {
            let text = end.map { ExportLine.text(of: $0.milliseconds) }
            try Output.raw(Output.json(Fields(until: text)))
        } else {
            try Output.line(
                end.map { localized("Hunch is paused until %1.", DateText.words($0)) }
                    ?? localized("Hunch is paused until you run “hunch unpause”."))
        }
    }
}

/// `hunch unpause`.
struct UnpauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpause",
        abstract: localized("End a pause."),
        discussion: localized(
            """
            Example:
              hunch unpause
            """))

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Fields: Encodable {
        let paused = false
    }

    func run() async throws {
        try await AgentSession.run { try await $0.resume() }
        try Output.line(json ? Output.json(Fields()) : localized("Hunch is not paused."))
    }
}
