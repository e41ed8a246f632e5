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
        let delegate = app.delegate
        let items = [candidate.item].compactMap { $0 }
        do {
            let info = try await withDeadline(time, on: loop) { [self] in
                try await requireSilence(of: app)
                let info = try await delegate.initializePlaybackQueue(items, context: context)
                guard let finished = candidate.finished?.item, info.isItem(finished) else { return info }
                guard let next = try await app.dataSource.item(after: finished) else {
                    throw MediaError(.nothingToPlay, AppLibrary.ending(info))
                }
                return try await delegate.initializePlaybackQueue([next.id], context: context)
            }
            let item = info.item ?? candidate.item ?? ItemIdentity.identifier(of: info)
            if let obstacle = await library.obstacle(to: item, of: app) {
                return .failed(localized("%1 cannot play “%2”: %3", app.name, info.title, obstacle))
            }
            var suggestion = Suggestion(
                ofPrepared: info, by: (app.id, app.name), candidate, context, id: desk.makeIdentifier(),
                in: await candidates.context(at: trigger), until: configuration.offerEnd)
            suggestion.artworkURL = await artwork(of: info, candidate, app.id, players)
            suggestion.iconURL = await library.icon(of: app.id)
            return .ready(suggestion)
        } catch is AlreadyPlaying {
            return .alreadyPlaying(name: app.name)
        } catch let error as MediaError where [.cannotOpen, .nothingToPlay].contains(error.code) {
            // The app has nothing else than what was played to its end.
            if let finished = candidate.finished { return .failed(AppLibrary.ending(finished)) }
            return failed(app, error)
        } catch {
            return failed(app, error)
        }
    }

    private func failed(_ app: PlayableApp, _ error: any Error) -> MediaPolicy.Preparation {
        // The next candidate is tried. An app that cannot prepare now is not a problem of the agent.
        .failed(localized("%1 prepared nothing: %2", app.name, ErrorMapping.sentence(error)))
    }

    /// Checks that an app with playable content does not play now. MPRIS players are followed anyway.
    ///
    /// - Throws: ``AlreadyPlaying``; `MediaError` if the app does not answer.
    private nonisolated func requireSilence(of app: PlayableApp) async throws {
        guard let content = app.dataSource as? BusPlayableContent else { return }
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
