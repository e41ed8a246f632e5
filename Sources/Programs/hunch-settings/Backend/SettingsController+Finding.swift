import AgentInterface
import CAdwaita
import HunchDBus
import HunchKit
import HunchModel
import SettingsPages

extension SettingsController {
    /// The most items that are shown.
    private static let itemLimit: UInt32 = 50
    /// The time after which a search is tried again while the index is being built.
    private static let waitingTime = Duration.seconds(1)

    /// Searches for content of apps. An empty text ends the search.
    ///
    /// - Parameter again: whether to search even if the text is the same.
    func find(_ text: String, again: Bool = false) {
        guard text != state.finding.text || again else { return }
        let former = search
        former?.cancel()
        // The former items stay until the new ones are known.
        state.finding.text = text
        guard !text.isEmpty, let agent else { return state.finding = ContentSearch(text) }
        search = Task {
            // One after the other, since the agent allows few searches at once.
            await former?.value
            guard !Task.isCancelled else { return }
            do {
                let items = try await found(text, agent)
                guard !Task.isCancelled else { return }
                (state.finding.items, state.finding.isWaiting) = (items, false)
                state.finding.continuing = Set(items.map(\.application)).filter(Self.continuesSearches)
            } catch {
                guard !Task.isCancelled else { return }
                (state.finding.items, state.finding.continuing, state.finding.isWaiting) = ([], [], false)
                say(error)
            }
        }
    }

    /// Returns what a search finds. Waits while the index is being built.
    private func found(_ text: String, _ agent: HunchAgent) async throws -> [FoundItem] {
        while true {
            do {
                return try await agent.find(.init(text, isUnfinished: true, limit: Self.itemLimit))
            } catch let error as DBusError where error.name == .busy {
                guard !Task.isCancelled else { throw error }
                state.finding.isWaiting = true
                try await Task.sleep(for: Self.waitingTime)
            }
        }
    }

    /// Returns whether an app's desktop entry declares that it continues searches.
    private static func continuesSearches(_ application: AppID) -> Bool {
        guard let info = g_desktop_app_info_new(application.rawValue + ".desktop") else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(info)) }
        return g_desktop_app_info_get_boolean(info, HunchNames.continuesSearchKey) != 0
    }
}
