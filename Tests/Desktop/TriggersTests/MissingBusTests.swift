import FoundationEssentials
import EventLoops
import HunchDBus
import TestSupport
import Testing

@testable import Triggers

@Suite("Missing system bus", .timeLimit(.minutes(15)))
struct MissingBusTests {
    @Test("The bus is retried as configured, then on its socket")
    func socketAppears() async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        try await withTemporaryDirectory { directory in
            try await withPrivateBus(.system) { bus in
                let attempts = Watched(0)
                let states = Watched<[BlueZState]>([])
                let address = Watched<BusAddress?>(nil)
                let blueZ = BlueZ(
                    SystemBusFollower(on: loop, socket: directory.file("run/bus"), retries: [.milliseconds(1)]) {
                        attempts.update { $0 += 1 }
                        guard let address = address.state else { throw DBusError(.noServer, "there is none") }
                        return try await Connection.open(address, on: loop)
                    })
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await blueZ.run { state in states.update { $0.append(state) } } }
                    defer { group.cancelAll() }
                    try await withDeadline(.seconds(30), "two attempts") {
                        try await states.wait { $0.count == 2 ? () : nil }
                    }
                    #expect(states.state == [.unreachable("there is none"), .unreachable("there is none")])
                    address.update { $0 = BusAddress(bus.address) }
                    try directory.write("", to: "run/bus")
                    try await withDeadline(.seconds(30), "the bus being found") {
                        try await states.wait { $0.last == .absent ? () : nil }
                    }
                    #expect(attempts.state == 3)
                }
            }
        }
    }

    @Test(
        "The socket path is read from the bus address",
        arguments: [
            ("unix:path=/run/dbus/socket", "/run/dbus/socket"), ("unix:path=/a%20b,guid=1f", "/a b"),
            ("tcp:host=x;unix:guid=1,path=/second", "/second"), ("unix:abstract=/tmp/x", nil), ("unix:path=/a%2", nil),
            ("unix:path=/a%zz", nil), ("", nil), ("unix:path=relative", nil),
        ] as [(String, String?)])
    func socketPath(_ address: String, _ expected: String?) {
        #expect(SystemBusSocket.path(of: BusAddress(address)) == expected)
    }
}
