internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Prediction
internal import Suggestions
internal import Surfaces
internal import Triggers

extension MediaFlow {
    /// Players, devices, and what would be offered, on the bus.
    nonisolated func interface() -> ExportedInterface {
        ExportedInterface(
            HunchNames.media,
            [
                .method("Players", results: ["players"]) { [self] call async throws -> [VariantMap] in
                    try await CallerStanding.of(call, configuration).mayLook()
                    return await describePlayers()
                },
                .method("Devices", results: ["devices"]) { [self] call async throws -> [VariantMap] in
                    try await CallerStanding.of(call, configuration).mayLook()
                    return try await describeDevices()
                },
                .method("SetDevicePolicy", arguments: ["device", "policy"]) {
                    [self] (call, device: String, changes: VariantMap) async throws -> Void in
                    try await CallerStanding.of(call, configuration).mayDecide()
                    try await setPolicy(changes, of: device)
                },
                .method("Simulate", arguments: ["trigger"], results: ["candidates"]) {
                    [self] (call, trigger: VariantMap) async throws -> [VariantMap] in
                    try await CallerStanding.of(call, configuration).mayLook()
                    return try await simulate(trigger)
                },
                .property("Version", notice: .constant) { HunchNames.version },
            ])
    }

    private func describePlayers() async -> [VariantMap] {
        await players?.firstLook(atMost: configuration.firstLookTime)
        var described: [VariantMap] = []
        let device = await deviceInUse()?.name ?? "this computer"
        for standing in await standings() {
            let player = standing.player
            var map: VariantMap = [
                "active": .boolean(described.isEmpty && standing.isEligible),
                "why": .string(MediaWording.words(standing.reason, device: device)),
                "name": .string(player.name.text), "identity": .string(player.identity),
                "application": .string(await desktopID(of: player)),
                "status": .string((player.status ?? .stopped).rawValue.capitalized),
            ]
            map["title"] = (player.info?.title).map(Value.string)
            map["url"] = (player.info?.contentURL).map(Value.string)
            map["responding"] = .boolean(player.isResponding)
            if player.droppedChanges > 0 { map["dropped"] = .uint64(UInt64(player.droppedChanges)) }
            described.append(map)
        }
        return described
    }

    /// The players, the active one first, by what plays, what the person touched and what was learned of the device in use.
    private func standings() async -> [PlayerStanding] {
        guard let players else { return [] }
        var actions: [MPRISPlayer.ID: Action] = [:]
        for player in await players.players() {
            actions[player.id] = Action(application: await desktopID(of: player), kind: .playMedia)
        }
        let plays = await habits.plays
        let known = Set(actions.values.filter { plays.count(of: $0) > 0 })
        let circumstances = Circumstances(await present.now(device: await deviceInUse()))
        let predictions = plays.predict(
            circumstances, at: configuration.now(), among: Array(known), limit: known.count)
        let chances = Dictionary(predictions.map { ($0.action, $0.probability) }) { first, _ in first }
        return await players.standings { [actions] player in actions[player.id].flatMap { chances[$0] } }
    }

    private func describeDevices() async throws -> [VariantMap] {
        await monitor?.firstLook(atMost: configuration.firstLookTime)
        let (policies, points) = try await history.use { store, _ in (try store.policies(), try store.resumePoints()) }
        let devices = await monitor?.status().devices ?? []
        let paused = await pausedElsewhere(devices.map(\.device), policies)
        let seen = devices.map { state in
            var map = Self.map(state.device, policies[state.device.id])
            map["connected"] = .boolean(state.isConnected)
            map["ready"] = .boolean(state.isReady)
            map["held"] = state.hold.map { .string($0.description) }
            if paused.contains(state.device.id) { map["pausedBy"] = .string(WirePlumber.name) }
            return map
        }
        let away = Set(policies.keys).union(points.map(\.device)).subtracting(devices.map(\.device.id))
        let listed = away.filter { !$0.isEmpty }.sorted().prefix(Self.rememberedLimit)
        return seen
            + listed.map { identifier in
                let unnamed = AudioDevice(id: identifier, name: identifier, kind: .other, transport: .other)
                return Self.map(policies[identifier]?.device ?? unnamed, policies[identifier])
            }
    }

    /// The most devices that are listed though only the history knows them.
    private static let rememberedLimit = 64

    /// A device that is not connected, with the keys of `org.hunch.Media1.Devices`.
    private static func map(_ device: AudioDevice, _ policy: DevicePolicy?) -> VariantMap {
        let map: VariantMap = [
            "id": .string(device.id), "name": .string(device.name), "kind": .string(device.kind.rawValue),
            "transport": .string(device.transport.rawValue), "connected": .boolean(false), "ready": .boolean(false),
        ]
        return map.merging((policy ?? DevicePolicy()).transfer) { $1 }
    }

