internal import HunchDBus
internal import HunchModel

/// A calendar in the registry of Evolution Data Server.
struct EvolutionSource: Sendable {
    let identifier: String
    /// The name for people.
    let name: String

    /// - Parameter properties: the properties of `org.gnome.evolution.dataserver.Source`.
    /// - Returns: `nil` for other sources, and for calendars that are off or hidden.
    init?(_ properties: VariantMap) {
        guard let identifier = (try? properties.value("UID", as: String.self)) ?? nil,
            let data = (try? properties.value("Data", as: String.self)) ?? nil,
            // Key files have the syntax of desktop entries.
            let entry = try? DesktopEntry(id: AppID(identifier), text: data), entry.hasGroup("Calendar"),
            entry.raw("Enabled", in: "Data Source") != "false", entry.raw("Selected", in: "Calendar") != "false",
            // Birthdays of contacts and the weather have no appointments.
            let backend = entry.raw("BackendName", in: "Calendar"), !["contacts", "weather"].contains(backend)
        else { return nil }
        self.identifier = identifier
        name = entry.string("DisplayName", in: "Data Source") ?? identifier
    }
}
