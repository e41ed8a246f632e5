internal import History
internal import HunchDBus
internal import HunchModel
internal import Media

// What the agent has to do with apps that serve their content themselves, beside having them prepare and play.
extension MediaFlow {
    /// The most apps that are told where content is used.
    private static let toldLimit = 16
    /// The most that is heard of an app while something of it is offered.
    private static let changeLimit = 1_000
    /// The pause before an app is asked again whether an item still exists.
    private static let changePause = Duration.milliseconds(500)

    /// Makes sure that an app with an interface of its own does not play; players with MPRIS are followed anyway.
    ///
    /// - Throws: ``AlreadyPlaying``; `MediaError` when the app does not answer.
    nonisolated func requireSilence(of app: PlayableApp) async throws {
        guard let content = app.dataSource as? BusPlayableContent else { return }
        do {
            guard try await content.nowPlayingIdentifiers.isEmpty else { throw AlreadyPlaying() }
        } catch let error as MediaError where [.refused, .notRunning].contains(error.code) {
            // It need not tell.
        }
    }

    func tellContext() async {
        let context = PlayableContentContext(device: await deviceInUse())
        guard context != toldContext else { return }
        toldContext = context
        telling?.cancel()
        telling = Task(executorPreference: loop) { [self] in
            do {
                try await tell(context)
            } catch is CancellationError {} catch {
                await note("apps could not be notified of the device: \(error)")
            }
        }
    }

    private func tell(_ context: PlayableContentContext) async throws {
        guard let players else { return }
        let excluded = try await history.use { store, _ in try store.exclusions() }
        let wanted = try await runningContentApps().filter { !excluded.contains($0) }
        await withDiscardingTaskGroup { group in
            for application in wanted.prefix(Self.toldLimit) {
                let app = await library.app(application, players: players)
                // It is the app's loss when it does not listen.
                group.addTask { try? await app.delegate.contextChanged(to: context) }
            }
        }
    }

    func followContent(of suggestion: Suggestion) async {
        watch?.cancel()
        watch = nil
        guard case .play(let item, _, _) = suggestion.action, !item.isEmpty, let players else { return }
        let app = await library.app(suggestion.application, players: players)
        guard let content = app.dataSource as? BusPlayableContent else { return }
        watch = Task(executorPreference: loop) { [self] in
            await watch(content, for: item, in: suggestion.id)
        }
    }

    private func watch(_ content: BusPlayableContent, for item: ContentItem.ID, in suggestion: Suggestion.ID) async {
        guard let changes = try? await content.changes() else { return }
        // It may have gone while it was offered.
        guard await isThere(item, in: content, suggestion) else { return }
        var (isUpdating, isDue) = (false, false)
        for await change in changes.prefix(Self.changeLimit) {
            switch change {
            case .updatesBegan: isUpdating = true
            case .updatesEnded: isUpdating = false
            // The end of updates may be among what was missed.
            case .content(nil): (isUpdating, isDue) = (false, true)
            case .content: isDue = true
            }
            guard isDue, !isUpdating else { continue }
            isDue = false
            guard await isThere(item, in: content, suggestion) else { return }
        }
    }

    /// Asks whether an item is still there, takes the offer back when it is not, and leaves the app alone for a while.
    private func isThere(
        _ item: ContentItem.ID, in content: BusPlayableContent, _ suggestion: Suggestion.ID
    ) async -> Bool {
        guard await desk.isOpen(suggestion) else { return false }
        do {
            if try await content.contentItem(item) == nil {
                await desk.withdraw(because: "its app has it no more") { $0.id == suggestion }
                return false
            }
        } catch {
            // An app that does not answer, or knows its items by no name, says nothing of this one.
        }
        return (try? await loop.sleep(for: Self.changePause)) != nil
    }

    func endFollowingContent() {
        telling?.cancel()
        watch?.cancel()
        (telling, watch, toldContext) = (nil, nil, PlayableContentContext())
    }
}
