import Glibc
import TestSupport
import Testing

@testable import HunchDBus

/// Tests of callers in sandboxes that have no unit.
@Suite("Sandboxed callers", .timeLimit(.minutes(15)))
struct SandboxTests {
    /// Sandboxes, by the words before the command. The bus's folder is mounted in each.
    private enum Sandbox: CaseIterable, CustomTestStringConvertible {
        case ownRoot, ownMounts, firejail

        var testDescription: String { "\(self)" }

        func command(_ folder: String) -> [String] {
            switch self {
            case .ownRoot:
                [
                    "bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib",
                    "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--bind", folder, folder,
                ]
            case .ownMounts: ["bwrap", "--bind", "/", "/"]
            // The same root with other mounts below it.
            case .firejail: ["unshare", "--mount"]
            }
        }
    }

    private static let call = [
        "dbus-send", "--session", "--print-reply", "--dest=org.example.Service", "/a", "a.B.Who",
    ]

    /// Runs a service that identifies its callers.
    private func withService(_ body: (PrivateBus, Desk, Watched<[CallerIdentity]>) async throws -> Void) async throws {
        try await withDesk { desk, bus in
            let service = try await desk.connect()
            let server = await ObjectServer(on: service)
            let callers = Watched<[CallerIdentity]>([])
            let who = ExportedMember.method("Who") { call async throws in
                let caller = try await call.caller()
                callers.update { $0.append(caller) }
            }
            try await server.export("/a", [ExportedInterface("a.B", [who])])
            _ = try await service.requestName("org.example.Service")
            try await body(bus, desk, callers)
        }
    }

    @Test("A process with its own root or mounts is sandboxed", arguments: Sandbox.allCases)
    private func surroundings(sandbox: Sandbox) async throws {
        try await withService { bus, _, callers in
            let socket = bus.address.drop { $0 != "/" }.prefix { $0 != "," }
            let folder = String(socket[..<(socket.lastIndex(of: "/") ?? socket.endIndex)])
            let commands = [Self.call, sandbox.command(folder) + Self.call]
            for command in commands {
                let result = try await run(command[0], Array(command.dropFirst()), environment: bus.environment)
                #expect(result.status == .exited(0), "\(result)")
            }
            try #require(callers.state.count == 2)
            #expect(callers.state[0].confinement != .sandboxed)
            #expect(callers.state[1].confinement == .sandboxed && callers.state[1].application == nil)
        }
    }

    @Test("A caller behind a sandbox's bus proxy is sandboxed")
    func proxy() async throws {
        try await withService { bus, desk, callers in
            try await withBusProxy(to: bus, ["--talk=org.example.Service"]) { address in
                let client = try await Connection.open(BusAddress(address), on: desk.loop)
                let () = try await client.call("org.example.Service", "/a", "a.B", "Who")
                #expect(callers.state.map(\.confinement) == [.sandboxed])
                await client.close()
            }
        }
    }

    @Test("A process whose files are unreadable is sandboxed")
    func unreadable() {
        let outside = Outside(bus: UInt32(getpid()))
        #expect(outside.contains(UInt32(getpid())))
        #expect(!outside.contains(.max) && !Outside(bus: nil).contains(.max))
    }
}
