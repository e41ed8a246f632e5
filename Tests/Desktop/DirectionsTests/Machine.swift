internal import Apps
import Directions
import HunchModel
import Regions
import TestSupport

/// A synthetic machine: coverage files, desktop entries, programs and settings in a folder of the test's own.
struct Machine {
    let home: TemporaryHome

    var environment: [String: String] {
        home.environment.merging(["PATH": home.directory.file("bin"), "XDG_CURRENT_DESKTOP": "Sway:GNOME"]) { $1 }
    }

    var installed: InstalledApps { InstalledApps(environment: environment) }

    func install(_ id: String, _ lines: String, system: Bool = true) throws {
        let folder = system ? "share" : "data"
        try home.directory.write(
            "[Desktop Entry]\nType=Application\nName=\(id)\n" + lines, to: "\(folder)/applications/\(id).desktop")
    }

    func cover(
        _ id: String, _ geometry: String, modes: String = #"["car"]"#, kind: String = "web", more: String = "",
        uri: String = #"{"to": "https://example.org/{lat}/{lon}"}"#
    ) throws {
        let coordinates = geometry == "null" ? "null" : #"{"type": "Polygon", "coordinates": [\#(geometry)]}"#
        try home.directory.write(
            """
            {"type": "Feature", "id": "\(id)", "geometry": \(coordinates), "properties":
             {"name": "The \(id)", "kind": "\(kind)", "modes": \(modes), "uri": \(uri)\(more.isEmpty ? "" : ", " + more)}}
            """, to: "share/hunch/regions/\(id).geojson")
    }

    func catalogue() throws -> RoutingAppCatalogue {
        let regions = try RegionIndex(
            folders: CoverageFolder.standard(environment: environment, executableFolder: nil))
        let installed = installed
        let defaults = DefaultApps(environment: environment, installed: installed)
        return RoutingAppCatalogue(
            regions: regions, installed: installed, defaultHandler: defaults.mapApplication)
    }
}

func withMachine(_ body: nonisolated(nonsending) (Machine) async throws -> Void) async throws {
    try await withTemporaryHome { try await body(Machine(home: $0)) }
}

func town(_ latitude: Double, _ longitude: Double, name: String) throws -> MapItem {
    var town = try place(latitude, longitude, name: name)
    town.address = PostalAddress(city: name)
    return town
}

func place(_ latitude: Double, _ longitude: Double, name: String? = nil) throws -> MapItem {
    MapItem(name: name, coordinate: try Coordinate(latitude: latitude, longitude: longitude))
}
