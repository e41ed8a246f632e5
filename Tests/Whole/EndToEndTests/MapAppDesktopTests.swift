import FoundationEssentials
import EventLoops
import HunchDBus
import TestSupport
import Testing

/// The desktop entries of GNOME Maps and Marble as their packages install them. They start a program that records
/// its arguments, since the real ones need a display and a network.
@Suite("Installed map apps", .timeLimit(.minutes(15)))
struct MapAppDesktopTests {
    private static let maps = "org.gnome.Maps"
    private static let marble = "marble_geo"

    /// A home in which only these two apps are installed, the first as the desktop's handler.
    private func withMapApps(
        _ handler: String, _ body: nonisolated(nonsending) (TemporaryHome, [String: String]) async throws -> Void
    ) async throws {
        try await withTemporaryHome { home in
            let files = FileManager.default
            for folder in ["share/applications", "share/hunch"] {
                try files.createDirectory(atPath: home.directory.file(folder), withIntermediateDirectories: true)
            }
            for id in [Self.maps, Self.marble] {
                try files.createSymbolicLink(
                    atPath: home.directory.file("share/applications/\(id).desktop"),
                    withDestinationPath: "/usr/share/applications/\(id).desktop")
            }
            try files.createSymbolicLink(
                atPath: home.directory.file("share/hunch/regions"),
                withDestinationPath: "\(Surroundings.packageRoot)/Regions")
            for program in ["gapplication", "marble"] {
                let report = home.directory.file("\(program).arguments")
                let script = try home.directory.write(
                    """
                    #!/bin/sh
                    for argument; do echo "$argument"; done > '\(report).part'
                    mv '\(report).part' '\(report)'

                    """, to: "bin/\(program)")
                try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
            }
            try home.directory.write(
                "[Default Applications]\nx-scheme-handler/geo=\(handler).desktop\n", to: "config/mimeapps.list")
            let path = ["PATH": home.directory.file("bin") + ":/usr/bin:/bin"]
            try await body(home, home.environment.merging(path) { $1 })
        }
    }

    private func arguments(of program: String, in home: TemporaryHome) async throws -> [String] {
        try await waitForFile(at: home.directory.file("\(program).arguments"))
        return try home.directory.read("\(program).arguments").split(separator: "\n").map(String.init)
    }

    @Test(
        "Each app gets the place in the form that it understands",
        arguments: [
            (Self.maps, "geo:0,0?q=60.1699,24.9384(Rautatieasema)&z=15", ["launch", Self.maps, "geo:60.1699,24.9384"]),
            (
                Self.maps, "https://osm.org/?mlat=-33.8688&mlon=151.2093",
                ["launch", Self.maps, "geo:-33.8688,151.2093"]
            ),
            (
                Self.maps, "geo:0,0?q=Yank%20Sing%2C%20Stevenson%20St",
                ["launch", Self.maps, "maps:q=Yank%20Sing%2C%20Stevenson%20St"]
            ),
            (
                Self.maps, "geo:60.1699,24.9384;crs=wgs84;u=40", ["launch", Self.maps, "geo:60.1699,24.9384;u=40"]
            ),
            (Self.marble, "geo:0,0?q=60.1699,24.9384(Rautatieasema)&z=15", ["--geo-uri=geo:60.1699,24.9384"]),
            (Self.marble, "geo:60.1699,24.9384;crs=wgs84;u=40", ["--geo-uri=geo:60.1699,24.9384"]),
        ])
    func forms(handler: String, link: String, expected: [String]) async throws {
        try await withMapApps(handler) { home, environment in
            _ = try await run(builtProduct("hunch"), ["handler", "install"], environment: environment).output()
            let opened = try await run(builtProduct("hunch"), ["handler", "open", link], environment: environment)
            #expect(opened.status == .exited(0), "\(opened)")
            let program = handler == Self.maps ? "gapplication" : "marble"
            #expect(try await arguments(of: program, in: home) == expected)
        }
    }

    @Test("GNOME Maps and the chosen app open over D-Bus")
    func overTheBus() async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        try await withMapApps(Self.marble) { home, environment in
            try await withPrivateBus { bus in
                let connection = try await Connection.open(BusAddress(bus.address), on: loop)
                let opened = Watched<[String]>([])
                let app = await ObjectServer(on: connection)
                try await app.export(
                    "/org/gnome/Maps",
                    [
                        ExportedInterface(
                            "org.freedesktop.Application",
                            [
                                .method("Open", arguments: ["uris", "platform_data"]) {
                                    (_, uris: [String], _: VariantMap) in opened.update { $0 += uris }
                                }
                            ])
                    ])
                #expect(try await connection.requestName("org.gnome.Maps") == .owner)
                let surroundings = environment.merging(bus.environment) { $1 }
                let agent = Command(
                    try builtProduct("hunchd"), environment: surroundings,
                    ready: .busName("org.hunch.Agent1", on: bus))
                try await withDaemon(agent) { _ in
                    for id in [Self.maps, Self.marble] {
                        // What a program requests ends with its connection.
                        let script = """
                            import subprocess, sys, hunch
                            routes = hunch.directions("geo:60.1699,24.9384?z=12", limit=64)
                            [wanted] = [one for one in routes if one.app == sys.argv[2]]
                            sys.exit(subprocess.run([sys.argv[1], "accept", wanted.id]).returncode)
                            """
                        _ = try await run(
                            "/usr/bin/python3", ["-c", script, builtProduct("hunch"), id], environment: surroundings
                        ).output()
                    }
                    try await withDeadline(.seconds(60), "GNOME Maps being asked") {
                        try await opened.wait { $0.isEmpty ? nil : () }
                    }
                    #expect(opened.state == ["geo:60.1699,24.9384"])
                    #expect(try await arguments(of: "marble", in: home) == ["--geo-uri=geo:60.1699,24.9384"])
                }
                await connection.close()
            }
        }
    }
}
