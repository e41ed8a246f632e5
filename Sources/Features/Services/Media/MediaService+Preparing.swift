internal import Players
internal import Agent
internal import FoundationEssentials
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Localization
internal import Media

extension MediaService {
    /// The error if an app reports that it already plays.
    private struct AlreadyPlaying: Error {}

    /// Asks a candidate's app to prepare.
    func prepare(
        _ candidate: MediaCandidate, for trigger: MediaTrigger, within time: Duration
    ) async -> MediaPolicy.Preparation {
        guard let players else { return .failed(localized("Hunch is switched off")) }
        let app = await library.app(candidate.application, players: players)
        let context = PlaybackContext(device: trigger.device)
        do {
            let info = try await withDeadline(time, on: loop) { [self] in
                try await requireSilence(of: app)
                return try await queued(candidate, by: app, in: context)
            }
            let item = info.item ?? candidate.item ?? ItemIdentity.identifier(of: info)
            if let obstacle = await library.obstacle(to: item, of: app) {
                return .failed(localized("%1 cannot play “%2”: %3", app.name, info.title, obstacle))
            }
            var suggestion = Suggestion(
                ofPrepared: info, by: (app.application, app.name), candidate, context, id: desk.makeIdentifier(),
                in: await candidates.context(at: trigger), until: configuration.offerEnd)
            suggestion.artworkURL = await artwork(of: info, candidate, app.application, players)
            suggestion.iconURL = await library.icon(of: app.application)
            return .ready(suggestion)
        } catch is AlreadyPlaying {
            return .alreadyPlaying(name: app.name)
        } catch {
            // The next candidate is tried. An app that cannot prepare now is not a problem of the agent.
            return .failed(reason(of: error, for: candidate, app))
        }
    }

    /// Returns what an app would play for a candidate, which is not an item that was played to its end.
    private nonisolated func queued(
        _ candidate: MediaCandidate, by app: any LaunchableContent, in context: PlaybackContext
    ) async throws -> NowPlayingInfo {
        let items = [candidate.item].compactMap { $0 }
        let info = try await app.initializePlaybackQueue(items, context: context)
        guard let finished = candidate.finished?.item, info.isItem(finished) else { return info }
        guard let next = try await app.item(after: finished) else {
            throw MediaError(.nothingToPlay, AppLibrary.ending(info))
        }
        return try await app.initializePlaybackQueue([next.id], context: context)
    }

    private func reason(of error: any Error, for candidate: MediaCandidate, _ app: any LaunchableContent) -> String {
        // The app has only the item that was played to its end.
        if let finished = candidate.finished, let error = error as? MediaError,
            [.cannotOpen, .nothingToPlay].contains(error.code)
        {
            return AppLibrary.ending(finished)
        }
        return localized("%1 prepared nothing: %2", app.name, ErrorMapping.sentence(error))
    }

    /// Returns the item that would be played for a candidate, or the reason why none could be. Does not ask an app that
    /// serves playable content, and returns only what is known about its item.
    func outlook(
        of candidate: MediaCandidate, at trigger: MediaTrigger
    ) async -> (info: NowPlayingInfo?, obstacle: String?) {
        guard let players else { return (candidate.info, nil) }
        let app = await library.app(candidate.application, players: players)
        let item = candidate.item ?? candidate.info.flatMap { $0.item ?? ItemIdentity.identifier(of: $0) }
        if let obstacle = await library.obstacle(to: item, of: app, after: candidate.finished) {
            return (candidate.info, obstacle)
        }
        // An MPRIS player only reports its state.
        guard !(app is BusPlayableContent) else { return (candidate.info, nil) }
        do {
            let info = try await withDeadline(configuration.preparationTime, on: loop) { [self] in
                try await queued(candidate, by: app, in: PlaybackContext(device: trigger.device))
            }
            return (info, nil)
        } catch {
            return (candidate.info, reason(of: error, for: candidate, app))
        }
    }

    /// Checks that an app with playable content does not play now. MPRIS players are followed anyway.
    ///
    /// - Throws: ``AlreadyPlaying``; `MediaError` if the app does not answer.
    private nonisolated func requireSilence(of app: any LaunchableContent) async throws {
        guard let content = app as? BusPlayableContent else { return }
        do {
            guard try await content.nowPlayingIdentifiers.isEmpty else { throw AlreadyPlaying() }
        } catch let error as MediaError where [.refused, .notRunning].contains(error.code) {
            // The property is optional.
        }
    }

    private func artwork(
        of info: NowPlayingInfo, _ candidate: MediaCandidate, _ application: AppID, _ players: MPRISPlayers
    ) async -> String? {
        if let copy = await library.artwork(info.artworkURL, of: application) { return copy }
        // The player's picture may be gone, but a copy of the same item's picture remains.
        if info.title == candidate.info?.title,
            let copy = await library.artwork(candidate.info?.artworkURL, of: application)
        {
            return copy
        }
        return await library.cover(info.artworkURL, of: application, players: players)
    }
}

extension NowPlayingInfo {
    /// Whether it describes the item with this identifier.
    fileprivate func isItem(_ identifier: ContentItem.ID) -> Bool {
        (item ?? ItemIdentity.identifier(of: self)).map { ItemIdentity.areSame($0, identifier) } ?? false
    }
}

extension MediaPolicy.Timing {
    init(_ configuration: AgentConfiguration) {
        self.init(rejoin: configuration.rejoinTime)
        hearing = configuration.hearingTime
        keys = configuration.keyTime
        preparation = configuration.preparationTime
        play = configuration.playTime ?? PlayThreshold.time
    }
}
