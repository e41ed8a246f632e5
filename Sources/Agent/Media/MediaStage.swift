internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Prediction
internal import Suggestions
internal import Triggers

/// Where the media flow takes place: on the buses of this machine (``MediaFlow``), or in a trace that is replayed
/// (``ReplayedMedia``). What is remembered, ranked, held back and offered is decided in the extensions of this protocol
/// alone, so that a replay decides as the agent does.
protocol MediaStage: Actor {
    associatedtype Players: PlayerSource
    associatedtype Monitor: DeviceSource
    associatedtype Desk: OfferDesk
    associatedtype Timer: Sendable

    nonisolated var configuration: AgentConfiguration { get }
    nonisolated var loop: EventLoop { get }
    nonisolated var history: HistoryKeeper { get }
    nonisolated var habits: Habits { get }
    nonisolated var present: PresentContext { get }
    nonisolated var desk: Desk { get }
    /// `nil` while nothing is watched, as ``monitor``.
    var players: Players? { get }
    var monitor: Monitor? { get }

    var memory: PlaybackMemory { get set }
    /// The plays that do not count yet.
    var plays: [MPRISPlayer.ID: Timer] { get set }
    /// The last recorded play of each player, to record each play once.
    var donated: [MPRISPlayer.ID: String] { get set }
    /// The last accepted item of each app, which was recorded then.
    var accepted: [String: (date: Date, item: String, title: String)] { get set }
    /// Why nothing was offered at the last moment for it.
    var lastHold: String? { get set }
    /// The devices that went away and may come back as if they had not.
    var departures: [AudioDevice.ID: MediaDeparture<Timer>] { get set }
    /// The number of the last departure.
    var lastDeparture: Int { get set }
    /// The devices that went away just as something was prepared for them.
    var interrupted: Set<AudioDevice.ID> { get set }

    /// The present, as keys are judged by it.
    var instant: MonotonicInstant { get }

    /// Does something once, after a delay.
    func after(_ delay: Duration, _ body: @escaping @Sendable () async -> Void) -> Timer
    func cancel(_ timer: Timer)
    /// Called before an accepted suggestion waits for its device.
    func waitsForDevice()
    /// Says what went wrong.
    func report(_ problem: String) async

    /// The desktop identifier of a player's app.
    func desktopID(of player: MPRISPlayer) async -> String
    /// The name that people give to an app.
    func name(of application: String) async -> String
    /// Desktop identifiers of apps that run and serve playable content of their own.
    func runningContentApps() async throws -> [String]
    /// Prepares a candidate with its app. Returns `nil` when the app does not prepare in time.
    ///
    /// - Throws: ``AlreadyPlaying`` if the app plays. Then nothing is suggested.
    func prepare(
        _ candidate: MediaCandidate, for moment: MediaMoment, within time: Duration
    ) async throws(AlreadyPlaying) -> Suggestion?
    /// Tells running apps where their content is used from now on. Nobody waits for what they answer.
    func tellContext() async
    /// Follows what the app of an offer tells of its content until the next offer: when the item is gone, so is the offer.
    func followContent(of suggestion: Suggestion) async
    /// A copy of a picture that an app named, as a `file:` URI; `nil` when it cannot be shown.
    func artwork(_ url: String?, of application: String) async -> String?
    /// Whether another program pauses what plays on devices that go away.
    func isPausedElsewhere() async -> Bool
    /// Returns the learned actions at this trigger.
    func choices(at moment: MediaMoment, _ context: Context) async throws -> MomentChoices
    /// Returns the suggestion for it; `nil` if nothing opens it any more.
    func suggestion(for choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion?
    /// Starts what the person said Play to, or switched on for the device. Returns whether it is known to play: an app that
    /// never had a player and was opened at the item tells nobody.
    ///
    /// - Throws: `MediaError` when it does not play.
    func initiatePlayback(
        of item: ContentItem.ID, of suggestion: Suggestion, context: PlaybackContext, activationToken: String?
    ) async throws -> Bool
}

extension MediaStage {
    /// Does nothing: time passes by itself.
    func waitsForDevice() {}
    /// Does nothing: there are no apps to tell.
    func tellContext() async {}
    /// Does nothing: no content changes.
    func followContent(of suggestion: Suggestion) async {}
    /// Keeps no picture: nothing is shown.
    func artwork(_ url: String?, of application: String) async -> String? { nil }
    /// Never: a trace tells of each player what it did.
    func isPausedElsewhere() async -> Bool { false }
    /// Nothing: media alone takes place there.
    func choices(at moment: MediaMoment, _ context: Context) async throws -> MomentChoices { MomentChoices() }
    /// Nothing.
    func suggestion(for choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion? { nil }
}

/// An app plays already, as it says itself.
struct AlreadyPlaying: Error {}

/// The media players that are there.
protocol PlayerSource: Sendable {
    func players() async -> [MPRISPlayer]
    func pause(_ player: MPRISPlayer) async throws
    /// A player as it says itself that it is now; `nil` when it is gone or does not answer.
    func present(_ player: MPRISPlayer.ID) async -> MPRISPlayer?
    /// Takes back the last touch of players: a device that went away paused them, and not the person.
    func takeBackTouch(of players: [MPRISPlayer.ID]) async
}

/// The devices that are there.
protocol DeviceSource: Sendable {
    func status() async -> TriggerStatus
}

/// The place that offers suggestions.
protocol OfferDesk: Actor {
    func makeIdentifier() -> Suggestion.ID
    /// Why nothing may be offered now, whatever it were.
    func hold() async throws -> OfferHold?
    /// Why nothing like this would be offered now; `nil` when it would.
    func hold(of application: String, score: Double, kind: Suggestion.Kind, in context: Context) -> OfferHold?
    func offer(
        _ suggestion: Suggestion, with companion: Suggestion?, keysCountFrom: MonotonicInstant?
    ) async throws -> OfferOutcome
    /// Whether nobody asked for the same and it stands already.
    func stands(_ suggestion: Suggestion) -> Bool
    func withdraw(because reason: String, where condition: @Sendable (Suggestion) -> Bool) async
    func holdKeys(until instant: MonotonicInstant) async
}

extension OfferDesk {
    /// Never: each offer is looked at by itself.
    func stands(_ suggestion: Suggestion) -> Bool { false }
}

/// A device that is away.
struct MediaDeparture<Timer: Sendable>: Sendable {
    /// Tells it from others of the same device.
    let number: Int
    /// Ends it.
    var timer: Timer
    /// Those who want to know whether it comes back in time.
    var waiting: [CheckedContinuation<Bool, Never>] = []
}

extension MPRISPlayers: PlayerSource {
    func present(_ player: MPRISPlayer.ID) async -> MPRISPlayer? {
        guard let known = players().first(where: { $0.id == player }) else { return nil }
        return try? await refreshed(known)
    }
}
extension TriggerMonitor: DeviceSource {}
extension SuggestionDesk: OfferDesk {}
