import History
import HunchModel
import Localization

/// The words about Hunch before it is switched on for the first time.
struct Introduction {
    /// The folder of the history, as the user writes it.
    private let folder: String

    /// - Parameter folder: the folder of the history.
    init(folder: String, home: String?) {
        let isInHome = home.map { folder.hasPrefix($0 + "/") } ?? false
        self.folder = isInHome ? "~" + folder.dropFirst(home?.count ?? 0) : folder
    }

    /// Returns the introduction; `nil` if Hunch was switched on or off before.
    static func beforeFirstUse(environment: [String: String]) -> Introduction? {
        guard let path = try? HistoryStore.defaultPath(environment: environment), let slash = path.lastIndex(of: "/")
        else { return nil }
        if let store = try? HistoryStore.openReadOnly(at: path) {
            let wasDecided = (try? store.settings().wasDecided) ?? true
            try? store.close()
            if wasDecided { return nil }
        }
        return Introduction(folder: String(path[..<slash]), home: environment["HOME"])
    }

    /// The lines: what Hunch watches, what it keeps and where, that nothing leaves the machine, and how to undo it.
    var lines: [String] {
        [
            localized(
                """
                Hunch watches audio devices, media players, unlocking, and what apps report about \
                themselves.
                """),
            localized("It suggests what you may want next. It plays and opens nothing by itself."),
            localized(
                "What you play, open and travel to is kept in %1 for %2 days, readable by you only.", folder,
                HistoryLimits.defaultRetentionDays),
            localized("Nothing leaves this machine: the agent does not use the network."),
            localized("“hunch disable” switches it off again, and “hunch forget --all” deletes what was recorded."),
        ]
    }
}
