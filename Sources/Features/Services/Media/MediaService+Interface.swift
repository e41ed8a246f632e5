internal import DirectionServices
internal import Players
internal import Agent
internal import EventLoops
internal import AgentInterface
internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization
internal import Media
internal import Prediction
internal import Surfaces
internal import Triggers

extension MediaService {
    /// Returns the interface for players, devices and simulation.
    nonisolated func interfaces() -> [ObjectPath: [ExportedInterface]] { [HunchNames.root: [interface]] }

    private nonisolated var interface: ExportedInterface {
        ExportedInterface(
            evolving: HunchNames.media,
            [
                .method("Players", results: ["players"]) { [self] call async throws -> [PlayerReport] in
                    try await callers.permission(of: call).mayLook()
                    return await describePlayers()
                },
                .method("Devices", results: ["devices"]) { [self] call async throws -> [DeviceReport] in
                    try await callers.permission(of: call).mayLook()
                    return try await describeDevices()
                },
                .method("SetDevicePolicy", arguments: ["device", "policy"]) {
                    [self] (call, device: AudioDevice.ID, changes: VariantMap) async throws -> Void in
                    try await callers.permission(of: call).mayDecide()
                    try await setPolicy(changes, of: device)
                },
                .method("Simulate", arguments: ["trigger"], results: ["candidates"]) {
                    [self] (call, trigger: VariantMap) async throws -> [CandidateReport] in
                    let permission = try await callers.permission(of: call)
                    try permission.mayLook()
                    try SimulatedTrigger.checkKeys(of: trigger)
                    let simulated = try SimulatedTrigger(request: trigger)
                    if simulated.isOffered == true { try permission.mustBePerson("cause a trigger") }
                    return try await simulate(simulated)
                },
            ])
    }

    private func describePlayers() async -> [PlayerReport] {
        await environment.start.pass(atMost: configuration.firstLookTime, on: loop)
        await players?.firstLook(atMost: configuration.firstLookTime)
        var reports: [PlayerReport] = []
        let device = await deviceInUse()?.name
        for ranked in await rankedPlayers() {
            let player = ranked.player
            var report = PlayerReport()
            report.name = player.name.text
            report.isActive = reports.isEmpty && ranked.isEligible
            report.rank = ranked.reason
            report.device = device
            report.identity = player.identity
            report.application = await desktopID(of: player)
            report.status = (player.status ?? .stopped).rawValue.capitalized
            report.title = player.info?.title
            report.url = player.info?.contentURL
            report.isResponding = player.isResponding
            report.droppedChanges = player.droppedChanges > 0 ? UInt64(player.droppedChanges) : nil
            reports.append(report)
        }
        return reports
    }

    /// Returns the players, the active one first, ranked by playback, the user's last use, and the habits with the
    /// device in use.
    private func rankedPlayers() async -> [RankedPlayer] {
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
        let ranked = await players.rankedPlayers { [actions] player in actions[player.id].flatMap { chances[$0] } }
        // The probability is not a count: it is an estimate also where nothing was played yet.
        let device = await deviceInUse()?.id
        let recent = try? await history.use { store, _ in
            try store.donations(of: .playMedia, limit: Self.countedPlays).filter { $0.context.device == device }
        }
        return ranked.map { [actions] ranked in
            guard case .usual(let chance, _) = ranked.reason, let action = actions[ranked.player.id], let recent,
                !recent.isEmpty
            else { return ranked }
            let own = recent.count { $0.application == action.application }
            return RankedPlayer(
                player: ranked.player,
                reason: .usual(chance, plays: Explanation.Share(count: own, total: recent.count)))
        }
    }

    /// The maximum number of plays that are counted for the ranks of players.
    private static let countedPlays = 1_000

