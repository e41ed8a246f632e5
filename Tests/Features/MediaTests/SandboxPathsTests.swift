import FoundationEssentials
import HunchModel
import Media
import Players
import TestSupport
import Testing

/// Tests of pictures that Flatpak apps name by paths inside their sandbox.
@Suite("Pictures of sandboxed apps") struct SandboxPathsTests {
    private static let app: AppID = "org.example.Player"

    private func withSandbox(
        _ body: (TemporaryDirectory, ArtworkCache, SandboxPaths) throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            try directory.write([UInt8](), to: "home/.var/app/\(Self.app)/.keep")
            let sandbox = SandboxPaths(of: Self.app, home: directory.file("home"), runtime: directory.file("run"))
            try body(directory, ArtworkCache(folder: directory.file("cache")), #require(sandbox))
        }
    }

    @Test(
        "The sandbox's own folders are found outside",
        arguments: [
            ("/var/cache/art/a.png", "home/.var/app/org.example.Player/cache/art/a.png"),
            ("/var/data/a.png", "home/.var/app/org.example.Player/data/a.png"),
            ("/var/config/a.png", "home/.var/app/org.example.Player/config/a.png"),
            ("/var/tmp/a.png", "home/.var/app/org.example.Player/cache/tmp/a.png"),
            ("/tmp/hunch-test/a%20b.png", "run/.flatpak/org.example.Player/tmp/hunch-test/a b.png"),
            (
                "/app/share/a.png",
                "home/.local/share/flatpak/app/org.example.Player/current/active/files/share/a.png"
            ),
        ])
    func found(inside: String, outside: String) async throws {
        try await withSandbox { directory, cache, sandbox in
            let picture = ImageHeaderTests.png(64, 64)
            try directory.write(picture, to: outside)
            let copy = try cache.copy(of: "file://" + inside, in: sandbox)
            #expect(copy.hasPrefix("file://" + cache.folder))
            #expect(try Data(contentsOf: URL(filePath: String(copy.dropFirst(7)))) == Data(picture))
            // A path of another app is not mapped to this app.
            #expect(throws: MediaError.self) { try cache.copy(of: "file://" + inside) }
        }
    }

    @Test("Home and document paths are the same outside")
    func same() async throws {
        try await withSandbox { directory, cache, sandbox in
            let path = try directory.write(ImageHeaderTests.png(8, 8), to: "home/.var/app/\(Self.app)/cache/a.png")
            #expect(try cache.copy(of: "file://" + path, in: sandbox) == cache.copy(of: "file://" + path))
        }
    }

    @Test("No path leads out of its mapped folder")
    func escape() async throws {
        try await withSandbox { directory, cache, sandbox in
            try directory.write(ImageHeaderTests.png(8, 8), to: "home/.var/app/secret.png")
            try directory.write([UInt8](), to: "home/.var/app/\(Self.app)/cache/.keep")
            for path in ["/var/cache/../../secret.png", "/var/cache/%2e%2e/%2e%2e/secret.png"] {
                #expect(throws: MediaError.self) { try cache.copy(of: "file://" + path, in: sandbox) }
            }
        }
    }

    @Test(
        "An invalid or unknown app name has no sandbox",
        arguments: [
            "org.example.Other", "mpv", "../org.example.Player", ".", "org.example/Player", "",
        ])
    func none(application: AppID) async throws {
        try await withSandbox { directory, _, _ in
            #expect(SandboxPaths(of: application, home: directory.file("home"), runtime: nil) == nil)
        }
    }
}
