import CommandSupport
import AgentInterface
import ArgumentParser
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import Localization

/// `hunch players`.
struct PlayersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "players",
        abstract: localized("List the running media players, the active one first, with the reason."),
        discussion: localized(
            """
            A playing player comes first, then the one used last, then the one that you usually use on the current device. \
            Browsers that play nothing come last.

            Example:
              hunch players
            """))

    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    private struct Fields: Encodable {
        let name: String
        let identity: String?
        let app: AppID?
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
            throw CommandError(localized("no media player runs"), ExitStatus.nothingFound)
        }
        let fields = players.map { player in
            Fields(
                name: player.name, identity: player.identity, app: player.application, status: player.status,
                title: player.title, url: player.url, active: player.isActive,
                why: player.rank.words(device: player.device ?? localized("this computer")),
                responding: player.isResponding, dropped: player.droppedChanges)
        }
        try Table.list(
            fields, json: json, localized("Player"), localized("App"), localized("Status"), localized("Title"),
            localized("Why")
        ) {
            [$0.identity ?? $0.name, $0.app?.rawValue ?? "", Self.state($0), $0.title ?? "", $0.why]
        }
    }
}

extension PlayersCommand {
    /// Returns the player's state, and the number of changes that were dropped.
    private static func state(_ player: Fields) -> String {
        let status = CodeWords.playback(player.status)
        guard let dropped = player.dropped else { return status }
        return localizedPlural(
            "%2; sends too many changes: %1 change not read", "%2; sends too many changes: %1 changes not read",
            Int(clamping: dropped),
            status)
    }
}

/// `hunch devices`.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: localized("List the headphones, speakers and cars that Hunch sees."),
        discussion: localized(
            """
            Example:
              hunch devices
            """))

    @Flag(help: .localized("Write one JSON object a line."))
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
        let (devices, unwatched) = try await AgentSession.run { agent in
            // An identifier from the history without a name means nothing to a user.
            let devices = try await agent.devices().filter { $0.name != $0.id.rawValue || $0.isConnected }
            guard devices.isEmpty else { return (devices, try await agent.reasonForNotWatching()) }
            throw CommandError(
                try await agent.reasonForNothing(localized("no headphones, speaker or car is known")),
                ExitStatus.nothingFound)
        }
        let fields = devices.map { device in
            Fields(
                id: device.id, name: device.name, kind: device.kind, transport: device.transport,
                connected: device.isConnected, ready: device.isReady, held: device.hold?.description,
                suggest: device.suggests)
        }
        try Table.list(
            fields, json: json, localized("Device"), localized("Kind"), localized("Connected by"), localized("State")
        ) {
            [
                $0.name, CodeWords.device($0.kind), CodeWords.transport($0.transport),
                unwatched == nil ? Self.state($0) : localized("not watched"),
            ]
        }
        if let unwatched { Output.complain(unwatched) }
    }
}

extension DevicesCommand {
    private static func state(_ device: Fields) -> String {
        guard device.suggest else {
            return device.connected
                ? localized("connected; suggestions off") : localized("not connected; suggestions off")
        }
        if device.ready {
            return switch device.held {
            case nil: localized("ready")
            case DeviceHold.alreadyThere.description?:
                localized(
                    "ready, but already connected when Hunch began to watch: nothing is suggested until it connects again"
                )
            case let hold?: localized("ready, but nothing is suggested now: %1", hold)
            }
        }
        return device.held ?? (device.connected ? localized("connected") : localized("not connected"))
    }
}

