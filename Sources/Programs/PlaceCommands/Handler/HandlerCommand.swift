import CommandSupport
package import ArgumentParser
import Directions
import HunchModel
import FoundationEssentials
import Localization

/// `hunch handler`: makes Hunch the desktop's handler of places.
package struct HandlerCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "handler",
        abstract: localized("Make Hunch the desktop's handler of links to places."),
        discussion: localized(
            """
            While Hunch is the handler, a geo:, maps: or directions: link that you click \
            anywhere opens in the app that serves the place and that you usually choose. If \
            Hunch does not know which one, a notification asks once, and Hunch learns the \
            answer.

            Example:
              hunch handler install
              hunch handler status
            """),
        subcommands: [
            HandlerInstallCommand.self, HandlerRemoveCommand.self, HandlerStatusCommand.self, HandlerOpenCommand.self,
        ])

    package init() {}
}

/// The current handler in the output of commands.
struct HandlerReport: Encodable {
    private struct Scheme: Encodable {
        let scheme: String
        let handler: AppID?
        let former: AppID?

        private enum Key: String, CodingKey { case scheme, handler, former }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(scheme, forKey: .scheme)
            try container.encode(handler, forKey: .handler)
            try container.encode(former, forKey: .former)
        }
    }

    private let installed: Bool
    private let schemes: [Scheme]

    init(_ registrations: [LinkHandler.Registration]) {
        installed = registrations.allSatisfy(\.isHunch)
        schemes = registrations.map { Scheme(scheme: $0.scheme, handler: $0.handler, former: $0.other) }
    }

    /// Writes the report.
    ///
    /// - Parameter nothing: the message of a command that found nothing.
    /// - Throws: ``CommandError``, also if `nothing` is given.
    func write(json: Bool, nothing: String? = nil) throws {
        if json {
            try Output.raw(Output.json(self))
        } else {
            var table = Table(localized("Links"), localized("Opened by"), localized("Without Hunch"))
            for scheme in schemes {
                table.add(
                    scheme.scheme + ":", scheme.handler?.rawValue ?? localized("nothing"),
                    scheme.former?.rawValue ?? localized("nothing"))
            }
            try table.print()
        }
        if let nothing { throw CommandError(nothing, ExitStatus.nothingFound, isInOutput: json) }
    }
}

/// `hunch handler install`.
struct HandlerInstallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: localized("Make Hunch the handler of links to places."),
        discussion: localized(
            """
            Puts Hunch before the current handler in your mimeapps.list. “hunch handler \
            remove” restores it.

            Example:
              hunch handler install
            """))

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    func run() throws {
        guard let program = OwnProgram.path else {
            throw CommandError(localized("the path of this program is unknown"), ExitStatus.systemFailure)
        }
        let handler = LinkHandler(environment: ProcessInfo.processInfo.environment)
        try handler.install(program: program)
        try HandlerReport(handler.registrations).write(json: json)
    }
}

/// `hunch handler remove`.
struct HandlerRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: localized("Restore the previous handler of links to places."),
        discussion: localized(
            """
            Exit code 1: Hunch was not the handler.

            Example:
              hunch handler remove
            """))

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    func run() throws {
        let handler = LinkHandler(environment: ProcessInfo.processInfo.environment)
        let wasNamed = try handler.remove()
        try HandlerReport(handler.registrations).write(
            json: json, nothing: wasNamed ? nil : localized("Hunch was not what opens places"))
    }
}

/// `hunch handler status`.
struct HandlerStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: localized("Show the handler of links to places, and the one without Hunch."),
        discussion: localized(
            """
            Exit code 1: Hunch is not the handler.

            Example:
              hunch handler status --json
            """))

    @Flag(help: .localized("Write one JSON object."))
    var json = false

    func run() throws {
        let registrations = LinkHandler(environment: ProcessInfo.processInfo.environment).registrations
        let isHunch = registrations.allSatisfy(\.isHunch)
        try HandlerReport(registrations).write(
            json: json, nothing: isHunch ? nil : localized("Hunch does not open places"))
    }
}
