import CommandSupport
import ArgumentParser
import Directions
import FoundationEssentials
import HunchDBus
import HunchKit
import Localization

/// `hunch enable`: lets Hunch watch, record and suggest.
struct EnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: localized("Switch Hunch on: it watches, records and suggests from now on."),
        discussion: localized(
            """
            Before this, nothing is watched or recorded. Starts the agent now and at every login: through the systemd user \
            manager or, where there is none, through an entry in ~/.config/autostart. On a terminal, the first time says what \
            Hunch watches and keeps.

            Example:
              hunch enable
            """))

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Fields: Encodable {
        let enabled: Bool
        let startsAtLogin: Bool
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let introduction =
            json || !Terminal.output.isTerminal ? nil : Introduction.beforeFirstUse(environment: environment)
        let start = try await AgentSession.run { agent in
            // An agent that cannot be started would make the introduction wrong.
            try await agent.start()
            for line in introduction?.lines ?? [] { try Output.line(line) }
            try await agent.enable()
            return await LoginStart(agent.connection, environment: environment).enable()
        }
        if json {
            try Output.raw(Output.json(Fields(enabled: true, startsAtLogin: start != .none)))
            return
        }
        try Output.line(localized("Hunch is on."))
        switch start {
        case .userManager: break
        case .autostartEntry(let path): try Output.line(localized("It starts at login through %1.", path))
        case .none:
            try Output.line(
                localized("It does not start at login here: add hunchd to the programs that your session starts."))
        }
    }
}

/// `hunch disable`.
struct DisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: localized("Switch Hunch off. What was recorded stays."),
        discussion: localized(
            """
            Links to places then open in the app that opened them before “hunch handler install”. “hunch purge” removes \
            all that Hunch keeps.

            Example:
              hunch disable
            """))

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Fields: Encodable {
        let enabled: Bool
    }

    func run() async throws {
        try await AgentSession.run { agent in
            try await agent.disable()
            await LoginStart(agent.connection, environment: ProcessInfo.processInfo.environment).disable()
        }
        if json { return try Output.raw(Output.json(Fields(enabled: false))) }
        try Output.line(localized("Hunch is off. What was recorded stays."))
        let handler = LinkHandler(environment: ProcessInfo.processInfo.environment)
        if let other = handler.registrations.first(where: \.isHunch)?.other {
            try Output.line(localized("Links to places open in %1 again.", other))
        }
    }
}
