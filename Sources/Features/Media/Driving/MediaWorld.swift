package import Players
package import EventLoops
package import FoundationEssentials
package import HunchModel
package import Prediction
package import Suggestions

/// The world in which ``MediaDriver`` carries out the effects of ``MediaPolicy``: the desktop, or a trace.
///
/// It answers questions and carries out effects. It decides nothing.
package protocol MediaWorld: LoopActor {
    /// The sources of the candidates.
    var candidates: MediaCandidates { get async }
    /// Returns the facts at an event.
    func facts() async -> MediaPolicy.Facts
    /// Reports a problem that does not end the event.
    func report(_ problem: String, _ error: any Error) async
    /// Notes that the subject of a problem has succeeded.
    func settle(_ problem: String) async

    // MARK: Timers

    /// Sets a timer, instead of one with the same name. Its end is the event `timer`.
    func set(_ timer: MediaPolicy.Timer, after delay: Duration) async
    /// Cancels a timer, if it is set.
    func cancel(_ timer: MediaPolicy.Timer) async
    /// Tells that an accepted suggestion waits for its device to reconnect; `nil` once it has. Returns at once.
    func wait(_ suggestion: Suggestion, for device: AudioDevice?) async

    // MARK: Players and apps

    /// Returns a player's current state; `nil` if it is gone or does not answer.
    func refreshed(_ player: MPRISPlayer.ID) async -> MPRISPlayer?
    /// Asks players that say they play for their current states, with a short deadline. The facts show the answers.
    func check(_ players: [MPRISPlayer.ID]) async
    /// Undoes the last use of players.
    func takeBackTouch(of players: [MPRISPlayer.ID]) async
    /// Pauses those of the players that play, unless another program does that at a disconnect.
    func pause(_ players: Set<MPRISPlayer.ID>) async throws
    /// Copies a picture that an app named. Returns the copy's `file:` URI; `nil` if it cannot be shown.
    func copyArtwork(_ url: String, of application: AppID) async -> String?
    /// Sends running apps the new context of their content.
    func sendContext() async
    /// Withdraws a suggestion when its app no longer has the item.
    func followContent(of suggestion: Suggestion) async
    /// Asks an app to prepare a candidate.
    func prepare(
        _ candidate: MediaCandidate, for trigger: MediaTrigger, within time: Duration
    ) async -> MediaPolicy.Preparation
    /// Plays an item. Returns whether it was seen to play.
    func play(
        _ item: ContentItem.ID, of suggestion: Suggestion, context: PlaybackContext, activationToken: String?
    ) async throws -> Bool

    // MARK: Suggestions

    /// Returns why nothing may be suggested now; `nil` if something may.
    func hold() async throws -> Hold?
    /// Returns the suggestion for a learned action; `nil` if nothing can open it now.
    func suggestion(for choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion?
    /// Shows a suggestion, unless there is a hold.
    ///
    /// - Parameters:
    ///   - occasion: the date of its trigger, if the decision was postponed.
    ///   - isTakenUp: whether its trigger happened before the agent started.
    func offer(
        _ suggestion: Suggestion, with companion: Suggestion?, keysCountFrom: MonotonicInstant?, after occasion: Date?,
        isTakenUp: Bool
    ) async throws -> OfferOutcome
    /// Withdraws the suggestions that satisfy a condition.
    func withdraw(because reason: String, where condition: @Sendable (Suggestion) -> Bool) async
    /// Sets the instant from which a media key counts as the user's.
    func holdKeys(until instant: MonotonicInstant) async
}
