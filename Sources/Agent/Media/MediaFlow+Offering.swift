internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Prediction
internal import Suggestions

/// A moment at which something may be offered.
enum MediaMoment: Sendable {
    /// A device got ready.
    case device(AudioDevice, readyAt: MonotonicInstant)
    /// Something else happened, while a device is in use or none is.
    case occasion(Occasion, AudioDevice?)

    /// The device that would be played on; `nil` for the machine's own speakers.
    var device: AudioDevice? {
        switch self {
        case .device(let device, _): device
        case .occasion(_, let device): device
        }
    }

    var deviceName: String { device?.name ?? "this computer" }

    var isDevice: Bool {
        if case .device = self { true } else { false }
    }

    /// The trigger; `nil` for the device's own.
    var trigger: Trigger? {
        guard case .occasion(let occasion, _) = self else { return nil }
        return occasion.trigger
    }

    /// The trigger of announcements; `nil` for an arrival.
    var happening: Announcement.Trigger? {
        switch self {
        case .device(let device, _): .device(device.kind)
        case .occasion(.session(let event, _), _): .session(event)
        case .occasion(.launched, _): .launch
        case .occasion(.moved, _), .occasion(.stay, _): nil
        }
    }

    /// Whether something may be announced for it: who stays at a place has arrived there before.
    var mayBeAnnounced: Bool {
        if case .occasion(.stay, _) = self { false } else { true }
    }

    /// Whether people do the same at such moments: on the way they are anywhere, and who launches an app has chosen.
    var mayBeLearned: Bool {
        switch self {
        case .device, .occasion(.session, _), .occasion(.stay, _): true
        case .occasion(.moved, _), .occasion(.launched, _): false
        }
    }

    /// Whether what is relevant now was not so already before the person moved.
    func isNews(_ item: Announcement) -> Bool {
        guard case .occasion(.moved(let former?, _), _) = self, let place = item.place else { return true }
        return !former.isWithin(item.radius ?? Announcement.defaultRadius, of: place)
    }
}

/// The most apps that are asked to prepare for one trigger.
private let candidateLimit = 5

extension MediaStage {
    /// Asks the likeliest app to prepare, and suggests the result.
    func consider(_ moment: MediaMoment) async {
        do {
            if case .device(let device, _) = moment {
                interrupted.remove(device.id)
                if try await policy(of: device).resumes, try await resume(on: device, moment) { return }
            }
            if let silence = try await silence(at: moment) {
                lastHold = silence
                return
            }
            let (candidates, choices) = try await candidates(for: moment)
            let ranked = MomentCandidate.ranked(candidates, choices, at: moment)
            // Most of what happens is no moment for anything, and nothing is held back then.
            if case .occasion = moment, ranked.isEmpty { return }
            try await offer(ranked, at: moment)
        } catch is AlreadyPlaying {
            // As with any player: nothing is offered meanwhile.
        } catch {
            await report("nothing could be suggested: \(error)")
        }
    }

    /// Returns why nothing is to be suggested at a moment, as the person set it for the device; `nil` when they did not.
    func silence(at moment: MediaMoment) async throws -> String? {
        guard case .device(let device, _) = moment, try await !policy(of: device).suggests else { return nil }
        return "suggestions are off for \(device.name)"
    }

    /// Considers what happened, with the device that is in use then.
    func consider(_ occasion: Occasion) async { await consider(.occasion(occasion, await deviceInUse())) }

