import FoundationEssentials
import Glibc
import History
package import HunchModel
import Localization
package import SearchIndexes

/// Access of commands to the user's search index.
package enum IndexAccess {
    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// Opens the index for writing, and creates it if there is none. A damaged one is set aside. The agent has the desktop's
    /// language: that of a command may be another one.
    package static func store() throws -> IndexStore {
        let path = try IndexStore.defaultPath(environment: environment)
        let language = IndexStore.language(environment: environment)
        do throws(IndexError) {
            return try IndexStore.open(at: path, language: language, isFixed: true)
        } catch {
            guard error.code == .unreadable else { throw error }
            try IndexStore.setAside(at: path)
            Output.complain(localized("the search index was damaged or of another version; import your items again"))
            return try IndexStore.open(at: path, language: language, isFixed: true)
        }
    }

    /// Opens the index for reading; `nil` if there is none.
    package static func reader() throws -> IndexStore? {
        try IndexStore.openReadOnly(at: IndexStore.defaultPath(environment: environment))
    }

    /// Whether there is an index.
    package static var exists: Bool {
        get throws { access(try IndexStore.defaultPath(environment: environment), F_OK) == 0 }
    }

    /// Returns the apps that the user excluded.
    package static func exclusions() throws -> Set<AppID> {
        let path = try HistoryStore.defaultPath(environment: environment)
        guard let history = try HistoryStore.openReadOnly(at: path) else { return [] }
        defer { try? history.close() }
        return try history.exclusions()
    }

    /// Returns whether something about an app may be recorded now.
    package static func isRecorded(_ application: AppID) throws -> Bool {
        let path = try HistoryStore.defaultPath(environment: environment)
        guard let history = try HistoryStore.openReadOnly(at: path) else { return false }
        defer { try? history.close() }
        return try history.outcome(forApplication: application, now: Date()).isRecorded
    }

    /// Checks that the user allows items of an app.
    ///
    /// - Throws: ``CommandError`` if Hunch is paused, or the user excluded the app.
    package static func checkRecording(of application: AppID) throws {
        let path = try HistoryStore.defaultPath(environment: environment)
        guard let history = try HistoryStore.openReadOnly(at: path) else { return }
        defer { try? history.close() }
        if let until = try history.settings().pauseEnd(at: Date()) {
            throw CommandError(
                localized("Hunch is paused; “hunch unpause” ends that"), ExitStatus.systemFailure, code: "paused")
        }
        if try history.exclusions().contains(application) {
            throw CommandError(
                localized("you excluded %1; “hunch exclude --undo” ends that", application), ExitStatus.systemFailure,
                code: "excluded")
        }
    }
}
