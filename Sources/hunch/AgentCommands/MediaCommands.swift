import CommandSupport
import AgentInterface
import ArgumentParser
import HunchDBus
import HunchKit
import HunchModel

/// `hunch players`.
struct PlayersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "players",
        abstract: "List the running media players, the active one first, with the reason.",
        discussion: """
            A playing player comes first, then the one used last, then the one that you usually use on the current device. \
            Browsers that play nothing come last.

            Example:
              hunch players
            """)

    @Flag(help: "Write one JSON object a line.")
    var json = false

    private struct Fields: Encodable {
        let name: String
        let identity: String?
        let application: AppID?
        let status: String
        let title: String?
        let url: String?
        let active: Bool
        let why: String
        let responding: Bool?
        let dropped: UInt64?
    }

    func run() async throws {
        let players = try await AgentSession.run { agent in
            let players = try await agent.players()
            guard players.isEmpty else { return players }
            try await agent.requireEnabled()
            throw CommandError("no media player runs", ExitStatus.nothingFound)
        }
        let fields = players.map { player in
            Fields(
                name: player.name, identity: player.identity, application: player.application, status: player.status,
                title: player.title, url: player.url, active: player.isActive,
                why: player.rank.words(device: player.device ?? "this computer"),
                responding: player.isResponding, dropped: player.droppedChanges)
        }
        try Table.list(fields, json: json, "Player", "App", "Status", "Title", "Why") {
            [$0.identity ?? $0.name, $0.application?.rawValue ?? "", Self.state($0), $0.title ?? "", $0.why]
        }
    }
}

extension PlayersCommand {
    /// Returns the player's state, and the number of changes that were dropped.
    private static func state(_ player: Fields) -> String {
        guard let dropped = player.dropped else { return player.status }
        return "\(player.status); says too much: \(dropped) change\(dropped == 1 ? "" : "s") not read"
    }
}

/// `hunch devices`.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the headphones, speakers and cars that Hunch sees.",
        discussion: """
            Example:
              hunch devices
            """)

    @Flag(help: "Write one JSON object a line.")
    var json = false

    private struct Fields: Encodable {
        let id: AudioDevice.ID
        let name: String
        let kind: String
        let transport: String
        let connected: Bool
        let ready: Bool
        let held: String?
        let suggest: Bool
    }

    func run() async throws {
        let devices = try await AgentSession.run { agent in
            // An identifier from the history without a name means nothing to a person.
            let devices = try await agent.devices().filter { $0.name != $0.id.rawValue || $0.isConnected }
            guard devices.isEmpty else { return devices }
            throw CommandError(
                try await agent.reasonForNothing("no headphones, speaker or car is known"), ExitStatus.nothingFound)
        }
        let fields = devices.map { device in
            Fields(
                id: device.id, name: device.name, kind: device.kind, transport: device.transport,
                connected: device.isConnected, ready: device.isReady, held: device.hold?.description,
                suggest: device.suggests)
        }
        try Table.list(fields, json: json, "Device", "Kind", "Connected by", "State") {
            [$0.name, $0.kind, $0.transport, Self.state($0)]
        }
    }
}

extension DevicesCommand {
    private static func state(_ device: Fields) -> String {
        guard device.suggest else { return (device.connected ? "connected" : "not connected") + "; suggestions off" }
        if device.ready {
            // A device that was connected before the agent started is no trigger.
            return device.held == nil ? "ready" : "ready since before the agent started, so nothing is suggested now"
        }
        return device.held ?? (device.connected ? "connected" : "not connected")
    }
}

