internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Triggers

/// Automatic actions at a device that the person switched on.
extension MediaStage {
    func policy(of device: AudioDevice) async throws -> DevicePolicy {
        try await history.use { store, _ in try store.policies()[device.id] ?? DevicePolicy() }
    }

    /// Goes on with what stood still on a device. Returns whether it plays; nothing is suggested then.
    ///
    /// Only what was played on this device lately, and not when something plays already or Hunch is paused.
    func resume(on device: AudioDevice, _ moment: MediaMoment) async throws -> Bool {
        let (isPaused, excluded, points) = try await history.use { store, now in
            let settings = try store.settings()
            return (
                settings.pausedUntil.map { now < $0 } ?? false, try store.exclusions(),
                try store.resumePoints(device: device.id)
            )
        }
        guard !isPaused, await players?.players().contains(where: { $0.status == .playing }) == false else {
            return false
        }
        let newest = points.filter { !excluded.contains($0.application) && !$0.info.isFinished }.max {
            $0.date < $1.date
        }
        guard let newest,
            let suggestion = try await prepare(
                MediaCandidate(
                    application: newest.application, item: newest.item, info: newest.info, score: 1, explanation: []),
                for: moment, within: configuration.preparationTime)
        else { return false }
        // The device may have gone, or the person begun to play, while the app prepared.
        guard await deviceInUse()?.id == device.id,
            await players?.players().contains(where: { $0.status == .playing }) == false
        else { return false }
        do {
            try await withDeadline(configuration.performanceTime, on: loop) { [self] in
                try await play(suggestion, activationToken: nil)
            }
            return true
        } catch {
            await report("\(suggestion.applicationName) did not continue playback: \(ErrorMapping.logged(error))")
            return false
        }
    }

    /// Pauses what plays on a device that went away, where the person wants that and nobody else does it.
    ///
    /// - Parameter playing: the players that played on it.
    func pause(_ playing: Set<MPRISPlayer.ID>, on device: AudioDevice) async {
        do {
            guard try await policy(of: device).pauses, await !isPausedElsewhere() else { return }
            for player in await players?.players() ?? [] where playing.contains(player.id) && player.status == .playing
            {
                try await players?.pause(player)
            }
        } catch {
            await report("what played on \(device.name) could not be paused: \(ErrorMapping.logged(error))")
        }
    }
}

extension MediaFlow {
    /// Whether WirePlumber pauses what plays on devices that go away. Where it does, all pausing is its own, a socket's too,
    /// whose sink may stay when the plug is out: two programs that pause by different rules are one too many.
    func isPausedElsewhere() async -> Bool {
        guard await monitor?.playsThroughPipeWire == true else { return false }
        return await WirePlumber.pausesPlayers(
            environment: configuration.environment, within: configuration.settingTime)
    }
}