    /// The devices of which another program does what the person wants done when they go away.
    private func pausedElsewhere(
        _ devices: [AudioDevice], _ policies: [AudioDevice.ID: DevicePolicy]
    ) async -> Set<AudioDevice.ID> {
        let wanted = devices.map(\.id).filter { policies[$0]?.pauses == true }
        // It is one setting for all of them.
        guard !wanted.isEmpty, await isPausedElsewhere() else { return [] }
        return Set(wanted)
    }

    /// Changes what the person wants of a device; what is not told stays.
    private func setPolicy(_ changes: VariantMap, of device: String) async throws {
        if let unknown = changes.keys.sorted().first(where: { DevicePolicy().transfer[$0] == nil }) {
            throw DBusError(.invalidInput, "“\(unknown.cut(to: 40))” is not one of suggest, resume and pause")
        }
        guard changes.values.allSatisfy({ if case .boolean = $0 { true } else { false } }) else {
            throw DBusError(.invalidArgs, "“suggest”, “resume” and “pause” are booleans")
        }
        let seen = await monitor?.status().devices.first { $0.device.id == device }?.device.withShownName
        try await history.use { store, _ in
            var policy = try store.policies()[device] ?? DevicePolicy()
            policy.device = seen ?? policy.device
            policy.suggests = try changes.value("suggest", as: Bool.self) ?? policy.suggests
            policy.resumes = try changes.value("resume", as: Bool.self) ?? policy.resumes
            policy.pauses = try changes.value("pause", as: Bool.self) ?? policy.pauses
            try store.setPolicy(policy, of: device)
        }
        // What stands is not wanted any more.
        if try changes.value("suggest", as: Bool.self) == false {
            await desk.withdraw(because: "suggestions are off for the device") { $0.device == device }
        }
    }

    private func simulate(_ trigger: VariantMap) async throws -> [VariantMap] {
        await monitor?.firstLook(atMost: configuration.firstLookTime)
        await players?.firstLook(atMost: configuration.firstLookTime)
        let moment = try await simulatedMoment(trigger)
        let (media, choices) = try await candidates(for: moment)
        var general = try await silence(at: moment)
        if general == nil { general = try await desk.hold()?.description }
        var described: [VariantMap] = []
        for candidate in MomentCandidate.ranked(media, choices, at: moment) {
            switch candidate {
            case .media(let candidate): described.append(try await describe(candidate, at: moment, general))
            case .other(let choice):
                let suggestion = try await suggestion(for: choice, context(at: moment))
                if let suggestion { described.append(try await describe(suggestion, general)) }
            }
        }
        return described
    }

    private func describe(
        _ candidate: MediaCandidate, at moment: MediaMoment, _ general: String?
    ) async throws -> VariantMap {
        let name = await library.name(of: candidate.application, players: players)
        var isRunning = await players?.players().contains { $0.mayBelong(to: candidate.application) } ?? false
        if !isRunning { isRunning = try await isOnBus(candidate.application) }
        let playing = await players?.players().first { $0.status == .playing }
        let own = await hold(of: candidate, at: moment)
        let obstacle = await obstacle(to: candidate)
        return Self.map(
            candidate.application, kind: .media,
            title: candidate.info.map(MediaWording.title) ?? "Play something from \(name)",
            subtitle: candidate.info.map { MediaWording.subtitle($0, app: name) } ?? name, score: candidate.score,
            explanation: candidate.explanation(of: candidate.item), isRunning: isRunning,
            held: playing.map { "\($0.identity) plays already" } ?? obstacle ?? general ?? own?.description)
    }

    /// Why a candidate could not be played, as far as that is known without asking its app.
    private func obstacle(to candidate: MediaCandidate) async -> String? {
        guard let players else { return nil }
        let app = await library.app(candidate.application, players: players)
        return await library.obstacle(
            to: candidate.item ?? candidate.info.flatMap { $0.item ?? ItemIdentity.identifier(of: $0) }, of: app)
    }

    private func describe(_ suggestion: Suggestion, _ general: String?) async throws -> VariantMap {
        let own = await desk.hold(
            of: suggestion.application, score: suggestion.score, kind: suggestion.kind, in: suggestion.context)
        return Self.map(
            suggestion.application, kind: suggestion.kind, title: suggestion.title, subtitle: suggestion.subtitle,
            score: suggestion.score, explanation: suggestion.explanation,
            isRunning: try await isOnBus(suggestion.application),
            held: general ?? own?.description)
    }

