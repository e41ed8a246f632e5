package import DesktopFiles
import Apps
import Directions
package import HunchModel
import Regions

/// The desktop entries of apps, each read once, and the apps' names in the user's language.
package struct AppNames {
    private let environment: [String: String]
    private lazy var installed = InstalledApps(environment: environment)
    /// The preferred locales, best first.
    package let locales: [String]
    /// The entries that were looked up; `nil` for an app that is not installed.
    private var entries: [AppID: DesktopEntry?] = [:]

    package init(environment: [String: String]) {
        self.environment = environment
        locales = DesktopEntry.localeNames(for: DesktopEntry.messageLocale(in: environment))
    }

    /// Returns the desktop entry of an app; `nil` if it is not installed.
    package mutating func entry(of application: AppID) -> DesktopEntry? {
        if let known = entries[application] { return known }
        let entry = installed.entry(application)
        entries[application] = .some(entry)
        return entry
    }

    /// The names of routing apps without a desktop entry, such as web services; empty if the coverage cannot be read.
    private(set) lazy var routingNames: [AppID: String] = {
        guard let regions = try? RegionIndex(folders: CoverageFolder.ofThisMachine) else {
            return [:]
        }
        let catalogue = RoutingAppCatalogue(regions: regions, installed: installed, defaultHandler: nil)
        return Dictionary(catalogue.apps.map { ($0.id, $0.name) }) { first, _ in first }
    }()

    /// Returns whether an app is a web service, which takes part in nothing on this computer.
    package mutating func isWebService(_ application: AppID) -> Bool {
        entry(of: application) == nil && routingNames[application] != nil
    }

    /// Returns the name of an app, or its identifier if it is unknown.
    package mutating func name(of application: AppID) -> String {
        entry(of: application)?.name(locales: locales) ?? routingNames[application] ?? application.rawValue
    }
}
