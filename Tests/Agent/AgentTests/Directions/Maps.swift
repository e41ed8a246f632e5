import FoundationEssentials
import HunchModel
import EventLoops
import HunchDBus
import HunchKit
import TestSupport

extension AgentRig {
    /// Installs a desktop entry with a program that records its arguments; see ``started(_:)``.
    func installApp(_ id: AppID, exec: String = "%u", _ lines: String) throws {
        let program = try home.directory.write(
            """
            #!/bin/sh
            for argument; do echo "$argument"; done > "\(startedFile(id)).partial"
            echo "token=$XDG_ACTIVATION_TOKEN" >> "\(startedFile(id)).partial"
            mv "\(startedFile(id)).partial" "\(startedFile(id))"
            """, to: "bin/\(id)")
        try home.makeExecutable(program)
        try home.directory.write(
            "[Desktop Entry]\nType=Application\nName=The \(id)\nExec=\(program) \(exec)\n" + lines,
            to: "data/applications/\(id).desktop")
    }

    /// Installs a map app that goes by car and on foot, everywhere.
    func installMapApp(_ id: AppID = "org.example.Maps", modes: String = "car;pedestrian", more: String = "") throws {
        try installApp(
            id,
            """
            Implements=org.hunch.RoutingApp1;

            [org.hunch.RoutingApp1]
            Modes=\(modes);
            Uri=geo:{lat},{lon}?from=\(id)
            \(more)
            """)
    }

    /// Writes a coverage file for a web service.
    func cover(_ id: String, name: String, _ ring: String = "[[2,48],[3,48],[3,49],[2,49],[2,48]]") throws {
        try home.directory.write(
            """
            {"type": "Feature", "id": "\(id)", "geometry": {"type": "Polygon", "coordinates": [\(ring)]},
             "properties": {"name": "\(name)", "kind": "web", "modes": ["bus"],
             "uri": {"to": "https://example.org/{lat}/{lon}"}}}
            """, to: "data/hunch/regions/\(id).geojson")
    }

    /// Two places of the name Paris, and Sydney.
    func importPlaces() async throws {
        let list = try home.directory.write(
            """
            <gweather format="1.0"><region><country><_name>France</_name><iso-code>FR</iso-code>
            <city><_name>Paris</_name><coordinates>48.866667 2.333333</coordinates></city></country>
            <country><_name>United States</_name><iso-code>US</iso-code><state><_name>Texas</_name>
            <city><_name>Paris</_name><coordinates>33.660939 -95.555513</coordinates></city></state></country>
            <country><_name>Australia</_name><iso-code>AU</iso-code>
            <city><_name>Sydney</_name><coordinates>-33.883333 151.216667</coordinates></city></country></region></gweather>
            """, to: "share/libgweather-4/Locations.xml")
        _ = try await hunch("gazetteer", "import", list).output()
    }

    /// Waits until an app was started, and returns its arguments, the activation token last.
    func started(_ id: AppID) async throws -> [String] {
        let file = startedFile(id)
        try await withDeadline(.seconds(30), "the start of \(id)") { try await waitForFile(at: file) }
        return try home.directory.read("\(id).started").split(separator: "\n").map(String.init)
    }

    private func startedFile(_ id: AppID) -> String { home.directory.file("\(id).started") }
}

extension TemporaryHome {
    func makeExecutable(_ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
}
