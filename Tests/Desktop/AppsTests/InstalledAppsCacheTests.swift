import DesktopFiles
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Apps

@Suite(.timeLimit(.minutes(15))) struct InstalledAppsCacheTests {
    private let entry = "[Desktop Entry]\nType=Application\nName=Player\nExec=true\n"

    @Test func `The list is read on the worker and follows installations`()
        async throws
    {
        let worker = try WorkerThread()
        defer { worker.stop() }
        try await withTemporaryHome { home in
            let list = InstalledAppsCache(environment: home.environment, worker: worker)
            #expect(try await list.read { $0.identifiers.contains("org.example.Player") } == false)
            try home.directory.write(entry, to: "data/applications/org.example.Player.desktop")
            #expect(try await list.read { $0.identifiers.contains("org.example.Player") })
            try home.directory.write(
                entry.replacing("Player", with: "Viewer"), to: "data/applications/org.example.Viewer.desktop")
            let name = try await list.read { installed in
                #expect(installed.entry("org.example.Viewer") != nil)
                return try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            }
            #expect(name == "worker\n")
        }
    }

    @Test func `An entry rewritten in place is read again`() async throws {
        let worker = try WorkerThread()
        defer { worker.stop() }
        try await withTemporaryHome { home in
            let interface = "org.hunch.PlayableContent1"
            let list = InstalledAppsCache(environment: home.environment, worker: worker)
            let declaring = entry + "Implements=\(interface);\n"
            let file = "data/applications/org.example.Player.desktop"
            try home.directory.write(entry, to: file)
            try home.directory.write(
                entry + "Comment=Not \(interface)\n", to: "data/applications/org.example.Viewer.desktop")
            for text in [entry, declaring, entry, declaring] {
                let path = try home.directory.write(text, to: file)
                // A file system may give two changes one time.
                let moment = Date(timeIntervalSince1970: text == entry ? 1_000 : 2_000)
                try FileManager.default.setAttributes([.modificationDate: moment], ofItemAtPath: path)
                for _ in 0..<2 {
                    let declared = try await list.entries(implementing: interface).map(\.id)
                    #expect(declared == (text == entry ? [] : ["org.example.Player"]))
                }
            }
            let program = home.directory.path + "/player"
            try home.directory.write(declaring + "TryExec=\(program)\n", to: file)
            #expect(try await list.entries(implementing: interface).isEmpty)
            try home.directory.write("#!/bin/sh\n", to: "player")
            #expect(chmod(program, 0o755) == 0)
            #expect(try await list.entries(implementing: interface).map(\.id) == ["org.example.Player"])
        }
    }
}
