@testable import DesktopFiles
import FoundationEssentials
import SeededRandom
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of GNOME's Do Not Disturb, as written by the real dconf.
@Suite("dconf database", .timeLimit(.minutes(15))) struct DconfTests {
    private static let key = "/org/gnome/desktop/notifications/show-banners"

    /// A database that dconf wrote, and a way to write more settings.
    private func withDconf(
        _ body:
            nonisolated(nonsending) (_ file: String, _ write: (String, String) async throws -> Void) async throws ->
            Void
    ) async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                let environment = home.environment.merging(bus.environment) { $1 }
                let service = Command(
                    "/usr/libexec/dconf-service", [], environment: environment,
                    ready: .busName("ca.desrt.dconf", on: bus))
                try await withDaemon(service) { _ in
                    let file = try #require(environment["XDG_CONFIG_HOME"]) + "/dconf/user"
                    try await body(file) { key, value in
                        _ = try await run("dconf", ["write", key, value], environment: environment).output()
                    }
                }
            }
        }
    }

    @Test("Written keys are read, and other keys are unknown")
    func real() async throws {
        try await withDconf { file, write in
            #expect(DconfDatabase(file: file) == nil)
            for (key, value) in [
                ("/org/gnome/desktop/interface/text-scaling-factor", "1.5"), ("/org/gnome/shell/x", "'y'"),
                (Self.key, "false"), ("/show-banners", "true"), ("/org/gnome/desktop/notifications/a", "@ay []"),
            ] {
                try await write(key, value)
            }
            #expect(DconfDatabase(file: file)?.boolean(Self.key) == false)
            #expect(DconfDatabase(file: file)?.boolean("/show-banners") == true)
            for key in [
                "/org/gnome/shell/x", "/org/gnome/desktop/interface/text-scaling-factor", "/org/", "", "banners",
            ] {
                #expect(DconfDatabase(file: file)?.boolean(key) == nil, "\(key)")
            }
            #expect(DconfDatabase(file: file)?.string("/org/gnome/shell/x") == "y")
            try await write("/org/gnome/shell/x", "'größer'")
            #expect(DconfDatabase(file: file)?.string("/org/gnome/shell/x") == "größer")
            #expect(DconfDatabase(file: file)?.string(Self.key) == nil)
            try await write(Self.key, "true")
            #expect(DconfDatabase(file: file)?.boolean(Self.key) == true)
        }
    }

    @Test("Reading a truncated or corrupt file does not crash")
    func malformed() async throws {
        try await withDconf { file, write in
            try await write(Self.key, "false")
            try await write("/org/gnome/evolution/default-task-list", "'errands'")
            let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file)))
            for end in bytes.indices { #expect(DconfDatabase(Array(bytes[..<end]))?.boolean(Self.key) != true) }
            var random = SplitMix64(seed: 11)
            for _ in 0..<5_000 {
                var changed = bytes
                for _ in 0..<3 {
                    changed[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                _ = DconfDatabase(changed)?.boolean(Self.key)
                _ = DconfDatabase(changed)?.string("/org/gnome/evolution/default-task-list")
            }
            // Items that are each other's parents.
            _ = DconfDatabase(bytes.map { $0 == 0xFF ? 0 : $0 })?.boolean(Self.key)
            #expect(DconfDatabase([]) == nil && DconfDatabase(Array("GVariant".utf8)) == nil)
        }
    }
}
