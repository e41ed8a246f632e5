internal import HunchModel

import HunchDBus

/// The app units of the user manager, to count each launch once. While an app has a unit, its further units (a second
/// window, a helper) do not count as launches.
struct LaunchTable {
    /// The maximum number of units. Further ones are ignored; nobody runs that many apps.
    static let limit = 1_024
    /// The app of each unit.
    private var applications: [String: AppID] = [:]

    /// Records a unit that started.
    ///
    /// - Returns: the app that this unit launched; `nil` if it launched none.
    mutating func begin(_ unit: String) -> AppID? {
        guard let application = Self.application(of: unit), applications[unit] == nil,
            applications.count < Self.limit
        else { return nil }
        let isFirst = !applications.values.contains(application)
        applications[unit] = application
        return isFirst ? application : nil
    }

    func holds(_ unit: String) -> Bool { applications[unit] != nil }

    /// Removes a unit that ended. Returns whether it was present.
    @discardableResult
    mutating func end(_ unit: String) -> Bool { applications.removeValue(forKey: unit) != nil }

    /// Returns the app that a user launches as a unit of this name. Returns `nil` for other units, for units that
    /// the session starts by itself (`…@autostart.service`), and for those that Hunch launches for a suggestion.
    ///
    /// Source: systemd's “Desktop Environment Integration”.
    static func application(of unit: String) -> AppID? {
        guard unit.hasPrefix("app-"), unit.utf8.count <= 255, !unit.hasSuffix("@autostart.service"),
            !unit.hasPrefix("app-hunch-"), unit.hasSuffix(".service") || unit.hasSuffix(".scope")
        else { return nil }
        return CallerIdentity.application(ofUnit: unit).map { AppID($0) }
    }
}
