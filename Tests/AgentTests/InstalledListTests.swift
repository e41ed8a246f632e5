import Directions
import FoundationEssentials
import HunchDBus
import TestSupport
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(1))) struct InstalledListTests {
    private let entry = "[Desktop Entry]\nType=Application\nName=Player\nExec=true\n"

    @Test func `the disk is read on the thread for blocking work, and what is installed meanwhile is seen`()
        async throws
    {
        let worker = try WorkerThread()
        defer { worker.stop() }
        try await withTemporaryHome { home in
            let list = InstalledList(environment: home.environment, worker: worker)
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
}