/// `hunch simulate`.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: localized("Show what would be suggested at a trigger now, and why."),
        discussion: localized(
            """
            Shows the candidates and suggests nothing. Only the first one without a hold would be suggested. Without a \
            trigger, the connected device counts. “headphones” includes headsets, earbuds and hearing aids.

            With --offer, Hunch also prepares and offers what fits, as if it had happened, also for a device that is not here, \
            and without regard to the hourly limit.

            Exit code 1: nothing would be suggested, and standard error says why, or there is no such device; 2: there is no \
            such kind of device or trigger.

            Example:
              hunch simulate
              hunch simulate headphones
              hunch simulate unlock
              hunch simulate arrive:home
              hunch simulate --device 00:11:22:33:44:55 --json
            """))

    @Argument(
        help: .localized(
            """
            headphones, headset, earbuds, hearingAid, speaker, car, display, dock or other; login, unlock or resume; \
            arrive:PLACE or leave:PLACE, where PLACE is home, work, or place-1, place-2 and so on.
            """, valueName: "trigger"))
    var kind: String?

    @Option(help: .localized("The name of a device, or its identifier from “hunch devices --json”."))
    var device: AudioDevice.ID?

    @Flag(help: .localized("Also offer what fits, as if it had happened."))
    var offer = false

    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    private struct Fields: Encodable {
        let candidate: CandidateReport

        private enum Key: String, CodingKey { case app, kind, title, subtitle, score, running, held }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(candidate.application, forKey: .app)
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
    private var isDevice: Bool { kind.map { !Trigger($0).isPlain } ?? true }

    private static let known =
        localized(
            "the kinds of device are %1, and the other triggers are %2, where PLACE is home, work, or place-1, place-2 and so on",
            AudioDevice.Kind.allCases.map(\.rawValue).joined(separator: ", "),
            Trigger.plainTexts.joined(separator: ", "))

    func validate() throws {
        guard kind == nil || device == nil else {
            throw ValidationError(localized("give a trigger or --device, not both"))
        }
        // Checked here, so that a mistake does not start the agent.
        if let kind, isDevice, AudioDevice.Kind(rawValue: kind) == nil {
            throw ValidationError(localized("there is no “%1”; %2", kind.cut(to: 40), Self.known))
        }
        if let kind, let place = Trigger(kind).place, !NamedPlace.isLearned(place) {
            throw ValidationError(
                localized("“%1” is not a place that Hunch learns; %2", place.cut(to: 40), Self.known))
        }
    }

    func run() async throws {
        var identifier: AudioDevice.ID?
        if let device {
            identifier = try await KnownDevices.identifier(
                device.rawValue, environment: ProcessInfo.processInfo.environment)
        }
        let wanted = SimulatedTrigger(
            trigger: isDevice ? nil : kind, device: identifier, kind: isDevice ? kind : nil,
            isOffered: offer ? true : nil)
        let candidates = try await AgentSession.run { agent in
            try await agent.requireEnabled()
            return try await agent.simulate(wanted)
        }
        guard !candidates.isEmpty else {
            throw CommandError(nothing, ExitStatus.nothingFound)
        }
        var apps = AppNames(environment: ProcessInfo.processInfo.environment)
        try Table.list(
            candidates.map(Fields.init), json: json, localized("Suggestion"), localized("App"), localized("Score"),
            localized("Why")
        ) {
            let candidate = $0.candidate
            return [
                candidate.title, apps.name(of: candidate.application), LocalNumber.share(candidate.score),
                candidate.hold.map { localized("held: %1", $0) } ?? candidate.explanation.texts.first ?? "",
            ]
        }
        let holds = candidates.compactMap(\.hold?.description)
        guard holds.count == candidates.count else { return }
        var distinct: [String] = []
        for hold in holds where !distinct.contains(hold) { distinct.append(hold) }
        throw CommandError(
            localized("nothing would be suggested: %1", distinct.joined(separator: "; ")), ExitStatus.nothingFound,
            code: "held",
            isInOutput: true)
    }

    /// The reason why there are no candidates.
    private var nothing: String {
        guard isDevice else { return localized("nothing would be suggested: you have no habit at this trigger") }
        if let device { return localized("nothing would be suggested: nothing was played on %1 yet", device) }
        guard let kind else {
            return localized("nothing would be suggested: nothing was played on the connected device yet")
        }
        return localized(
            "nothing would be suggested: nothing was played on the %1 yet",
            CodeWords.device(kind))
    }
}
