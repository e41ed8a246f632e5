public import HunchModel

extension HistoryStore {
    /// The place of the history: `$XDG_STATE_HOME/hunch/history.sqlite`.
    ///
    /// An `XDG_STATE_HOME` that is empty or not absolute is ignored in favour of `$HOME/.local/state`.
    ///
    /// - Parameter environment: the variables of the process.
    /// - Throws: ``HistoryError`` `cannotOpen` when neither variable gives an absolute path.
    /// - Source: XDG Base Directory Specification 0.8, freedesktop.org.
    public static func defaultPath(environment: [String: String]) throws(HistoryError) -> String {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/hunch/history.sqlite" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw HistoryError(
                .cannotOpen, "there is no place for the history; set HOME or XDG_STATE_HOME")
        }
        return home + "/.local/state/hunch/history.sqlite"
    }

    /// Paths of what was set aside when a history was found damaged, with its logs, in order; empty when nothing was,
    /// or when the folder cannot be read.
    ///
    /// - Parameter path: path of the history.
    public static func setAsideFiles(besides path: String) -> [String] { HistoryFiles(path: path).setAside }
}