    private func describeDevices() async throws -> [DeviceReport] {
        await firstLook()
        let (policies, points) = try await history.use { store, _ in (try store.policies(), try store.resumePoints()) }
        let devices = await monitor?.status().devices ?? []
        remember(devices.map(\.device))
        let paused = await pausedElsewhere(devices.map(\.device), policies)
        var seen: [DeviceReport] = []
        for state in devices {
            var report = DeviceReport(state.device, policies[state.device.id])
            report.isConnected = state.isConnected
            report.hold = await hold(of: state)
            // On an unstable link, a device in use is ready only once its connection has held.
            report.isReady = state.isReady && report.hold != .unstable
            report.pausedBy = paused.contains(state.device.id) ? WirePlumber.name : nil
            seen.append(report)
        }
        // Plays on the machine's own speakers have a name, but those neither connect nor disconnect.
        let known = Set(policies.keys).union(points.map(\.device)).union(await notedDevices())
            .subtracting([AudioDevice.speakers])
        let away = known.subtracting(devices.map(\.device.id))
        let listed = away.filter { !$0.isEmpty }.sorted().prefix(Self.rememberedLimit)
        return seen
            + listed.map { identifier in
                let unnamed = AudioDevice(id: identifier, name: identifier.rawValue, kind: .other, transport: .other)
                let device = policies[identifier]?.device ?? knownDevices[identifier] ?? unnamed
                return DeviceReport(device, policies[identifier])
            }
    }

    /// The maximum number of listed devices that only the history knows.
    static let rememberedLimit = 64

    /// Returns the devices at whose disconnect another program already pauses players.
    func pausedElsewhere(
        _ devices: [AudioDevice], _ policies: [AudioDevice.ID: DevicePolicy]
    ) async -> Set<AudioDevice.ID> {
        let wanted = devices.map(\.id).filter { policies[$0]?.pauses == true }
        // It is one setting for all devices.
        guard !wanted.isEmpty, await isPausedElsewhere() else { return [] }
        return Set(wanted)
    }

    /// Changes the policy of a device. Missing keys stay unchanged.
    private func setPolicy(_ map: VariantMap, of device: AudioDevice.ID) async throws {
        let change = try DevicePolicyChange(request: map)
        let seen = await monitor?.status().devices.first { $0.device.id == device }?.device.withShownName
        try await history.use { store, _ in
            try store.changePolicy(of: device) { policy in
                policy.device = seen ?? policy.device
                policy.suggests = change.suggests ?? policy.suggests
                policy.resumes = change.resumes ?? policy.resumes
                policy.pauses = change.pauses ?? policy.pauses
            }
        }
        // The current suggestion is no longer wanted.
        if change.suggests == false {
            await desk.withdraw(because: "suggestions are off for the device") { $0.device == device }
            await desk.endWaits {
                localized("suggestions were switched off for %1", $0)
            } where: {
                $0.device == device
            }
        }
    }

    private func simulate(_ simulated: SimulatedTrigger) async throws -> [CandidateReport] {
        await firstLook()
        await players?.firstLook(atMost: configuration.firstLookTime)
        let trigger = try await simulatedTrigger(simulated)
        if simulated.isOffered == true { await desk.liftLimit() }
        var general = try await desk.hold()
        if case .device(let device, _) = trigger, try await !records.policy(of: device).suggests {
            general = .suggestionsOff(device: device.name)
        }
        var described: [CandidateReport] = []
        for candidate in try await candidates.ranked(at: trigger) {
            switch candidate {
            case .media(let candidate): described.append(try await describe(candidate, at: trigger, general))
            case .other(let choice):
                let suggestion = try await learned.suggestion(for: choice, candidates.context(at: trigger))
                if let suggestion { described.append(try await describe(suggestion, general)) }
            }
        }
        // The caller does not wait for apps that prepare.
        if simulated.isOffered == true {
            Task(executorPreference: loop) { [driver] in await driver.process(.caused(trigger), in: self) }
        }
        return described
    }

    private func describe(
        _ candidate: MediaCandidate, at trigger: MediaTrigger, _ general: Hold?
    ) async throws -> CandidateReport {
        let name = await library.name(of: candidate.application, players: players)
        var isRunning = await players?.players().contains { $0.mayBelong(to: candidate.application) } ?? false
        if !isRunning { isRunning = try await library.owner(of: candidate.application) != nil }
        let playing = await facts().playing(except: try await records.exclusions())
        let own = await desk.hold(
            of: SuggestionPair(trigger: trigger.trigger, application: candidate.application, kind: .media),
            score: candidate.score)
        let (info, obstacle) = await outlook(of: candidate, at: trigger)
        var report = CandidateReport(
            candidate.application, kind: .media,
            title: info.map(MediaWording.title) ?? localizedIn("app", "Play something from %1", name),
            subtitle: info.map { MediaWording.subtitle($0, app: name) } ?? name,
            explanation: candidate.explanation(of: candidate.item))
        report.score = candidate.score
        report.isRunning = isRunning
        report.hold = playing.map { .playing($0.name) } ?? obstacle.map(Hold.notPrepared) ?? general ?? own
        return report
    }

