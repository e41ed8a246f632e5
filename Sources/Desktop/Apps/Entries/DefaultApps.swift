internal import DesktopFiles
public import HunchModel

/// The default applications for MIME types: those in `mimeapps.list`, then any application that declares the type
/// (`mimeinfo.cache`).
///
/// Source: MIME Applications Associations 1.0.1.
public struct DefaultApps: Sendable {
    private let lists: [DesktopEntry]
    private let caches: [DesktopEntry]
    private let installed: InstalledApps

    /// Reads the lists of a machine.
    ///
    /// - Parameters:
    ///   - environment: the environment, with the XDG folders and `XDG_CURRENT_DESKTOP`.
    ///   - installed: the installed applications.
    public init(environment: [String: String], installed: InstalledApps) {
        let folders = BaseDirectories(environment: environment)
        let names = Self.listNames(environment: environment)
        let places = folders.configSearchPath + folders.dataSearchPath.map { $0 + "/applications" }
        lists = places.flatMap { place in names.compactMap { Self.file(place + "/" + $0) } }
        caches = folders.dataSearchPath.compactMap { Self.file($0 + "/applications/mimeinfo.cache") }
        self.installed = installed
    }

    /// Returns the names of the lists in each folder, most important first: those of the running desktop, then the
    /// common one.
    public static func listNames(environment: [String: String]) -> [String] {
        let desktops = environment["XDG_CURRENT_DESKTOP"]?.split(separator: ":").map { $0.lowercased() } ?? []
        return desktops.filter { !$0.contains("/") }.map { "\($0)-mimeapps.list" } + ["mimeapps.list"]
    }

    private static func file(_ path: String) -> DesktopEntry? {
        InstalledApps.text(ofFile: path).flatMap { try? DesktopEntry(id: AppID(path), text: $0) }
    }

    /// Returns the desktop identifier of the installed application that opens a type; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - type: a MIME type, or `x-scheme-handler/SCHEME` for links.
    ///   - excluded: the desktop identifiers of applications to exclude.
    public func handler(for type: String, except excluded: Set<AppID> = []) -> AppID? {
        func counts(_ id: AppID) -> Bool { !excluded.contains(id) && installed.entry(id) != nil }
        for list in lists {
            for id in Self.identifiers(list, type, "Default Applications") where counts(id) {
                return id
            }
        }
        var removed: Set<AppID> = []
        for list in lists {
            removed.formUnion(Self.identifiers(list, type, "Removed Associations"))
            for id in Self.identifiers(list, type, "Added Associations")
            where !removed.contains(id) && counts(id) {
                return id
            }
        }
        for cache in caches {
            for id in Self.identifiers(cache, type, "MIME Cache")
            where !removed.contains(id) && counts(id) {
                return id
            }
        }
        return nil
    }

    private static func identifiers(_ list: DesktopEntry, _ type: String, _ group: String) -> [AppID] {
        list.strings(type, in: group).compactMap(DesktopEntry.identifier(ofFile:))
    }
}