    private func offer(_ candidates: [MomentCandidate], at moment: MediaMoment) async throws {
        var candidates = candidates
        if let playing = await players?.players().first(where: { $0.status == .playing }) {
            lastHold = "\(playing.identity) plays already"
            candidates.removeAll(where: \.isMedia)
            if candidates.isEmpty { return }
        }
        // Nobody is asked to prepare what could not be offered.
        if let reason = try await desk.hold() {
            lastHold = reason.description
            return
        }
        if candidates.isEmpty { lastHold = "nothing is known that was played on \(moment.deviceName)" }
        var remaining = 1.0
        var isPlaying = false
        for (place, candidate) in candidates.prefix(candidateLimit).enumerated() {
            let isDecided: Bool
            do {
                switch candidate {
                case .media where isPlaying: continue
                case .media(let candidate):
                    let others = candidates.dropFirst(place + 1).compactMap(\.asMedia)
                    isDecided = try await offer(candidate, before: others, at: moment, remaining: &remaining)
                case .other(let choice): isDecided = try await offer(choice, at: moment)
                }
            } catch is AlreadyPlaying {
                // As with any player: no media is offered meanwhile.
                isPlaying = true
                continue
            }
            if isDecided { return }
        }
    }

    /// Returns whether nothing else is to be tried: it is offered, or nothing can be.
    ///
    /// - Parameters:
    ///   - others: the less likely candidates, one of which may be offered beside it.
    ///   - remaining: what cannot be had leaves its share to the others.
    private func offer(
        _ first: MediaCandidate, before others: [MediaCandidate], at moment: MediaMoment, remaining: inout Double
    ) async throws -> Bool {
        var candidate = first
        candidate.score = min(candidate.score / remaining, 1)
        let hold = await hold(of: candidate, at: moment)
        switch hold {
        case .muted, .unlikely:
            lastHold = hold?.description
            return false
        default: break
        }
        guard
            let suggestion = try await prepare(candidate, for: moment, within: configuration.preparationTime)
        else {
            remaining = max(remaining * (1 - candidate.score), 0.01)
            return false
        }
        let companion = try await companion(of: first, among: others, remaining: remaining, at: moment)
        // The device may have gone, or the person begun to play, while the app prepared.
        guard await isStill(moment) else { return true }
        let present = await players?.players() ?? []
        if present.contains(where: { $0.status == .playing }) { return true }
        if !moment.isDevice, await desk.stands(suggestion) { return true }
        let isAlone = !present.contains(where: \.isActive)
        let outcome = try await desk.offer(
            suggestion, with: companion, keysCountFrom: isAlone ? keysCount(at: moment) : nil)
        if case .offered = outcome { await followContent(of: suggestion) }
        return isDecided(outcome)
    }

    /// The same for what is no media, and goes with whatever plays.
    private func offer(_ choice: ActionHabits.Choice, at moment: MediaMoment) async throws -> Bool {
        guard let suggestion = try await suggestion(for: choice, context(at: moment)) else { return false }
        if await desk.stands(suggestion) { return true }
        if moment.isDevice, await !isStill(moment) { return true }
        return isDecided(try await desk.offer(suggestion, with: nil, keysCountFrom: nil))
    }

    private func isDecided(_ outcome: OfferOutcome) -> Bool {
        guard case .held(let reason) = outcome else {
            lastHold = nil
            return true
        }
        lastHold = reason.description
        return switch reason {
        case .muted, .unlikely: false
        default: true
        }
    }

    /// Whether sound still goes where it did at the moment.
    private func isStill(_ moment: MediaMoment) async -> Bool {
        if await deviceInUse()?.id == moment.device?.id { return true }
        if case .device(let device, _) = moment { interrupted.insert(device.id) }
        return false
    }

    /// From when on a media key is the person's: what is no device presses none.
    private func keysCount(at moment: MediaMoment) -> MonotonicInstant {
        guard case .device(_, let ready) = moment else { return instant }
        return keysCount(from: ready)
    }

    /// Why a candidate would not be offered now; `nil` when it would.
    func hold(of candidate: MediaCandidate, at moment: MediaMoment) async -> OfferHold? {
        await desk.hold(
            of: candidate.application, score: candidate.score, kind: .media, in: context(at: moment))
    }

    func context(at moment: MediaMoment) async -> Context {
        var context = await present.now(device: moment.device, trigger: moment.trigger)
        // What is simulated is as if it had happened.
        switch moment {
        case .occasion(.session(_, let event), _): context.further["session"] = event.rawValue
        case .occasion(.stay(.arrival(let place)), _): context.further["place"] = place
        case .occasion(.stay, _): context.further["place"] = nil
        case .device, .occasion(.moved, _), .occasion(.launched, _): break
        }
        return context
    }