    /// Returns why an item could not be played, as far as Hunch knows without asking its app.
    func obstacle(to item: ContentItem.ID?, of application: AppID) async -> String? {
        guard let players else { return nil }
        return await library.obstacle(to: item, of: await library.app(application, players: players))
    }

    private func describe(_ suggestion: Suggestion, _ general: Hold?) async throws -> CandidateReport {
        let own = await desk.hold(of: SuggestionPair(suggestion), score: suggestion.score)
        var report = CandidateReport(
            suggestion.application, kind: suggestion.kind, title: suggestion.title, subtitle: suggestion.subtitle,
            explanation: suggestion.explanation)
        report.score = suggestion.score
        report.isRunning = try await library.owner(of: suggestion.application) != nil
        report.hold = general ?? own
        return report
    }

    private func simulatedTrigger(_ simulated: SimulatedTrigger) async throws -> MediaTrigger {
        var simulated = simulated
        // A kind of device is a trigger, too.
        if let word = simulated.trigger, AudioDevice.Kind(rawValue: word) != nil {
            (simulated.kind, simulated.trigger) = (word, nil)
        }
        guard let word = simulated.trigger else {
            return .device(try await simulatedDevice(simulated), readyAt: .now)
        }
        guard let event = PersonEvent(Trigger(word)) else {
            let known = Trigger.plainTexts.joined(separator: ", ")
            throw DBusError(.invalidInput, "“\(word.cut(to: 40))” is not one of \(known)")
        }
        return .person(event, await deviceInUse())
    }

    /// Returns the device of a simulated trigger: a present one, or one with history. Without details, the connected
    /// one.
    private func simulatedDevice(_ simulated: SimulatedTrigger) async throws -> AudioDevice {
        let devices = await monitor?.status().devices ?? []
        let seen = devices.map(\.device)
        if let identifier = simulated.device {
            if let device = seen.first(where: { $0.id == identifier }) ?? knownDevices[identifier] { return device }
            let stored = try await history.use { store, _ in try store.policies()[identifier]?.device }
            // Its identifier means nothing to a user.
            return stored
                ?? AudioDevice(
                    id: identifier, name: localizedIn("device", "this device"), kind: .other, transport: .other)
        }
        guard let word = simulated.kind else {
            if let device = SimulatedDevice.find(nil, among: devices) { return device }
            throw DBusError(.notFound, localized("no device is connected; connect one, or give a kind of device"))
        }
        guard let kind = AudioDevice.Kind(rawValue: word) else {
            let known = AudioDevice.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw DBusError(.invalidInput, "give a trigger, a device, or a kind of device: \(known)")
        }
        if let device = SimulatedDevice.find(kind, among: devices) { return device }
        if simulated.isOffered == true {
            let identifier = AudioDevice.ID("test-\(kind.rawValue)")
            return AudioDevice(id: identifier, name: kind.rawValue, kind: kind, transport: .other)
        }
        let known = AudioDevice.Kind.allCases.filter { kind in seen.contains { $0.kind == kind } }.map(\.rawValue)
        throw DBusError(
            .notFound,
            known.isEmpty
                ? localized(
                    "no device of the kind “%1” is here; connect one, or give one that “hunch devices” showed before",
                    kind.rawValue)
                : localized(
                    "no device of the kind “%1” is here; ask for %2, which “hunch devices” lists", kind.rawValue,
                    known.joined(separator: localized(" or "))))
    }
}

extension DeviceReport {
    /// Creates the report of a device that is not connected.
    fileprivate init(_ device: AudioDevice, _ policy: DevicePolicy?) {
        let policy = policy ?? DevicePolicy()
        self.init()
        (id, name) = (device.id, device.name)
        (kind, transport) = (device.kind.rawValue, device.transport.rawValue)
        (suggests, resumes, pauses) = (policy.suggests, policy.resumes, policy.pauses)
    }
}

extension CandidateReport {
    fileprivate init(
        _ application: AppID, kind: Suggestion.Kind, title: String, subtitle: String, explanation: Explanation
    ) {
        func shown(_ text: String) -> String { DisplayText(text, limit: 512).text }
        self.init()
        self.application = application
        (self.kind, self.title, self.subtitle) = (shown(kind.rawValue), shown(title), shown(subtitle))
        self.explanation = explanation.withTexts(shown)
    }
}
