internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Triggers

/// Reactions to devices that connect and disconnect.
extension MediaStage {
    func handle(_ event: TriggerEvent) async {
        switch event {
        case .deviceReady(let device, let instant):
            await present.use(device, isBack: false)
            await tellContext()
            endDeparture(of: device.id, isBack: true)
            await move(onto: device)
            await consider(.device(device, readyAt: instant))
        case .deviceReturned(let device, let absence, let instant):
            await present.use(device, isBack: true)
            await tellContext()
            await desk.holdKeys(until: keysCount(from: instant))
            // No new moment: what was offered stands. An offer that was broken off or given up a moment too early does
            // not, and what played until the device went is wanted again.
            let stood = endDeparture(of: device.id, isBack: true)
            await move(onto: device)
            let isMissed = interrupted.contains(device.id) || absence < configuration.rejoinTime && !stood
            let isWanted = if isMissed { true } else { await wasInterrupted(device) }
            if isWanted { await consider(.device(device, readyAt: instant)) }
        case .deviceLost(let device, _):
            await tellContext()
            lastHold = nil
            await present.lose(device.id)
            beginDeparture(of: device)
            await pause(memory.players(on: device), on: device)
            let date = configuration.now()
            await players?.takeBackTouch(of: memory.interrupted(on: device, at: date))
            for point in memory.lose(device, at: date) { await remember(point) }
        }
    }

    /// Leaves what is offered for a device standing until it has been away for longer than a flapping link is.
    private func beginDeparture(of device: AudioDevice) {
        endDeparture(of: device.id, isBack: false)
        lastDeparture += 1
        let number = lastDeparture
        let timer = after(configuration.rejoinTime) { [weak self] in
            await self?.leave(device, number, maySettle: true)
        }
        departures[device.id] = MediaDeparture(number: number, timer: timer)
    }

    /// Returns whether the device was away for a moment only.
    @discardableResult
    func endDeparture(of device: AudioDevice.ID, isBack: Bool) -> Bool {
        guard let departure = departures.removeValue(forKey: device) else { return false }
        cancel(departure.timer)
        for continuation in departure.waiting { continuation.resume(returning: isBack) }
        return true
    }

    /// Ends a departure, unless it ended before.
    ///
    /// - Parameter maySettle: whether a device that is linked, and nothing that sound goes to yet, gets the same time again. It
    ///   gets it once: it may never become the default, and a link that drops before it settled is told to nobody.
    private func leave(_ device: AudioDevice, _ number: Int, maySettle: Bool) async {
        let isLinked = await monitor?.status().devices.contains { $0.device.id == device.id && $0.isConnected } ?? false
        guard departures[device.id]?.number == number else { return }
        if isLinked, maySettle {
            departures[device.id]?.timer = after(configuration.rejoinTime) { [weak self] in
                await self?.leave(device, number, maySettle: false)
            }
            return
        }
        endDeparture(of: device.id, isBack: false)
        interrupted.remove(device.id)
        await desk.withdraw(because: "the device went away") {
            $0.device == device.id || $0.kind == .media && $0.context.device == device.id
        }
    }

    /// Whether what played on a device stopped as it last went.
    private func wasInterrupted(_ device: AudioDevice) async -> Bool {
        // Dates are kept to the millisecond.
        guard let loss = memory.loss(of: device)?.addingTimeInterval(-0.001) else { return false }
        let points = try? await history.use { store, _ in try store.resumePoints(device: device.id) }
        return points?.contains { $0.pausedByDisconnect && $0.date >= loss } ?? false
    }

    /// Waits for a device that is away for a moment. Returns whether it is there.
    func isThere(_ device: AudioDevice) async -> Bool {
        guard departures[device.id] != nil else { return true }
        waitsForDevice()
        return await withCheckedContinuation { departures[device.id]?.waiting.append($0) }
    }

    /// Moves the current playback to a device that became ready, unless it has disconnected since.
    private func move(onto device: AudioDevice) async {
        guard await deviceInUse()?.id == device.id else { return }
        for seen in await players?.players() ?? [] where seen.status == .playing {
            let application = await desktopID(of: seen)
            // It may have been paused meanwhile.
            let player = await players?.players().first { $0.id == seen.id && $0.status == .playing }
            guard let player, let info = player.info else { continue }
            let point = memory.play(info, in: player.id, of: application, on: device, at: configuration.now())
            if let point { await keep(point, of: player.id, artwork: info.artworkURL) }
        }
    }
}
