import HunchDBus

/// The units of apps that the user manager has, so that an app counts as launched once: while one unit of it is there,
/// further ones (a second window, a helper) are no launch.
struct LaunchTable {
    /// Further units are left out: nobody runs so many apps.
    static let limit = 1_024
    /// Which app a unit belongs to.
    private var applications: [String: String] = [:]

    /// Takes in that there is a unit.
    ///
    /// - Returns: the app that was launched by it; `nil` when none was.
    mutating func begin(_ unit: String) -> String? {
        guard let application = Self.application(of: unit), applications[unit] == nil,
            applications.count < Self.limit
        else { return nil }
        let isFirst = !applications.values.contains(application)
        applications[unit] = application
        return isFirst ? application : nil
    }

    /// Whether a unit is there.
    func holds(_ unit: String) -> Bool { applications[unit] != nil }

    /// Takes in that a unit is gone. Returns whether it was there.
    @discardableResult
    mutating func end(_ unit: String) -> Bool { applications.removeValue(forKey: unit) != nil }

    /// The app that a person launches by a unit of this name; `nil` for what is no app, what the session starts by itself
    /// (`…@autostart.service`) and what Hunch launches for a suggestion.
    ///
    /// Source: systemd's “Desktop Environment Integration”.
    static func application(of unit: String) -> String? {
        guard unit.hasPrefix("app-"), unit.utf8.count <= 255, !unit.hasSuffix("@autostart.service"),
            !unit.hasPrefix("app-hunch-"), unit.hasSuffix(".service") || unit.hasSuffix(".scope")
        else { return nil }
        return CallerIdentity.application(ofUnit: unit)
    }
}
