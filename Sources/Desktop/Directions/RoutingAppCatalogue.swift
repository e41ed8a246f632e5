internal import DesktopFiles
public import Apps
public import HunchModel
public import Regions

/// The known routing apps: from coverage files, from apps that declare themselves, and all installed applications
/// that open `geo:` links.
public struct RoutingAppCatalogue: Sendable {
    /// The apps, in ascending order of their identifiers.
    public let apps: [RoutingApp]
    /// The entries with problems. All others are in ``apps``.
    public let problems: [RoutingAppProblem]
    /// The installed desktop identifier of each installed app.
    public let installedIDs: [RoutingApp.ID: AppID]
    /// The desktop identifier of the application that opens `geo:` links, or would without Hunch.
    public let defaultHandler: AppID?
    /// The areas of the apps.
    public let regions: RegionIndex
    /// Positions in ``apps`` of those with a service for a region, by the identifier of the region.
    let appsOfRegions: [Region.ID: [Int]]
    /// Positions in ``apps`` of those that may serve any place.
    let appsOfNoRegion: [Int]

    /// Creates a catalogue.
    ///
    /// - Parameters:
    ///   - regions: the coverage files.
    ///   - installed: the applications of the machine.
    ///   - defaultHandler: the desktop identifier of the application that opens `geo:` links, or would without Hunch.
    ///   - locales: the locales of names; see ``HunchModel/DesktopEntry/localeNames(for:)``.
    public init(
        regions: RegionIndex, installed: InstalledApps, defaultHandler: AppID?, locales: [String] = []
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
        let geo = LinkHandler.type(ofScheme: "geo")
        let entries = installed.entries(mentioning: RoutingApp.declaration, geo)
        for entry in entries where entry.implements.contains(RoutingApp.declaration) {
            do throws(RoutingAppProblem) {
                let app = try RoutingApp(entry: entry, file: installed.file(of: entry.id) ?? "", locales: locales) {
                    Self.features(ofFile: $0, in: regions)
                }
                // An app's own declaration overrides a coverage file.
                if let app { apps[app.id] = app }
            } catch {
                problems.append(error)
            }
        }
        let known = Set(apps.values.flatMap(\.desktopIDs)).union(apps.keys).union([LinkHandler.application])
        let handlers =
            entries.filter { $0.mimeTypes.contains(geo) } + [defaultHandler.flatMap(installed.entry)].compactMap { $0 }
        for entry in handlers where !known.contains(entry.id) && entry.takesLinks {
            apps[entry.id] = RoutingApp(mapApplication: entry, locales: locales)
        }
        self.problems = problems
        self.defaultHandler = defaultHandler
        self.regions = regions
        installedIDs = apps.compactMapValues { app in
            // Hunch never opens a link with itself.
            app.desktopIDs.first { $0 != LinkHandler.application && installed.entry($0)?.takesLinks == true }
        }
        // The desktop shows an installed app by the name in its entry, in the user's language.
        for (app, id) in installedIDs { apps[app]?.name = installed.entry(id)?.name(locales: locales) ?? id.rawValue }
        let sorted = apps.values.sorted { $0.id < $1.id }
        self.apps = sorted
        appsOfRegions = sorted.enumerated().reduce(into: [:]) { apps, app in
            for region in Set(app.element.services.compactMap(\.region)) {
                apps[region, default: []].append(app.offset)
            }
        }
        appsOfNoRegion = sorted.indices.filter {
            sorted[$0].services.contains { $0.region == nil || $0.isEstimate }
        }
    }

    /// Returns the features of a coverage file by its name; `nil` if no folder has it, or none of its features is valid.
    public static func features(ofFile name: String, in regions: RegionIndex) -> [Region]? {
        guard !name.contains("/") else { return nil }
        let found = regions.regions.filter { $0.file.hasSuffix("/" + name) }
        return found.isEmpty ? nil : found
    }

    /// Returns the launch of an app, or of the browser for a web service.
    ///
    /// - Parameter tried: the apps that just received the same request.
    public func launch(_ app: RoutingApp, link: String, tried: [AppID] = []) -> DirectionsLaunch {
        DirectionsLaunch(desktopID: app.kind == .web ? nil : installedIDs[app.id], uri: link, tried: tried)
    }
}

extension RoutingApp {
    /// Creates an app from an installed application that opens `geo:` links. It shows places.
    ///
    /// Its link has the forms of RFC 5870 and of Android, which Linux map apps support, too. Parameters that only
    /// some of them support are present only if the request has them.
    fileprivate init(mapApplication entry: DesktopEntry, locales: [String]) {
        let place = "geo:{lat},{lon}[;u={uncertainty}]"
        let marker = "q={lat},{lon}({name})"
        self.init(
            id: entry.id, name: entry.name(locales: locales), kind: .native, desktopIDs: [entry.id],
            services: [
                Service(
                    region: nil, modes: [],
                    template: LaunchTemplate(
                        toDestination: try? LinkTemplate("\(place)[?\(marker)&z={zoom}|?\(marker)|?z={zoom}]"),
                        search: try? LinkTemplate("geo:0,0?q={query}")))
            ],
            opening: .place)
    }
}

extension DesktopEntry {
    /// Whether Hunch can open a link with it.
    fileprivate var takesLinks: Bool { opensLinks && !boolean("Terminal") }
}
