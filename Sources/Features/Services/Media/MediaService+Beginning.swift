internal import Players
internal import Agent
internal import EventLoops
internal import FoundationEssentials
internal import History
internal import HunchModel
internal import Learning
internal import Media
internal import Suggestions
internal import Triggers

/// Taking up suggestions and devices from before the watching began.
extension MediaService {
    /// Waits for the first look at devices and players, and takes up what happened before it.
    func beginWatching(_ monitor: TriggerMonitor, _ players: MPRISPlayers) async {
        defer { takingUp.open() }
        let unanswered = await takeUnanswered()
        let former = takePause()
        guard unanswered != nil || former != nil else { return }
        await monitor.firstLook(atMost: configuration.firstLookTime)
        let devices = await monitor.status().devices
        if let former {
            for device in devices where device.hold == .alreadyThere && !former.contains(device.device.id) {
                await desk.note(.device(device.device.id), hold: .paused(until: configuration.now()))
            }
        }
        guard let unanswered else { return }
        await players.firstLook(atMost: configuration.firstLookTime)
        await driver.process(.unanswered(unanswered), in: self)
    }

    /// Waits a moment for the first look at devices, and for the suggestion that is made again. A call that starts the agent comes
    /// before them.
    func firstLook() async {
        await environment.start.pass(atMost: configuration.firstLookTime, on: loop)
        await monitor?.firstLook(atMost: configuration.firstLookTime)
        await takingUp.pass(atMost: configuration.firstLookTime, on: loop)
    }

    /// Returns why a device leads to no suggestion; `nil` also if one that was open before Hunch was killed was made
    /// again for it, whatever its outcome.
    func hold(of state: DeviceStatus) async -> DeviceHold? {
        guard state.hold == .alreadyThere else { return state.hold }
        let results = await driver.log.merged(with: await desk.log).results
        let isTakenUp = results.contains { $0.trigger == .device(state.device.id) && $0.isTakenUp && $0.wasOffered }
        let isSuggested = await desk.board.standing.contains {
            $0.state.isOpen && $0.suggestion.concerns(state.device.id)
        }
        return isTakenUp || isSuggested ? nil : state.hold
    }

    /// Returns the trigger of the suggestion that was open when an earlier agent was killed; `nil` if there was none,
    /// or if it has ended since.
    private func takeUnanswered() async -> Trigger? {
        guard takeStart() else { return nil }
        let begin = configuration.now().addingTimeInterval(-(configuration.offerTime / .seconds(1)))
        // A later suggestion has replaced earlier ones, except for urgent ones.
        guard let last = await desk.lastEngagements(since: begin).last(where: { !$0.isUrgent }), last.outcome.leavesOpen
        else {
            return nil
        }
        let records = try? await history.use { store, _ in
            (points: try store.resumePoints(), engagements: try store.engagements(since: begin, limit: 1_000))
        }
        // The latest come first.
        let seen = records?.engagements.first {
            $0.suggestion == last.suggestion && [.shown, .failed].contains($0.outcome)
        }
        // Something that the user has played since then withdrew it.
        guard let records, let seen, !records.points.contains(where: { $0.date > seen.date }) else { return nil }
        return last.context.trigger
    }
}
