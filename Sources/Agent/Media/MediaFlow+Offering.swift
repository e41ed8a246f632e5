internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Media
internal import Suggestions

/// A moment at which media may be offered.
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

    /// The word in `Context.trigger`; `nil` for the device's own.
    var trigger: String? {
        guard case .occasion(let occasion, _) = self else { return nil }
        return occasion.trigger
    }

    /// What an app may have announced something for; `nil` for an arrival.
    var happening: Announcement.Trigger? {
        switch self {
        case .device(let device, _): .device(device.kind)
        case .occasion(.session(let event), _): .session(event)
        case .occasion(.launched, _): .launch
        case .occasion(.moved, _): nil
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
    /// Has the likeliest app prepare, and offers what it prepared.
    func consider(_ moment: MediaMoment) async {
        do {
            if case .device(let device, _) = moment {
                interrupted.remove(device.id)
                let policy = try await policy(of: device)
                if policy.resumes, try await resume(on: device, moment) { return }
                guard policy.suggests else {
                    lastHold = "nothing is to be suggested at \(device.name)"
                    return
                }
            }
            let candidates = try await candidates(for: moment)
            // Most of what happens is no moment for media, and nothing is held back then.
            if case .occasion = moment, candidates.isEmpty { return }
            try await offer(candidates, at: moment)
        } catch is AlreadyPlaying {
            // As with any player: nothing is offered meanwhile.
        } catch {
            await report("nothing could be suggested: \(error)")
        }
    }

    /// Considers what happened, with the device that is in use then.
    func consider(_ occasion: Occasion) async { await consider(.occasion(occasion, await deviceInUse())) }

    private func offer(_ candidates: [MediaCandidate], at moment: MediaMoment) async throws {
        if let playing = await players?.players().first(where: { $0.status == .playing }) {
            lastHold = "\(playing.identity) plays already"
            return
        }
        // Nobody is asked to prepare what could not be offered.
        if let reason = try await desk.hold() {
            lastHold = reason.description
            return
        }
        if candidates.isEmpty { lastHold = "nothing is known that was played on \(moment.deviceName)" }
        // What cannot be had leaves its share to the others.
        var remaining = 1.0
        for var candidate in candidates.prefix(candidateLimit) {
            candidate.score = min(candidate.score / remaining, 1)
            let hold = await hold(of: candidate, at: moment)
            switch hold {
            case .muted, .unlikely:
                lastHold = hold?.description
                continue
            default: break
            }
            guard let suggestion = try await prepare(candidate, for: moment) else {
                remaining = max(remaining * (1 - candidate.score), 0.01)
                continue
            }
            // The device may have gone, or the person begun to play, while the app prepared.
            guard await deviceInUse()?.id == moment.device?.id else {
                if case .device(let device, _) = moment { interrupted.insert(device.id) }
                return
            }
            let present = await players?.players() ?? []
            if present.contains(where: { $0.status == .playing }) { return }
            let isAlone = !present.contains(where: \.isActive)
            let outcome = try await desk.offer(
                suggestion, with: nil, keysCountFrom: isAlone ? keysCount(at: moment) : nil)
            guard case .held(let reason) = outcome else {
                lastHold = nil
                return await followContent(of: suggestion)
            }
            lastHold = reason.description
            switch reason {
            case .muted, .unlikely: continue
            default: return
            }
        }
    }

    /// From when on a media key is the person's: what is no device presses none.
    private func keysCount(at moment: MediaMoment) -> MonotonicInstant {
        guard case .device(_, let ready) = moment else { return instant }
        return keysCount(from: ready)
    }

    /// Why a candidate would not be offered now; `nil` when it would.
    func hold(of candidate: MediaCandidate, at moment: MediaMoment) async -> OfferHold? {
        await desk.hold(
            of: candidate.application, score: candidate.score, kind: "media", in: context(at: moment))
    }

    func context(at moment: MediaMoment) async -> Context {
        await present.now(device: moment.device, trigger: moment.trigger)
    }

    /// What is offered of an app that prepared something.
    ///
    /// - Parameter artworkURL: a picture that may be shown, as a `file:` URI.
    func suggestion(
        of info: NowPlayingInfo, by app: (id: String, name: String), artworkURL: String?, _ candidate: MediaCandidate,
        _ context: PlaybackContext, at moment: MediaMoment
    ) async -> Suggestion {
        let item = info.item ?? candidate.item ?? ItemIdentity.identifier(of: info) ?? ""
        return Suggestion(
            id: await desk.makeIdentifier(), title: MediaWording.title(info),
            subtitle: MediaWording.subtitle(info, app: app.name), artworkURL: artworkURL, application: app.id,
            applicationName: app.name, source: "From \(app.name)", score: candidate.score, reasons: candidate.reasons,
            context: await self.context(at: moment),
            expiry: configuration.now().addingTimeInterval(configuration.offerTime / .seconds(1)),
            action: .play(item: item, info: info, context: context))
    }
}

extension MediaFlow {
    /// What an app prepared; `nil` when it prepared nothing.
    ///
    /// - Throws: ``AlreadyPlaying`` when it plays: then nothing at all is to be offered.
    func prepare(
        _ candidate: MediaCandidate, for moment: MediaMoment
    ) async throws(AlreadyPlaying) -> Suggestion? {
        guard let players else { return nil }
        let app = await library.app(candidate.application, players: players)
        let context = PlaybackContext(device: moment.device)
        let delegate = app.delegate
        let items = [candidate.item].compactMap { $0 }
        do {
            let info = try await withDeadline(configuration.preparationTime, on: loop) { [self] in
                try await requireSilence(of: app)
                return try await delegate.initializePlaybackQueue(items, context: context)
            }
            // What the player names may be gone; what was copied of the same item is not.
            var artworkURL = await library.artwork(info.artworkURL, of: app.id)
            if artworkURL == nil, info.title == candidate.info?.title {
                artworkURL = await library.artwork(candidate.info?.artworkURL, of: app.id)
            }
            return await suggestion(
                of: info, by: (app.id, app.name), artworkURL: artworkURL, candidate, context, at: moment)
        } catch let error as AlreadyPlaying {
            lastHold = "\(app.name) plays already"
            throw error
        } catch {
            // Not offered, and the next one is tried: an app that cannot prepare now is no fault of the agent.
            lastHold = "\(app.name) prepared nothing: \(error)"
            return nil
        }
    }
}
