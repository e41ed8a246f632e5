public import HunchModel
public import Regions

/// The routing apps that are known: from coverage files, and from apps that declare themselves.
public struct RoutingAppCatalogue: Sendable {
    /// The apps, in ascending order of their identifiers.
    public let apps: [RoutingApp]
    /// What could not be used. Everything else is in ``apps``.
    public let problems: [RoutingAppProblem]
    /// For each app that is installed the desktop identifier under which it is.
    public let installedIDs: [RoutingApp.ID: String]
    /// Desktop identifier of the application that opens `geo:` links now, or would without Hunch.
    public let defaultHandler: String?
    /// The areas of the apps.
    public let regions: RegionIndex

    /// Makes a catalogue.
    ///
    /// - Parameters:
    ///   - regions: the coverage files.
    ///   - installed: the applications of the machine.
    ///   - defaultHandler: desktop identifier of the application that opens `geo:` links, Hunch left aside.
    ///   - locales: for names of apps that declare themselves; see ``HunchModel/DesktopEntry/localeNames(for:)``.
    public init(
        regions: RegionIndex, installed: InstalledApplications, defaultHandler: String?, locales: [String] = []
    ) {
        var apps: [RoutingApp.ID: RoutingApp] = [:]
        var problems: [RoutingAppProblem] = []
        for region in regions.regions {
            do throws(RoutingAppProblem) {
                guard let app = try RoutingApp(region: region) else { continue }
                if apps[app.id] == nil { apps[app.id] = app } else { apps[app.id]?.services += app.services }
            } catch {
                problems.append(error)
            }
        }
        for entry in installed.entries(implementing: RoutingApp.declaration) {
            do throws(RoutingAppProblem) {
                let app = try RoutingApp(entry: entry, file: installed.file(of: entry.id) ?? "", locales: locales) {
                    Self.features(ofFile: $0, in: regions)
                }
                // What an app says of itself counts before what a coverage file says of it.
                if let app { apps[app.id] = app }
            } catch {
                problems.append(error)
            }
        }
        if let other = Self.unknownMapApp(defaultHandler, beside: apps, installed, locales) { apps[other.id] = other }
        self.apps = apps.values.sorted { $0.id < $1.id }
        self.problems = problems
        self.defaultHandler = defaultHandler
        self.regions = regions
        installedIDs = apps.compactMapValues { app in
            // Hunch opens no link with itself, whatever a file says.
            app.desktopIDs.first { $0 != LinkHandler.application && installed.entry($0)?.opensLinks == true }
        }
    }

    /// The person's map application, where neither a coverage file nor itself says anything of it: it opens places.
    private static func unknownMapApp(
        _ id: String?, beside apps: [RoutingApp.ID: RoutingApp], _ installed: InstalledApplications, _ locales: [String]
    ) -> RoutingApp? {
        guard let id, id != LinkHandler.application, apps[id] == nil,
            !apps.values.contains(where: { $0.desktopIDs.contains(id) }), let entry = installed.entry(id),
            entry.opensLinks
        else { return nil }
        return RoutingApp(
            id: id, name: entry.name(locales: locales), kind: .native, desktopIDs: [id],
            services: [RoutingApp.Service(region: nil, modes: [.other])],
            template: LaunchTemplate(toDestination: "geo:{lat},{lon}", search: "geo:0,0?q={query}"))
    }

    private static func features(ofFile name: String, in regions: RegionIndex) -> [Region.ID]? {
        guard !name.contains("/") else { return nil }
        let found = regions.regions.filter { $0.file.hasSuffix("/" + name) }.map(\.id)
        return found.isEmpty ? nil : found
    }

    /// The desktop entry that opens an app, or the browser for a web service.
    ///
    /// - Parameter tried: apps that were handed the same request just before.
    public func launch(_ app: RoutingApp, link: String, tried: [String] = []) -> DirectionsLaunch {
        DirectionsLaunch(desktopID: app.kind == .web ? nil : installedIDs[app.id], uri: link, tried: tried)
    }
}
