internal import Players
internal import Agent
internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Media
internal import Localization

// Communication with apps that serve playable content, besides preparing and playing.
extension MediaService {
    /// The maximum number of apps that are sent the context.
    private static let toldLimit = 16
    /// The maximum number of content changes accepted from an app while its item is suggested.
    private static let changeLimit = 1_000
    /// The pause before an app is asked again whether an item still exists.
    private static let changePause = Duration.milliseconds(500)

    func sendContext() async {
        let context = PlayableContentContext(device: await deviceInUse())
        guard context != toldContext else { return }
        toldContext = context
        telling?.cancel()
        telling = Task(executorPreference: loop) { [self] in
            do {
                try await tell(context)
            } catch is CancellationError {} catch {
                problems.report(localized("apps could not be notified of the device: %1", "\(error)"))
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
                // An app that does not handle the call only misses the context.
                group.addTask { try? await app.contextChanged(to: context) }
            }
        }
    }

    func followContent(of suggestion: Suggestion) async {
        watch?.cancel()
        watch = nil
        guard case .play(let item, _, _) = suggestion.action, !item.isEmpty, let players else { return }
        let app = await library.app(suggestion.application, players: players)
        guard let content = app as? BusPlayableContent else { return }
        watch = Task(executorPreference: loop) { [self] in
            await watch(content, for: item, in: suggestion.id)
        }
    }

    private func watch(_ content: BusPlayableContent, for item: ContentItem.ID, in suggestion: Suggestion.ID) async {
        guard let changes = try? await content.changes() else { return }
        // The item may have disappeared while it was being suggested.
        guard await isThere(item, in: content, suggestion) else { return }
        var (isUpdating, isDue) = (false, false)
        for await change in changes.prefix(Self.changeLimit) {
            switch change {
            case .updatesBegan: isUpdating = true
            case .updatesEnded: isUpdating = false
            // The end of updates may be among the missed signals.
            case .content(nil): (isUpdating, isDue) = (false, true)
            case .content: isDue = true
            }
            guard isDue, !isUpdating else { continue }
            isDue = false
            guard await isThere(item, in: content, suggestion) else { return }
        }
    }

    /// Asks whether an item still exists, withdraws the suggestion if not, and then pauses before the next question.
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
            // An app that does not answer, or whose items have no identifiers, does not contradict the suggestion.
        }
        return (try? await loop.sleep(for: Self.changePause)) != nil
    }

    func endFollowingContent() {
        telling?.cancel()
        watch?.cancel()
        (telling, watch, toldContext) = (nil, nil, PlayableContentContext())
    }
}
