internal import Agent
internal import Activities
internal import Apps
internal import FoundationEssentials
internal import HunchModel
internal import Learning
internal import Localization

/// Opens calendar files that Hunch makes.
struct CalendarFileOpener: EnvironmentUser {
    let environment: AgentEnvironment

    /// Writes a file and opens it in the app of a suggestion, which asks the user where to save it.
    ///
    /// - Throws: ``LaunchError`` if nothing can open it or the file cannot be written; ``DBusError`` `…Disconnected`;
    ///   `CancellationError`.
    func open(_ text: ICalendarText, as suggestion: Suggestion, activationToken: String?) async throws {
        guard let folder = configuration.directories.cacheHome.map({ $0 + "/hunch/events" }) else {
            throw LaunchError(.failed, localized("HOME is not set; set it to your home folder"))
        }
        // Below the cache, so that forgetting removes it.
        let file = "\(folder)/\(suggestion.id).ics"
        do {
            try await history.caching {
                // The apps have read the earlier files.
                try? FileManager.default.removeItem(atPath: folder)
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Data(text.description.utf8).write(to: URL(filePath: file), options: .atomic)
            }
        } catch {
            throw LaunchError(.failed, localized("%1 cannot be written: %2", file, "\(error)"))
        }
        let uri = URL(filePath: file).absoluteString
        try await launcher.launch(suggestion.application, uri: uri, activationToken: activationToken)
    }
}
