internal import Players
internal import EventLoops
internal import FoundationEssentials
internal import HunchModel
internal import Learning
internal import Media
internal import Prediction
internal import Suggestions
internal import Triggers

/// The trace as the world of the media policy.
extension ReplayedMedia: MediaWorld {
    func facts() async -> MediaPolicy.Facts {
        MediaPolicy.Facts(
            now: now(), instant: instant, isWatching: true,
            players: traced.players(at: instant, among: triggers.streams(at: clock.now)).map {
                let application = desktopID(of: $0)
                return MediaPolicy.KnownPlayer(player: $0, application: application, name: name(of: application))
            },
            devices: triggers.status.devices, board: await desk.board)
    }

    func report(_ problem: String, _ error: any Error) async {
        await tell(TraceOutcome(clock.now, "problem", "\(problem): \(error)"))
    }

    func settle(_ problem: String) {}

    func set(_ timer: MediaPolicy.Timer, after delay: Duration) {
        cancel(timer)
        timers.append((timer, clock.now + delay))
    }

    func cancel(_ timer: MediaPolicy.Timer) { timers.removeAll { $0.timer == timer } }

    func wait(_ suggestion: Suggestion, for device: AudioDevice?) { if device != nil { tellPause?() } }

    func refreshed(_ identifier: MPRISPlayer.ID) -> MPRISPlayer? {
        traced.players(at: instant, among: triggers.streams(at: clock.now)).first { $0.id == identifier }
    }

    func check(_ players: [MPRISPlayer.ID]) {}

    func takeBackTouch(of players: [MPRISPlayer.ID]) { traced.takeBackTouch(of: players) }

    // A trace has no pictures, no apps that could be told, and no content that changes.

    func copyArtwork(_ url: String, of application: AppID) -> String? { nil }

    func sendContext() {}

    func followContent(of suggestion: Suggestion) {}

    func suggestion(for choice: ActionHabits.Choice, _ context: Context) -> Suggestion? { nil }

    func hold() async -> Hold? { await desk.hold() }

    func offer(
        _ suggestion: Suggestion, with companion: Suggestion?, keysCountFrom: MonotonicInstant?, after occasion: Date?,
        isTakenUp: Bool
    ) async -> OfferOutcome {
        await desk.offer(suggestion, with: companion, keysCountFrom: keysCountFrom)
    }

    func withdraw(because reason: String, where condition: @Sendable (Suggestion) -> Bool) async {
        await desk.withdraw(because: reason, where: condition)
    }

    func holdKeys(until instant: MonotonicInstant) async { await desk.holdKeys(until: instant) }
}
