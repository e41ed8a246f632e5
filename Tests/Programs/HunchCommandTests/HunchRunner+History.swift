import FoundationEssentials
import History
import HunchModel
import TestSupport

extension HunchRunner {
    /// Opens the history of the temporary home, creating it, and closes it when `body` ends.
    func withHistory(_ body: (HistoryStore) throws -> Void) throws {
        let path = try HistoryStore.defaultPath(environment: home.environment)
        let store = try HistoryStore.open(at: path, now: Date()).store
        try store.setEnabled(true)
        try body(store)
        try store.close()
    }

    /// Installs a desktop entry with further lines.
    func installApp(_ id: String, name: String, _ lines: String = "") throws {
        try home.directory.write(
            "[Desktop Entry]\nType=Application\nName=\(name)\nExec=true %U\n\(lines)\n",
            to: "share/applications/\(id).desktop")
    }
}
