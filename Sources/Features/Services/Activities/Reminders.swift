internal import DesktopFiles
internal import Agent
internal import Activities
internal import AgentInterface
internal import Apps
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Localization

/// Keeps reminders: in a task list of Evolution Data Server, whose alarm service reminds the user, or else with the
/// desktop's default app for calendar files.
struct Reminders: EnvironmentUser {
    /// The key of the default task list in dconf. Source: the GSettings schema `org.gnome.Evolution.DefaultSources`.
    private static let defaultList = "/org/gnome/evolution/default-task-list"

    let environment: AgentEnvironment

    /// The task list or app that keeps reminders.
    struct Keeper {
        let application: AppID
        let name: String
        let reason: Explanation.Reason
    }

    /// Returns what keeps reminders on this desktop; `nil` if nothing does.
    func keeper(excluding excluded: Set<AppID>) async throws -> Keeper? {
        if try await CalendarReaderClient(bus: bus).hasTaskLists() {
            return Keeper(
                application: AppID(HunchNames.desktopEntry), name: localized("Tasks"),
                reason: .init(localized("this desktop has a task list")))
        }
        // GNOME Calendar, which loses tasks, is installed only with Evolution Data Server.
        guard let handler = try await handler(for: "text/calendar", excluding: excluded) else { return nil }
        return Keeper(
            application: handler, name: try await name(of: handler),
            reason: .init(localized("it keeps events on this desktop")))
    }

    /// Keeps a reminder.
    ///
    /// - Returns: the name of the task list; `nil` if an app opens, which asks the user where to keep it.
    /// - Throws: ``LaunchError`` if it cannot be kept; ``DBusError`` `…Disconnected`; `CancellationError`.
    func keep(_ reminder: Reminder, as suggestion: Suggestion, activationToken: String?) async throws -> String? {
        // The same reminder gets the same identifier, so that a list does not keep it twice.
        let words = [reminder.title, reminder.webPageURL ?? "", "\(reminder.date.timeIntervalSince1970)"]
        let identifier = StableHash(words.joined(separator: "\n").utf8).digits
        let text = ICalendarText(reminder, identifier: "\(identifier)@hunch", now: configuration.now())
        guard suggestion.application.rawValue == HunchNames.desktopEntry else {
            try await CalendarFileOpener(environment: environment).open(
                text, as: suggestion, activationToken: activationToken)
            return nil
        }
        let database = configuration.directories.configHome.map { $0 + "/dconf/user" }
        let preferred = try? await history.blocking {
            database.flatMap { DconfDatabase(file: $0)?.string(Self.defaultList) }
        }
        do {
            return try await CalendarReaderClient(bus: bus).addTask(text.component, preferring: preferred ?? "")
        } catch let error as DBusError where error.name != .disconnected {
            throw LaunchError(.failed, localized("the task list could not be changed: %1", error.message))
        }
    }
}
