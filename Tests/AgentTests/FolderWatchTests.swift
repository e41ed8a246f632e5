import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Agent

@Suite("Folders that are watched") struct FolderWatchTests {
    /// Makes a watch over `watched` and over `settings/list` in a folder of its own, then changes something.
    ///
    /// - Parameter isSeen: whether the watch has to see it.
    private func expectSeen(
        _ isSeen: Bool = true, with folders: [String] = ["watched", "settings"],
        _ change: (_ folder: TemporaryDirectory) throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            for folder in folders { try directory.write("before", to: "\(folder)/file") }
            let watch = FolderWatch()
            let look = try #require(
                watch.begin(folders: [directory.file("watched")], files: [directory.file("settings/list")]))
            #expect(!watch.hasChanged(since: look))
            try change(directory)
            let hasChanged = watch.hasChanged(since: look)
            // Once seen it stays so.
            #expect(watch.hasChanged(since: look) == hasChanged)
            #expect(hasChanged == isSeen)
        }
    }

    private func move(_ directory: TemporaryDirectory, _ from: String, _ to: String) {
        #expect(rename(directory.file(from), directory.file(to)) == 0)
    }

    @Test("files that are made, written in place, moved over, removed, or whose rights change")
    func files() async throws {
        try await expectSeen { try $0.write("new", to: "watched/new") }
        try await expectSeen { directory in
            let descriptor = open(directory.file("watched/file"), O_WRONLY | O_APPEND)
            #expect(write(descriptor, "x", 1) == 1)
            close(descriptor)
        }
        // As editors do: a file beside it takes its place.
        try await expectSeen { directory in
            try directory.write("new", to: "elsewhere/.file.swp")
            move(directory, "elsewhere/.file.swp", "watched/file")
        }
        try await expectSeen { #expect(unlink($0.file("watched/file")) == 0) }
        try await expectSeen { #expect(chmod($0.file("watched/file"), 0o600) == 0) }
    }

    @Test("a folder that is made later, with all above it, goes, is moved, or is exchanged on the way")
    func folders() async throws {
        try await expectSeen(with: ["other"]) { try $0.write("new", to: "watched/new") }
        try await expectSeen(with: ["other"]) { directory in
            try directory.write("new", to: "made/new")
            move(directory, "made", "watched")
        }
        try await expectSeen { move($0, "watched", "elsewhere") }
        try await expectSeen { try FileManager.default.removeItem(atPath: $0.file("watched")) }
        try await withTemporaryDirectory { directory in
            try directory.write("one", to: "one/share/watched/file")
            try directory.write("two", to: "two/share/watched/file")
            #expect(symlink(directory.file("one"), directory.file("profile")) == 0)
            let watch = FolderWatch()
            let look = try #require(watch.begin(folders: [directory.file("profile/share/watched")], files: []))
            #expect(symlink(directory.file("two"), directory.file("next")) == 0 && !watch.hasChanged(since: look))
            move(directory, "next", "profile")
            #expect(watch.hasChanged(since: look))
        }
    }

    @Test("a file is watched by its name, also before it is there; others beside it do not count")
    func names() async throws {
        try await expectSeen(false) { try $0.write("other", to: "settings/other") }
        try await expectSeen { try $0.write("list", to: "settings/list") }
        try await expectSeen(with: ["watched"]) { try $0.write("list", to: "settings/list") }
        try await expectSeen(false) { try $0.write("x", to: "neither/x") }
    }

    @Test("where more has changed than is noted, something has changed")
    func overflow() async throws {
        let limit = try #require(
            Int(
                String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
                    .prefix(while: \.isNumber)))
        try #require(limit <= 1 << 17)
        try await expectSeen { directory in
            // None of these counts by its name.
            for number in 0..<(limit / 2 + 2) {
                let path = directory.file("settings/other\(number % 2)")
                close(open(path, O_CREAT | O_WRONLY, 0o600))
                unlink(path)
            }
        }
    }

    @Test("all looks share one instance; a later one ends those before, and folders can be added to it")
    func looks() async throws {
        try await withTemporaryDirectory { directory in
            try directory.write("x", to: "one/file")
            try directory.write("x", to: "two/file")
            let instances = Watched(0)
            let watch = FolderWatch {
                instances.update { $0 += 1 }
                return inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            }
            let first = try #require(watch.begin(folders: [directory.file("one")], files: []))
            try directory.write("y", to: "one/file")
            #expect(watch.hasChanged(since: first))
            let second = try #require(watch.begin(folders: [directory.file("one")], files: []))
            #expect(watch.hasChanged(since: first) && !watch.hasChanged(since: second))
            try directory.write("y", to: "two/file")
            #expect(!watch.hasChanged(since: second))
            #expect(watch.extend(second, folders: [directory.file("two")]) && !watch.hasChanged(since: second))
            #expect(!watch.extend(first, folders: []))
            try directory.write("z", to: "two/file")
            #expect(watch.hasChanged(since: second))
            // What was noted of a folder that is no longer watched is not taken for another one's.
            try directory.write("z", to: "one/file")
            let third = try #require(watch.begin(folders: [directory.file("two")], files: []))
            try directory.write("w", to: "one/file")
            #expect(!watch.hasChanged(since: third))
            #expect(instances.state == 1)
            watch.close()
            #expect(watch.hasChanged(since: third) && !watch.extend(third, folders: []))
            #expect(watch.begin(folders: [], files: []) == nil && instances.state == 1)
        }
    }

    /// What looks at folders, with instances of some kind.
    private func withFolders(
        _ open: @escaping @Sendable () -> Int32,
        _ body: (_ directory: TemporaryDirectory, _ make: () -> FolderFingerprint) throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let watch = FolderWatch(open: open)
            let environment = [
                "HOME": directory.path, "XDG_DATA_HOME": directory.file("data"),
                "XDG_DATA_DIRS": directory.file("system"), "XDG_CONFIG_HOME": directory.file("config"),
                "XDG_CONFIG_DIRS": directory.file("etc"),
            ]
            let entry = "data/applications/org.example.Maps.desktop"
            try directory.write("[Desktop Entry]", to: entry)
            try directory.write("[Default Applications]", to: "config/mimeapps.list")
            // Long ago, so that the next change bears another time.
            for path in [entry, "data/applications", "config/mimeapps.list", "data", "config"] {
                let times = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
                #expect(utimes(directory.file(path), times) == 0)
            }
            try body(directory) {
                var fingerprint = FolderFingerprint(coverage: [], environment: environment, watch: watch)
                fingerprint.add(entries: [directory.file(entry)])
                return fingerprint
            }
        }
    }

    @Test("changes are seen where there is an instance, and by their times where there is none or no room for a watch")
    func fallback() async throws {
        let kinds: [(isWatched: Bool, open: @Sendable () -> Int32)] = [
            (true, { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }), (false, { -1 }),
            // Takes no watches.
            (false, { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }),
        ]
        for kind in kinds {
            try await withFolders(kind.open) { directory, make in
                let changes: [() throws -> Void] = [
                    { try directory.write("[Other]", to: "data/applications/org.example.Maps.desktop") },
                    { try directory.write("[Added Associations]", to: "config/mimeapps.list") },
                    { try directory.write("[New]", to: "data/applications/org.example.New.desktop") },
                ]
                for (index, change) in changes.enumerated() {
                    var fingerprint = make()
                    // What was just changed may be changed again at the same time.
                    while !kind.isWatched, index > 0, !fingerprint.isCurrent { fingerprint = make() }
                    #expect(fingerprint.isCurrent && fingerprint.needsDisk == !kind.isWatched)
                    try change()
                    #expect(!fingerprint.isCurrent, "change \(index), watched: \(kind.isWatched)")
                }
            }
        }
    }

    @Test("a folder behind a link that leads to another link is seen to be another one, though both bear the same time")
    func chainOfLinks() async throws {
        try await withFolders({ inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }) { directory, make in
            for version in ["one", "two"] {
                try directory.write("[Desktop Entry]", to: "\(version)/applications/file")
                let times = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
                #expect(utimes(directory.file("\(version)/applications"), times) == 0)
            }
            #expect(symlink(directory.file("one"), directory.file("elsewhere")) == 0)
            #expect(symlink(directory.file("two"), directory.file("next")) == 0)
            #expect(symlink(directory.file("elsewhere"), directory.file("system")) == 0)
            let fingerprint = make()
            #expect(fingerprint.isCurrent && fingerprint.needsDisk)
            move(directory, "next", "elsewhere")
            #expect(!fingerprint.isCurrent)
        }
    }

    @Test("an instance that takes no watches is given back")
    func givenBack() async throws {
        try await withTemporaryDirectory { directory in
            let path = try directory.write("no instance", to: "file")
            let watch = FolderWatch { Glibc.open(path, O_RDONLY | O_CLOEXEC) }
            #expect(watch.begin(folders: ["/"], files: []) == nil)
            let open = (0..<1_024).compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            #expect(!open.isEmpty && !open.contains(path))
            withExtendedLifetime(watch) {}
        }
    }
}