/// `hunch simulate`.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Show what would be suggested at a trigger now, and why.",
        discussion: """
            Shows the candidates and suggests nothing. Only the first one without a hold would be suggested. Without a \
            trigger, the connected device counts. “headphones” includes headsets, earbuds and hearing aids.

            Exit code 1: nothing would be suggested, and standard error says why; 2: there is no such kind of device or \
            trigger.

            Example:
              hunch simulate
              hunch simulate headphones
              hunch simulate unlock
              hunch simulate arrive:home
              hunch simulate --device 00:11:22:33:44:55 --json
            """)

    @Argument(
        help: ArgumentHelp(
            """
            headphones, headset, earbuds, hearingAid, speaker, car, display, dock or other; login, unlock or resume; \
            arrive:PLACE or leave:PLACE, where PLACE is home, work or place-N.
            """, valueName: "trigger"))
    var kind: String?

    @Option(help: "The identifier of a device from “hunch devices --json”.")
    var device: AudioDevice.ID?

    @Flag(help: "Write one JSON object a line.")
    var json = false

    private struct Fields: Encodable {
        let candidate: CandidateReport

        private enum Key: String, CodingKey { case application, kind, title, subtitle, score, running, held }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(candidate.application, forKey: .application)
            try container.encode(candidate.kind, forKey: .kind)
            try container.encode(candidate.title, forKey: .title)
            try container.encode(candidate.subtitle, forKey: .subtitle)
            try container.encode(candidate.score, forKey: .score)
            try ExplanationFields(candidate.explanation).encode(to: encoder)
            try container.encode(candidate.isRunning, forKey: .running)
            try container.encodeIfPresent(candidate.hold?.description, forKey: .held)
        }
    }

    /// Whether the trigger is a device.
    private var isDevice: Bool {
        switch kind.map(Trigger.init) {
        case .session, .arrival, .departure: false
        default: true
        }
    }

    /// Returns the place of an arrival or a departure.
    private static func place(_ trigger: String) -> String? {
        switch Trigger(trigger) {
        case .arrival(let place), .departure(let place): place
        default: nil
        }
    }

    private static let known =
        "the kinds of device are \(AudioDevice.Kind.allCases.map(\.rawValue).joined(separator: ", ")), and the other triggers are "
        + "\(SessionEvent.allCases.map(\.rawValue).joined(separator: ", ")), arrive:PLACE and leave:PLACE"

    func validate() throws {
        guard kind == nil || device == nil else {
            throw ValidationError("give a trigger or --device, not both")
        }
        // Checked here, so that a mistake does not start the agent.
        if let kind, isDevice, AudioDevice.Kind(rawValue: kind) == nil {
            throw ValidationError("there is no “\(kind.cut(to: 40))”; \(Self.known)")
        }
        if let kind, Self.place(kind)?.isEmpty == true {
            throw ValidationError("“\(kind)” has no place; \(Self.known)")
        }
    }

    func run() async throws {
        let wanted = SimulatedTrigger(
            trigger: isDevice ? nil : kind, device: device, kind: isDevice ? kind : nil)
        let candidates = try await AgentSession.run { agent in
            try await agent.requireEnabled()
            return try await agent.simulate(wanted)
        }
        guard !candidates.isEmpty else {
            throw CommandError(
                isDevice
                    ? "nothing would be suggested: nothing was played on \(device ?? "the \(kind ?? "connected device")") yet"
                    : "nothing would be suggested: you have no habit at this trigger", ExitStatus.nothingFound)
        }
        try Table.list(candidates.map(Fields.init), json: json, "Suggestion", "App", "Score", "Why") {
            let candidate = $0.candidate
            return [
                candidate.title, candidate.application.rawValue, "\((candidate.score * 100).rounded() / 100)",
                candidate.hold.map { "held: \($0)" } ?? candidate.explanation.texts.first ?? "",
            ]
        }
        let holds = candidates.compactMap(\.hold?.description)
        guard holds.count == candidates.count else { return }
        var distinct: [String] = []
        for hold in holds where !distinct.contains(hold) { distinct.append(hold) }
        throw CommandError(
            "nothing would be suggested: \(distinct.joined(separator: "; "))", ExitStatus.nothingFound, code: "held",
            isInOutput: true)
    }
}