    /// Returns the suggestion for a prepared item.
    ///
    /// - Parameter artworkURL: a picture to show, as a `file:` URI.
    func suggestion(
        of info: NowPlayingInfo, by app: (id: String, name: String), artworkURL: String?, _ candidate: MediaCandidate,
        _ context: PlaybackContext, at moment: MediaMoment
    ) async -> Suggestion {
        let item = info.item ?? candidate.item ?? ItemIdentity.identifier(of: info) ?? ""
        return Suggestion(
            id: await desk.makeIdentifier(), title: MediaWording.title(info),
            subtitle: MediaWording.subtitle(info, app: app.name), artworkURL: artworkURL, application: app.id,
            applicationName: app.name, source: "From \(app.name)", score: candidate.score,
            explanation: candidate.explanation(of: item),
            context: await self.context(at: moment),
            expiry: configuration.now().addingTimeInterval(configuration.offerTime / .seconds(1)),
            action: .play(item: item, info: info, context: context))
    }
}

extension NowPlayingInfo {
    /// Whether it tells of an item with this identifier.
    fileprivate func isItem(_ identifier: ContentItem.ID) -> Bool {
        (item ?? ItemIdentity.identifier(of: self)).map { ItemIdentity.areSame($0, identifier) } ?? false
    }
}

extension MediaFlow {
    /// Returns the suggestion that an app prepared; `nil` if it prepared nothing.
    ///
    /// - Throws: ``AlreadyPlaying`` if the app plays. Then nothing is suggested.
    func prepare(
        _ candidate: MediaCandidate, for moment: MediaMoment, within time: Duration
    ) async throws(AlreadyPlaying) -> Suggestion? {
        guard let players else { return nil }
        let app = await library.app(candidate.application, players: players)
        let context = PlaybackContext(device: moment.device)
        let delegate = app.delegate
        let items = [candidate.item].compactMap { $0 }
        do {
            let info = try await withDeadline(time, on: loop) { [self] in
                try await requireSilence(of: app)
                let info = try await delegate.initializePlaybackQueue(items, context: context)
                guard let finished = candidate.finished, info.isItem(finished) else { return info }
                guard let next = try await app.dataSource.item(after: finished) else {
                    throw MediaError(
                        .nothingToPlay, "“\(info.title)” was played to its end, and nothing comes after it")
                }
                return try await delegate.initializePlaybackQueue([next.id], context: context)
            }
            let item = info.item ?? candidate.item ?? ItemIdentity.identifier(of: info)
            if let obstacle = await library.obstacle(to: item, of: app) {
                lastHold = "\(app.name) cannot play “\(info.title)”: \(obstacle)"
                return nil
            }
            // What the player names may be gone; what was copied of the same item is not.
            var artworkURL = await library.artwork(info.artworkURL, of: app.id)
            if artworkURL == nil, info.title == candidate.info?.title {
                artworkURL = await library.artwork(candidate.info?.artworkURL, of: app.id)
            }
            if artworkURL == nil {
                artworkURL = await library.cover(info.artworkURL, of: app.id, players: players)
            }
            var suggestion = await suggestion(
                of: info, by: (app.id, app.name), artworkURL: artworkURL, candidate, context, at: moment)
            suggestion.iconURL = await library.icon(of: app.id)
            return suggestion
        } catch let error as AlreadyPlaying {
            lastHold = "\(app.name) plays already"
            throw error
        } catch {
            // Not offered, and the next one is tried: an app that cannot prepare now is no fault of the agent.
            lastHold = "\(app.name) prepared nothing: \(error)"
            return nil
        }
    }

    func choices(at moment: MediaMoment, _ context: Context) async throws -> MomentChoices {
        try await learned.choices(at: moment, context)
    }

    func suggestion(for choice: ActionHabits.Choice, _ context: Context) async throws -> Suggestion? {
        try await learned.suggestion(for: choice, context)
    }
}
