import FoundationEssentials
import Glibc
import Media
import TestSupport
import Testing

@Suite("App icons") struct AppIconsTests {
    /// Two data folders; the first has precedence.
    private func withFolders(
        _ files: [String], _ body: nonisolated(nonsending) (AppIcons, TemporaryDirectory) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            for file in files {
                let folder = directory.file(file).split(separator: "/").dropLast().joined(separator: "/")
                try FileManager.default.createDirectory(atPath: "/" + folder, withIntermediateDirectories: true)
                try directory.write("x", to: file)
            }
            try await body(AppIcons(dataFolders: [directory.file("home"), directory.file("share")]), directory)
        }
    }

    @Test(
        "An icon name gives the best size, the user's folder first",
        arguments: [
            (["share/icons/hicolor/48x48/apps/a.png", "share/icons/hicolor/256x256/apps/a.png"], 1),
            (["share/icons/hicolor/256x256/apps/a.png", "home/icons/hicolor/48x48/apps/a.png"], 1),
            (["share/icons/hicolor/scalable/apps/a.svg", "share/icons/hicolor/128x128/apps/a.png"], 0),
            (["share/pixmaps/a.png", "share/icons/hicolor/48x48/apps/b.png"], 0),
            (["share/pixmaps/a.xpm", "share/icons/hicolor/256x256/apps/a.txt"], nil),
        ] as [([String], Int?)])
    func names(_ files: [String], _ found: Int?) async throws {
        try await withFolders(files) { icons, directory async throws in
            #expect(icons.uri(of: "a") == found.map { "file://" + directory.file(files[$0]) })
            // Old entries name the file.
            #expect(icons.uri(of: "a.png") == icons.uri(of: "a"))
        }
    }

    @Test("An absolute path is used if its picture is not too large")
    func paths() async throws {
        try await withFolders(["app/icon one.png", "app/icon.exe", "app/empty.png"]) { icons, directory async throws in
            #expect(
                icons.uri(of: directory.file("app/icon one.png")) == "file://\(directory.file("app/icon%20one.png"))")
            #expect(icons.uri(of: directory.file("app/icon.exe")) == nil)
            #expect(icons.uri(of: directory.file("app/missing.png")) == nil)
            #expect(truncate(directory.file("app/empty.png"), 0) == 0)
            #expect(icons.uri(of: directory.file("app/empty.png")) == nil)
            // A sparse file takes no space.
            #expect(truncate(directory.file("app/empty.png"), 5 << 20) == 0)
            #expect(icons.uri(of: directory.file("app/empty.png")) == nil)
        }
    }

    @Test(
        "No icon name leads out of the icon folders", arguments: ["", "../secret", "a/b", ".hidden", "a\u{0}b", "\n"])
    func hostile(_ name: String) async throws {
        try await withFolders(["share/secret.png", "share/icons/hicolor/256x256/apps/.hidden.png"]) { icons, _ async in
            #expect(icons.uri(of: name) == nil)
        }
        #expect(AppIcons(dataFolders: ["/"]).uri(of: String(repeating: "x", count: 100_000)) == nil)
    }
}