    private func isOnBus(_ application: String) async throws -> Bool {
        guard let service = try? BusName(application) else { return false }
        return try await bus.owner(of: service) != nil
    }

    /// A candidate with the keys of `org.hunch.Media1.Simulate`.
    private static func map(
        _ application: String, kind: Suggestion.Kind, title: String, subtitle: String, score: Double,
        explanation: Explanation,
        isRunning: Bool, held: String?
    ) -> VariantMap {
        func shown(_ text: String) -> String { DisplayText(text, limit: 512).text }
        var map: VariantMap = [
            "application": .string(application), "kind": .string(shown(kind.rawValue)), "title": .string(shown(title)),
            "subtitle": .string(shown(subtitle)), "score": .double(score),
            "running": .boolean(isRunning),
        ]
        map.merge(explanation.transfer(shown)) { own, _ in own }
        map["held"] = held.map(Value.string)
        return map
    }

    private func simulatedMoment(_ trigger: VariantMap) async throws -> MediaMoment {
        guard let word = try trigger.text("trigger") else {
            return .device(try await simulatedDevice(trigger), readyAt: .now)
        }
        let device = await deviceInUse()
        let trigger = Trigger(word)
        switch trigger {
        case .session(let event): return .occasion(.session(event, cameBy: event), device)
        case .arrival(let place) where !place.isEmpty && place.utf8.count <= 128,
            .departure(let place) where !place.isEmpty && place.utf8.count <= 128:
            return .occasion(.stay(trigger), device)
        default:
            let known = SessionEvent.allCases.map(\.rawValue).joined(separator: ", ")
            throw DBusError(
                .invalidInput, "“\(word.cut(to: 40))” is not one of \(known), arrive:PLACE and leave:PLACE")
        }
    }

    /// The device that a simulated trigger means: one that is seen now, or one that something was played on. Where nothing
    /// is said of it, the one that is connected.
    private func simulatedDevice(_ trigger: VariantMap) async throws -> AudioDevice {
        let devices = await monitor?.status().devices ?? []
        let seen = devices.map(\.device)
        if let identifier = try trigger.text("device") {
            return seen.first { $0.id == identifier }
                ?? AudioDevice(id: identifier, name: identifier, kind: .other, transport: .other)
        }
        guard let word = try trigger.text("kind") else {
            if let device = SimulatedDevice.find(nil, among: devices) { return device }
            throw DBusError(.notFound, "no device is connected; connect one, or give a kind of device or --device")
        }
        guard let kind = AudioDevice.Kind(rawValue: word) else {
            let known = AudioDevice.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw DBusError(.invalidInput, "give a trigger, a device, or a kind of device: \(known)")
        }
        if let device = SimulatedDevice.find(kind, among: devices) { return device }
        let known = AudioDevice.Kind.allCases.filter { kind in seen.contains { $0.kind == kind } }.map(\.rawValue)
        let remedy =
            known.isEmpty
            ? "connect one, or give one that “hunch devices” showed before, with --device"
            : "ask for \(known.joined(separator: " or ")), which “hunch devices” lists"
        throw DBusError(.notFound, "no device of the kind “\(kind.rawValue)” is here; \(remedy)")
    }

    /// The keys of `org.hunch.Agent1.Status` that are about media.
    func status() async -> VariantMap {
        guard let monitor else {
            return ["bluez": .string("off"), "audio": .string("off"), "holds": [String]().dbusValue]
        }
        let status = await monitor.status()
        let holds = status.devices.compactMap { state in state.hold.map { "\(state.device.name): \($0)" } }
        let policies = try? await history.use { store, _ in try store.policies() }
        let paused = await pausedElsewhere(status.devices.map(\.device), policies ?? [:])
        var map: VariantMap = [
            "bluez": .string(Self.word(for: status.blueZ)), "audio": .string(Self.word(for: status.audioServer)),
            "holds": (holds + [lastHold].compactMap { $0 }).dbusValue,
        ]
        if !paused.isEmpty { map["pausedBy"] = .string(WirePlumber.name) }
        return map
    }

    private static func word(for source: TriggerStatus.Source) -> String {
        switch source {
        case .unknown: "starting"
        case .reachable: "watching"
        case .absent: "absent"
        case .unreachable(let reason): "unreachable: \(reason)"
        }
    }
}

extension DevicePolicy {
    /// The policy with the keys of `org.hunch.Media1.Devices`.
    fileprivate var transfer: VariantMap {
        ["suggest": .boolean(suggests), "resume": .boolean(resumes), "pause": .boolean(pauses)]
    }
}
