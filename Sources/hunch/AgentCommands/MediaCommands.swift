import AgentInterface
import ArgumentParser
import HunchDBus
import HunchKit

/// `hunch players`.
struct PlayersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "players",
        abstract: "The media players that run, as Hunch sees them.",
        discussion: """
            Example:
              hunch players
            """)

    @Flag(help: "Write one JSON object a line.")
    var json = false

    private struct Fields: Encodable {
        let name: String
        let identity: String?
        let application: String?
        let status: String
        let title: String?
        let url: String?
    }

    func run() async throws {
        let players = try await AgentSession.run { try await $0.unlessOff($0.players()) }
        var table = Table("Player", "App", "Status", "Title")
        for player in players {
            let fields = Fields(
                name: try player.value("name") ?? "", identity: try player.value("identity"),
                application: try player.value("application"), status: try player.value("status") ?? "",
                title: try player.value("title"), url: try player.value("url"))
            if json { try Output.raw(Output.json(fields)) }
            table.add(fields.identity ?? fields.name, fields.application ?? "", fields.status, fields.title ?? "")
        }
        if !json { try table.print() }
        if players.isEmpty { throw CommandError.nothingFound }
    }
}

/// `hunch devices`.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "The headphones, speakers and cars that Hunch sees.",
        discussion: """
            Example:
              hunch devices
            """)

    @Flag(help: "Write one JSON object a line.")
    var json = false

    private struct Fields: Encodable {
        let id: String
        let name: String
        let kind: String
        let transport: String
        let connected: Bool
        let ready: Bool
        let held: String?
    }

    func run() async throws {
        let devices = try await AgentSession.run { try await $0.unlessOff($0.devices()) }
        var table = Table("Device", "Kind", "Connected by", "State")
        for device in devices {
            let fields = Fields(
                id: try device.value("id") ?? "", name: try device.value("name") ?? "",
                kind: try device.value("kind") ?? "", transport: try device.value("transport") ?? "",
                connected: try device.value("connected") ?? false, ready: try device.value("ready") ?? false,
                held: try device.value("held"))
            if json { try Output.raw(Output.json(fields)) }
            let state = fields.ready ? "ready" : fields.held ?? (fields.connected ? "connected" : "not connected")
            table.add(fields.name, fields.kind, fields.transport, state)
        }
        if !json { try table.print() }
        if devices.isEmpty { throw CommandError.nothingFound }
    }
}

/// `hunch simulate`.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "What would be offered now if a device became ready, and why. Offers nothing.",
        discussion: """
            Example:
              hunch simulate headphones
              hunch simulate --device 00:11:22:33:44:55 --json
            """)

    @Argument(help: "headphones, headset, earbuds, hearingAid, speaker, car, display or other.")
    var kind: String?

    @Option(help: "A device, as “hunch devices --json” identifies it.")
    var device: String?

    @Flag(help: "Write one JSON object a line.")
    var json = false

    private struct Fields: Encodable {
        let application: String
        let title: String
        let subtitle: String
        let score: Double
        let reasons: [String]
        let running: Bool
    }

    func validate() throws {
        guard (kind == nil) != (device == nil) else { throw ValidationError("give a kind of device or --device") }
    }

    func run() async throws {
        var trigger: VariantMap = [:]
        trigger["kind"] = kind.map(Value.string)
        trigger["device"] = device.map(Value.string)
        let wanted = trigger
        let candidates = try await AgentSession.run { agent in
            do {
                return try await agent.unlessOff(agent.simulate(wanted))
            } catch let error as DBusError where error.name == .notFound {
                _ = try await agent.unlessOff([])
                throw error
            }
        }
        var table = Table("Suggestion", "App", "Score", "Why")
        for candidate in candidates {
            let fields = Fields(
                application: try candidate.value("application") ?? "", title: try candidate.value("title") ?? "",
                subtitle: try candidate.value("subtitle") ?? "", score: try candidate.value("score") ?? 0,
                reasons: try candidate.value("reasons") ?? [], running: try candidate.value("running") ?? false)
            if json { try Output.raw(Output.json(fields)) }
            let score = "\((fields.score * 100).rounded() / 100)"
            table.add(fields.title, fields.application, score, fields.reasons.first ?? "")
        }
        if !json { try table.print() }
        if candidates.isEmpty { throw CommandError.nothingFound }
    }
}

extension HunchAgent {
    /// What was found; when that is nothing because Hunch is off, says so.
    ///
    /// - Throws: ``CommandError`` with the exit code for nothing found.
    fileprivate func unlessOff(_ found: [VariantMap]) async throws -> [VariantMap] {
        guard found.isEmpty, try await status().value("enabled") == false else { return found }
        throw CommandError("Hunch is off; “hunch enable” switches it on", ExitStatus.nothingFound)
    }
}
