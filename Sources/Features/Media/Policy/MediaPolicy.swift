package import Players
package import FoundationEssentials
package import History
package import EventLoops
package import HunchModel
package import Learning
package import Prediction
package import Suggestions
package import Triggers

/// Decides what is remembered, recorded, suggested, resumed, paused and withdrawn for media.
///
/// A value without I/O: equal events and facts give equal effects. Its driver reads the facts, calls
/// ``handle(_:_:)``, carries out the effects in order, and passes each answer back as the next event:
///
/// ```swift
/// for effect in policy.handle(event, await facts()) {
///     if let answer = await carryOut(effect) { await process(answer) }
/// }
/// ```
///
/// The agent (``MediaService``) and the replay of a trace (``ReplayedMedia``) are such drivers. Neither decides.
package struct MediaPolicy: Sendable {
    /// The time limits of the decisions.
    package struct Timing: Sendable {
        /// The time within which a reconnect is not a new trigger.
        package var rejoin: Duration
        /// The time after which a play is checked for progress.
        package var hearing = Duration.seconds(3)
        /// The time after a device is ready in which a media key may be the device's own, not the user's.
        package var keys = Duration.seconds(5)
        /// The time limit of preparing.
        package var preparation = Duration.seconds(2)
        /// The time for which an item of a length in microseconds must play to be recorded.
        package var play: @Sendable (_ length: Int64?) -> Duration = PlayThreshold.time

        /// Creates the default timing.
        package init(rejoin: Duration) { self.rejoin = rejoin }
    }

    /// The facts at an event.
    package struct Facts: Sendable {
        package var now: Date
        package var instant: MonotonicInstant
        /// Whether players and devices are watched.
        package var isWatching: Bool
        package var players: [KnownPlayer]
        package var devices: [DeviceStatus]
        package var board: SuggestionBoard

        package init(
            now: Date, instant: MonotonicInstant, isWatching: Bool, players: [KnownPlayer],
            devices:
                [DeviceStatus], board: SuggestionBoard
        ) {
            self.now = now
            self.instant = instant
            self.isWatching = isWatching
            self.players = players
            self.devices = devices
            self.board = board
        }

        /// The device in use; `nil` for the machine's own speakers.
        package var deviceInUse: AudioDevice? { devices.first { $0.isReady }?.device }

        /// A player that plays on this computer and is not one of the excluded apps'; `nil` if none does.
        package func playing(except excluded: Set<AppID> = []) -> KnownPlayer? {
            players.first { $0.player.isPlaying && !excluded.contains($0.application) }
        }

        /// Returns the player that says that it plays this item, or some item of the app, although it does not. It would
        /// not react to being resumed. Another player of the app that is paused would.
        ///
        /// - Parameter item: the item to resume; `nil` if the app chooses.
        func claimant(of item: ContentItem.ID?, in application: AppID) -> KnownPlayer? {
            let own = players.filter { $0.application == application }
            guard !own.contains(where: { $0.player.status == .paused }) else { return nil }
            return own.first { known in
                let player = known.player
                guard player.status == .playing, !player.isPlaying else { return false }
                // The app can open another address.
                guard let item, ItemIdentity.uri(of: item) != nil, let playing = player.item else { return true }
                return ItemIdentity.areSame(item, playing)
            }
        }
    }

    /// A player with its app.
    package struct KnownPlayer: Sendable {
        package let player: MPRISPlayer
        package let application: AppID
        /// The name for people, which is that of the app wherever one is shown.
        package let name: String

        package init(player: MPRISPlayer, application: AppID, name: String) {
            self.player = player
            self.application = application
            self.name = name
        }
    }

    package enum Event: Sendable {
        case device(TriggerEvent)
        case player(MediaObservation, application: AppID)
        case person(PersonEvent)
        /// The user has not answered a suggestion at this trigger that was open when an earlier agent was killed.
        case unanswered(Trigger)
        /// The user wants to see what happens at a trigger that has not happened.
        case caused(MediaTrigger)
        case timer(Timer)
        /// Something was forgotten, and ``MediaPolicy/dropMemory(of:)`` was called. A play that was dropped counts from
        /// now on.
        case forgotten
        /// The user accepted a suggestion, or switched resuming on for the device.
        case accepted(Start.ID, Suggestion, activationToken: String?)

        // Answers to effects.
        case remembered(ResumePoint, of: MPRISPlayer.ID, artwork: String?)
        case copiedArtwork(String?, inPlaceOf: String, ResumePoint, of: MPRISPlayer.ID)
        case asked(MPRISPlayer?, Hearing)
        case pausedPlayers(on: AudioDevice)
        case checkedInterruption(of: AudioDevice, at: MonotonicInstant, wasInterrupted: Bool)
        case attempt(Attempt.ID, Answer)
        case start(Start.ID, StartAnswer)
    }

    package enum Effect: Sendable {
        case setTimer(Timer, after: Duration)
        case cancelTimer(Timer)
        /// Stores a resume point. Answered if it was stored and a player is given.
        case remember(ResumePoint, of: MPRISPlayer.ID?, artwork: String?)
        /// Notes that a device has disconnected again since it interrupted what was seen last before a date.
        case endInterruptions(by: AudioDevice, before: Date)
        /// Stores the resume point of a started play, unless a later one is known.
        case rememberStarted(ResumePoint)
        case copyArtwork(String, ResumePoint, of: MPRISPlayer.ID)
        case record(Play)
        /// Asks a player for its current state.
        case ask(Hearing)
        /// Reverts the last use of players, because a disconnect and not the user paused them.
        case takeBackTouch([MPRISPlayer.ID])

        case use(AudioDevice, isReconnect: Bool)
        case lose(AudioDevice)
        /// Sends running apps the new context of their content.
        case sendContext
        case holdKeys(until: MonotonicInstant)
        /// Pauses those of the players that play, if the user wants that for the device and no other program does.
        case pausePlayers(Set<MPRISPlayer.ID>, on: AudioDevice)
        /// Finds out whether a disconnect at or after a date interrupted playback.
        case checkInterruption(of: AudioDevice, since: Date?, at: MonotonicInstant)
        case withdraw(Withdrawal)

        /// Asks the players that say they play whether they do, and reads which apps are excluded.
        case check(Attempt.ID, [MPRISPlayer.ID])
        case readPolicy(Attempt.ID, of: AudioDevice)
        case rank(Attempt.ID, MediaTrigger)
        case prepare(Attempt.ID, MediaCandidate, MediaTrigger, within: Duration)
        case makeSuggestion(Attempt.ID, ActionHabits.Choice, MediaTrigger)
        case offer(Attempt.ID, Suggestion, companion: Suggestion?, keysCountFrom: MonotonicInstant?)
        /// Withdraws the suggestion when its app no longer has the item.
        case followContent(Suggestion)
        case resume(Attempt.ID, Suggestion)

        /// Suspends a start until ``endWait(_:hasReconnected:)``.
        case waitForDevice(Start.ID, AudioDevice, Suggestion)
        case endWait([Start.ID], hasReconnected: Bool)
        case askReplaced(Start.ID, [MPRISPlayer.ID])
        case play(Start.ID, ContentItem.ID, Suggestion, PlaybackContext, activationToken: String?)
        /// Ends a start with an error.
        case refuse(Start.ID, MediaError)
    }

    package enum Timer: Hashable, Sendable {
        /// A play counts when this timer fires.
        case play(MPRISPlayer.ID)
        case hearing(Hearing)
        /// A device has been away for longer than a flapping link.
        case departure(AudioDevice.ID, number: Int, maySettle: Bool)
        /// An appointment no longer holds the results of devices.
        case precedence(AudioDevice.ID)
    }

    /// A check whether a player that says it plays is heard.
    package struct Hearing: Hashable, Sendable {
        package let player: MPRISPlayer.ID
        package let session: Int
        package let delay: Duration
    }

    /// A play to record as a donation.
    package struct Play: Hashable, Sendable {
        package let application: AppID
        package let item: ContentItem.ID
        package var info: NowPlayingInfo
        /// The device; `nil` for the machine's own speakers.
        package let device: AudioDevice?
    }

    /// The suggestions to withdraw.
    package enum Withdrawal: Hashable, Sendable {
        /// Everything that would play, because a player of this app started. Nothing if the app is excluded.
        case allMedia(startedBy: AppID)
        case ofDevice(AudioDevice.ID)

        package var reason: String {
            switch self {
            case .allMedia: "something is playing"
            case .ofDevice: "the device disconnected"
            }
        }

        package func concerns(_ suggestion: Suggestion) -> Bool {
            switch self {
            case .allMedia: suggestion.kind == .media
            case .ofDevice(let device): suggestion.concerns(device)
            }
        }
    }

    package let timing: Timing
    package var memory = PlaybackMemory()
    /// The plays that do not count yet.
    package var plays: [MPRISPlayer.ID: PendingPlay] = [:]
    /// The last recorded item of each player, to record each play once.
    package var recorded: [MPRISPlayer.ID: ContentItem.ID] = [:]
    /// The last accepted item of each app.
    package var accepted: [AppID: AcceptedItem] = [:]
    /// The devices that disconnected or lost the sound just now.
    package var absences: [AudioDevice.ID: Absence] = [:]
    package var lastDeparture = 0
    /// The devices whose results an appointment holds, until something plays, with the instant and the date at which
    /// they became ready.
    package var held: [AudioDevice.ID: (readyAt: MonotonicInstant, date: Date)] = [:]
    package var attempts: [Attempt.ID: Attempt] = [:]
    package var lastAttempt: Attempt.ID = 0
    package var starts: [Start.ID: Start] = [:]
    /// The reason why nothing was suggested at the last trigger.
    package var lastHold: Hold?
    /// The results of the attempts to suggest something.
    package private(set) var log = TriggerLog()

    package init(_ timing: Timing) { self.timing = timing }

    /// Applies an event.
    ///
    /// - Returns: the effects, to be carried out in order.
    package mutating func handle(_ event: Event, _ facts: Facts) -> [Effect] {
        switch event {
        case .device(.deviceReady(let device, let instant)): handleReady(device, at: instant, facts)
        case .device(.deviceReconnected(let device, let absence, let instant)):
            handleReturn(of: device, after: absence, at: instant, facts)
        case .device(.deviceRegained(let device, let instant)): handleRegained(device, at: instant, facts)
        case .device(.deviceDisconnected(let device, _)): handleLoss(of: device)
        case .player(let observation, let application): observe(observation, application, facts)
        case .person(let personEvent): consider(.person(personEvent, facts.deviceInUse), facts)
        case .unanswered(let trigger): makeAgain(trigger, facts)
        case .caused(let trigger): consider(trigger, isCaused: true, facts)
        case .timer(.play(let player)): count(of: player, facts)
        case .timer(.hearing(let hearing)):
            memory.unheardSession(of: hearing.player) == hearing.session ? [.ask(hearing)] : []
        case .timer(.departure(let device, let number, let maySettle)):
            leave(device, number, maySettle: maySettle, facts)
        case .timer(.precedence(let device)): endPrecedence(at: device, facts)
        case .forgotten: takeUpPlays(facts)
        case .accepted(let start, let suggestion, let token): begin(start, suggestion, token, facts)
        case .remembered(let point, let player, let url): keepArtwork(of: point, player, url)
        case .copiedArtwork(let copy, let url, let point, let player): setArtwork(copy, url, point, player)
        case .asked(let player, let hearing): hear(player, hearing, facts)
        case .pausedPlayers(let device): settleLoss(of: device, facts)
        case .checkedInterruption(let device, let instant, let wasInterrupted):
            wasInterrupted ? consider(.device(device, readyAt: instant), facts) : []
        case .attempt(let attempt, let answer): proceed(attempt, answer, facts)
        case .start(let start, let answer): proceed(start, answer, facts)
        }
    }

    /// Discards the state of all players and devices, when watching ends.
    ///
    /// - Returns: the effects on waiting starts. The driver cancels all timers.
    package mutating func reset() -> [Effect] {
        let waiting = absences.values.compactMap(\.departure).flatMap(\.waiting)
        dropMemory()
        (absences, attempts, held) = ([:], [:], [:])
        return waiting.isEmpty ? [] : [.endWait(waiting.sorted(), hasReconnected: false)]
    }

    /// Discards the playback state of an app, or of all, so that forgotten data is not stored again. The results of earlier triggers
    /// stay: a pause does not change them.
    package mutating func dropMemory(of application: AppID? = nil) {
        lastHold = nil
        guard let application else {
            (plays, recorded, accepted) = ([:], [:], [:])
            return memory.reset()
        }
        let players = memory.drop(application).union(plays.filter { $0.value.play.application == application }.keys)
        for player in players { (plays[player], recorded[player]) = (nil, nil) }
        accepted[application] = nil
    }

    /// Discards the results of earlier triggers.
    package mutating func forgetTriggers() { log = TriggerLog() }

    /// Notes how an attempt ended.
    mutating func note(_ result: TriggerResult) { log.note(result) }
}

extension Suggestion {
    /// Returns whether it was made because of a device, or would play on it.
    package func concerns(_ device: AudioDevice.ID) -> Bool {
        self.device == device || kind == .media && context.device == device
    }
}
