import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Apps

@Suite("Folder fingerprints") struct FolderFingerprintTests {
    private func date(_ path: String, to second: Int) {
        let time = timeval(tv_sec: second, tv_usec: 0)
        #expect(utimes(path, [time, time]) == 0)
    }

    /// Creates a home with a map app and a list of default apps, all of them old.
    private func withHome(
        _ body: (_ directory: TemporaryDirectory, _ fingerprint: () -> FolderFingerprint) throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let environment = [
                "HOME": directory.path, "XDG_DATA_HOME": directory.file("data"),
                "XDG_DATA_DIRS": directory.file("system"), "XDG_CONFIG_HOME": directory.file("config"),
                "XDG_CONFIG_DIRS": directory.file("etc"),
            ]
            let entry = "data/applications/org.example.Maps.desktop"
            try directory.write("[Desktop Entry]", to: entry)
            try directory.write("[Default Applications]", to: "config/mimeapps.list")
            for path in [entry, "data/applications", "config/mimeapps.list", "data", "config"] {
                date(directory.file(path), to: 1_000_000_000)
            }
            try body(directory) {
                var fingerprint = FolderFingerprint(environment: environment)
                fingerprint.add(entries: [directory.file(entry)])
                return fingerprint
            }
        }
    }

    @Test(
        "A change of an entry, a list or a folder is detected",
        arguments: [
            "data/applications/org.example.Maps.desktop", "data/applications/org.example.New.desktop",
            "config/mimeapps.list", "etc/mimeapps.list", "system/applications/org.example.Maps.desktop",
        ])
    func changes(path: String) async throws {
        try await withHome { directory, fingerprint in
            let before = fingerprint()
            #expect(before.isCurrent)
            try directory.write("[Changed]", to: path)
            #expect(!before.isCurrent)
        }
    }

    @Test("A fingerprint of a fresh change is not current")
    func recentChange() async throws {
        try await withHome { directory, fingerprint in
            var now = timeval()
            gettimeofday(&now, nil)
            date(directory.file("data/applications"), to: now.tv_sec + 3_600)
            #expect(fingerprint().isCurrent)
            #expect(utimes(directory.file("data/applications"), nil) == 0)
            #expect(!fingerprint().isCurrent)
        }
    }

    @Test("A folder replaced behind a chain of links is detected")
    func chainOfLinks() async throws {
        try await withHome { directory, fingerprint in
            for version in ["one", "two"] {
                try directory.write("[Desktop Entry]", to: "\(version)/applications/file")
                date(directory.file("\(version)/applications"), to: 1)
            }
            #expect(symlink(directory.file("one"), directory.file("elsewhere")) == 0)
            #expect(symlink(directory.file("two"), directory.file("next")) == 0)
            #expect(symlink(directory.file("elsewhere"), directory.file("system")) == 0)
            let before = fingerprint()
            #expect(before.isCurrent)
            #expect(rename(directory.file("next"), directory.file("elsewhere")) == 0)
            #expect(!before.isCurrent)
        }
    }

    /// A change below a folder of forty files, of which one is a symbolic link and one has another hard link.
    enum Change: CaseIterable {
        case written, added, removed, replaced, linkTarget, hardLink, folder, parent
    }

    @Test(
        "Files of a large folder are checked after events only, and every change is detected",
        arguments: Change.allCases)
    func watched(change: Change) async throws {
        try await withTemporaryDirectory { directory in
            let folder = directory.file("data/regions")
            for number in 1...40 { try directory.write("old", to: "data/regions/\(number)") }
            for name in ["target", "data/twin", "data/other"] { try directory.write("old", to: name) }
            #expect(symlink(directory.file("target"), folder + "/link") == 0)
            #expect(link(directory.file("data/twin"), folder + "/twin") == 0)
            let files = (1...40).map { "\(folder)/\($0)" } + [folder + "/link", folder + "/twin"]
            for path in files + [folder, directory.file("data")] { date(path, to: 1_000_000_000) }
            var fingerprint = FolderFingerprint(environment: [:])
            fingerprint.add([folder] + files)
            fingerprint.watchLargeFolders()
            #expect(fingerprint.isCurrent)
            date(folder + "/7", to: 1_000_000_000)
            #expect(fingerprint.isCurrent, "an event without a change")
            switch change {
            case .written: try directory.write("new", to: "data/regions/7")
            case .added: try directory.write("new", to: "data/regions/41")
            case .removed: #expect(unlink(folder + "/7") == 0)
            case .replaced: #expect(rename(directory.file("data/other"), folder + "/7") == 0)
            case .linkTarget: try directory.write("new", to: "target")
            case .hardLink: try directory.write("newer", to: "data/twin")
            case .folder:
                #expect(rename(folder, directory.file("data/former")) == 0)
                for number in 1...40 { try directory.write("new", to: "data/regions/\(number)") }
            case .parent: #expect(rename(directory.file("data"), directory.file("former")) == 0)
            }
            #expect(!fingerprint.isCurrent)
            #expect(!fingerprint.isCurrent, "nor later")
        }
    }
}
