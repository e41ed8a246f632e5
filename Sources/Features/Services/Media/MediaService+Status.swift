internal import Agent
internal import EventLoops
internal import AgentInterface
internal import History
internal import HunchModel
internal import Learning
internal import Localization
internal import Media
internal import Suggestions
internal import Triggers

/// The values of the agent's status about media.
extension MediaService {
    /// Completes the agent's status with the values about media.
    func completed(_ status: AgentStatus, isComplete: Bool) async -> AgentStatus {
        var status = status
        if isComplete { status.holds = [] }
        await takingUp.pass(atMost: configuration.firstLookTime, on: loop)
        let watched = await monitor?.status()
        status.parts += [
            Self.part("bluez", "Bluetooth", watched?.blueZ),
            Self.part("audio", localized("audio"), watched?.audioServer),
        ]
        guard isComplete, let watched else { return status }
        var holds: [Hold] = []
        for state in watched.devices {
            if let hold = await hold(of: state) { holds.append(.notReady(device: state.device.name, hold)) }
        }
        for hold in [await presentHold()].compactMap(\.self) + (await presentHolds(at: watched.devices))
        where !holds.contains(hold) { holds.append(hold) }
        status.holds = holds
        let policies = try? await history.use { store, _ in try store.policies() }
        let paused = await pausedElsewhere(watched.devices.map(\.device), policies ?? [:])
        if !paused.isEmpty {
            status.parts.append(
                PartReport(
                    "pausing", localized("pausing"), state: WirePlumber.name,
                    localized(
                        "%1 pauses playback when a device disconnects, so Hunch does not", WirePlumber.name)))
        }
        return status
    }

    /// Returns the hold at the last trigger, if it still holds.
    private func presentHold() async -> Hold? {
        let hold = await driver.lastHold
        switch hold {
        case .muted(let pair): return await desk.isMuted(pair) ? hold : nil
        case .excluded(let application):
            let excluded = try? await records.exclusions()
            return excluded?.contains(application) == false ? nil : hold
        case .suggestionsOff(let name):
            let device = await monitor?.status().devices.first { $0.device.name == name }?.device.id
            guard let device, await suggests(at: device) else { return hold }
            return nil
        case .playing(let player):
            let named = await facts().players.filter { $0.name == player }
            // An app without a player says by itself that it plays.
            return named.isEmpty || named.contains(where: \.player.isPlaying) ? hold : nil
        case .likelierSuggested: return await desk.openIdentifiers.isEmpty ? nil : hold
        case .appointmentFirst, .paused, .tooMany, .beingCarriedOut: return (try? await desk.hold()) ?? nil
        default: return hold
        }
    }

    /// Returns what keeps suggestions from the devices that are ready: that enough was suggested, or what the user does
    /// not want there, such as a muted app or the excluded one that alone could be played. An unreadable history has no
    /// preference.
    private func presentHolds(at devices: [DeviceStatus]) async -> [Hold] {
        guard devices.contains(where: \.isReady) else { return [] }
        let muted = await desk.board.mutedPairs.keys.sorted { $0.application < $1.application }
        let excluded = try? await records.excludedPlayer()
        let isQuiet = await desk.openIdentifiers.isEmpty
        var holds: [Hold] = []
        if isQuiet, let hold = try? await desk.hold(), case .tooMany = hold { holds.append(hold) }
        for device in devices.filter(\.isReady).map(\.device) {
            guard await suggests(at: device.id) else {
                holds.append(.suggestionsOff(device: device.name))
                continue
            }
            for pair in muted where pair.trigger == .device(device.id) {
                if await desk.isMuted(pair) { holds.append(.muted(pair)) }
            }
            guard let excluded else { continue }
            let ranked = try? await candidates.ranked(at: .device(device, readyAt: .now))
            if ranked?.isEmpty == true { holds.append(.excluded(excluded)) }
        }
        return holds
    }

    /// Whether the user wants suggestions at a device. An unreadable history has no other preference.
    func suggests(at device: AudioDevice.ID) async -> Bool {
        (try? await history.use { store, _ in try store.policies()[device]?.suggests ?? true }) ?? true
    }

    /// - Parameter source: the state of the source; `nil` while it is not watched.
    private static func part(_ id: String, _ title: String, _ source: TriggerStatus.Source?) -> PartReport {
        switch source {
        case nil: PartReport(id, title, state: "off")
        case .unknown: PartReport(id, title, state: "starting")
        case .reachable: PartReport(id, title, state: "watching")
        case .absent: PartReport(id, title, state: "absent", nil, .limited)
        case .unreachable(let reason): PartReport(id, title, state: "unreachable: \(reason)", nil, .limited)
        }
    }
}
