public import HunchModel
import Localization

extension HistoryStore {
    /// Returns the default path of the history: `$XDG_STATE_HOME/hunch/history.sqlite`.
    ///
    /// If `XDG_STATE_HOME` is empty or not absolute, `$HOME/.local/state` is used instead.
    ///
    /// - Parameter environment: the environment variables of the process.
    /// - Throws: ``HistoryError`` `cannotOpen` if neither variable gives an absolute path.
    /// - Source: XDG Base Directory Specification 0.8, freedesktop.org.
    public static func defaultPath(environment: [String: String]) throws(HistoryError) -> String {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/hunch/history.sqlite" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw HistoryError(
                .cannotOpen, localized("the folder for the history is unknown; set HOME or XDG_STATE_HOME"))
        }
        return home + "/.local/state/hunch/history.sqlite"
    }

    /// Returns the paths of damaged histories that were set aside and of their logs, sorted. Returns none if the folder
    /// cannot be read.
    ///
    /// - Parameter path: path of the history.
    public static func setAsideFiles(besides path: String) -> [String] { HistoryFiles(path: path).setAside }
}
