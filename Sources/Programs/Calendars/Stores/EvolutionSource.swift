internal import DesktopFiles
internal import HunchDBus
internal import HunchModel

/// A calendar or a task list in the registry of Evolution Data Server.
struct EvolutionSource: Sendable {
    let identifier: String
    /// The name for people.
    let name: String

    /// Reads a calendar.
    ///
    /// - Parameter properties: the properties of `org.gnome.evolution.dataserver.Source`.
    /// - Returns: `nil` for other sources, and for calendars that are off or hidden.
    init?(_ properties: VariantMap) {
        self.init(properties) { entry in
            // Birthdays of contacts and the weather have no appointments.
            guard entry.hasGroup("Calendar"), entry.raw("Selected", in: "Calendar") != "false",
                let backend = entry.raw("BackendName", in: "Calendar")
            else { return false }
            return !["contacts", "weather"].contains(backend)
        }
    }

    /// Reads a task list.
    ///
    /// - Parameter properties: the properties of `org.gnome.evolution.dataserver.Source`.
    /// - Returns: `nil` for other sources, and for task lists that are off.
    init?(taskList properties: VariantMap) {
        self.init(properties) { $0.hasGroup("Task List") }
    }

    private init?(_ properties: VariantMap, where isMeant: (DesktopEntry) -> Bool) {
        guard let identifier = (try? properties.value("UID", as: String.self)) ?? nil,
            let data = (try? properties.value("Data", as: String.self)) ?? nil,
            // Key files have the syntax of desktop entries.
            let entry = try? DesktopEntry(id: AppID(identifier), text: data), isMeant(entry),
            entry.raw("Enabled", in: "Data Source") != "false"
        else { return nil }
        self.identifier = identifier
        name = entry.string("DisplayName", in: "Data Source") ?? identifier
    }
}
