import ArgumentParser
import CommandSupport
import HunchKit
internal import HunchModel
import Localization

/// `hunch developer`.
struct DeveloperCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "developer",
        abstract: localized("Set whether programs may register as apps in development."),
        discussion: localized(
            """
            In developer mode, a program that no desktop entry names, such as a test or an interpreter, takes part as an app by \
            calling “Register” (hunch.register in Python and GJS). What it stores is listed as “dev:…” and forgotten when you \
            switch the mode off.

            Example:
              hunch developer on
              hunch developer off
            """))

    @Argument(help: .localized("on or off; the current state without it."))
    var state: DeviceCommand.Switch?

    func run() async throws {
        let state = state
        let isOn = try await AgentSession.run { agent in
            if let state { try await agent.set(.developerMode, isOn: state == .on) }
            return try await agent.isOn(.developerMode)
        }
        try Output.line(isOn ? localized("Developer mode is on.") : localized("Developer mode is off."))
    }
}
