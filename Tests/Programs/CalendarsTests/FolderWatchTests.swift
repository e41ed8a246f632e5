import EventLoops
import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import Calendars

/// Watching calendars that do not exist yet.
@Suite("Folder watch", .timeLimit(.minutes(15))) struct FolderWatchTests {
    /// Runs `body` while the calendars of a home are watched, as the calendar reader does. The state is the files that were
    /// listed last.
    private func withWatch(
        in home: TemporaryHome, isServed: Bool, _ body: (Watched<[String]>) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let files = CalendarFiles(environment: home.environment)
        let listed = Watched<[String]>([])
        let holder = Holder()
        @Sendable func look() {
            repeat {
                listed.update { $0 = files.listing(isServed: isServed).files }
                let listing = files.listing(isServed: isServed)
                if holder.watch?.follow(listing.folders, awaiting: listing.awaited) != true { break }
            } while true
        }
        await withCheckedContinuation { continuation in
            loop.execute {
                holder.watch = FolderWatch(on: loop) { look() }
                look()
                continuation.resume()
            }
        }
        try await body(listed)
        await withCheckedContinuation { continuation in
            loop.execute {
                holder.watch?.close()
                continuation.resume()
            }
        }
    }

    private final class Holder: @unchecked Sendable {  // touched on the loop alone
        var watch: FolderWatch?
    }

    private func wait(_ listed: Watched<[String]>, for file: String) async throws {
        try await withDeadline(.seconds(10), "the calendar \(file)") {
            try await listed.wait { $0.contains { $0.hasSuffix(file) } ? () : nil }
        }
    }

    @Test(
        "A calendar is noticed though several of its folders did not exist",
        arguments: [
            ".calendars/mine/all.ics", "data/calendars/a.ics", "data/khal/calendars/private/a.ics",
            "data/korganizer/std.ics", "data/evolution/calendar/system/calendar.ics",
        ])
    func missingFolders(file: String) async throws {
        try await withTemporaryHome { home in
            try await withWatch(in: home, isServed: false) { listed in
                try home.directory.write("", to: file)
                try await wait(listed, for: file)
            }
        }
    }

    @Test(
        "Settings that appear later lead to their calendars, before and after these exist",
        arguments: [
            ("config/khal/config", "path = ~/khal/*\n", "khal/work/d.ics"),
            ("config/vdirsyncer/config", "path = \"~/deep/sync\"\n", "deep/sync/e.ics"),
            ("config/akonadi_ical_resource_0rc", "[General]\nPath[$e]=$HOME/kde/std.ics\n", "kde/std.ics"),
        ])
    func settings(settings: String, text: String, file: String) async throws {
        try await withTemporaryHome { home in
            try await withWatch(in: home, isServed: true) { listed in
                try home.directory.write(text, to: settings)
                try home.directory.write("", to: file)
                try await wait(listed, for: file)
            }
        }
    }

    @Test("The files of Evolution count only if its server does not report their events")
    func served() async throws {
        try await withTemporaryHome { home in
            try home.directory.write("", to: "data/evolution/calendar/system/calendar.ics")
            let files = CalendarFiles(environment: home.environment)
            #expect(files.listing(isServed: true).files.isEmpty && files.listing(isServed: false).files.count == 1)
        }
    }

    @Test("A folder that is removed and made again is watched again")
    func removed() async throws {
        try await withTemporaryHome { home in
            try home.directory.write("", to: ".calendars/old.ics")
            try await withWatch(in: home, isServed: true) { listed in
                try await wait(listed, for: "old.ics")
                try FileManager.default.removeItem(atPath: home.directory.file(".calendars"))
                try home.directory.write("", to: ".calendars/new.ics")
                try await wait(listed, for: "new.ics")
            }
        }
    }
}
