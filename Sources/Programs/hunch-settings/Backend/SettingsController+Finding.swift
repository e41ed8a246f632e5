import AgentInterface
import CAdwaita
import HunchKit
import HunchModel
import SettingsPages

extension SettingsController {
    /// The most items that are shown.
    private static let itemLimit: UInt32 = 50

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
                let items = try await agent.find(.init(text, isUnfinished: true, limit: Self.itemLimit))
                guard !Task.isCancelled else { return }
                state.finding.items = items
                state.finding.continuing = Set(items.map(\.application)).filter(Self.continuesSearches)
            } catch {
                guard !Task.isCancelled else { return }
                (state.finding.items, state.finding.continuing) = ([], [])
                say(error)
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
