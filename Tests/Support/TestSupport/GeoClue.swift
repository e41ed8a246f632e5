import Foundation
import Glibc
public import EventLoops
public import HunchDBus

/// The real GeoClue on a private bus, with a simulated satellite receiver and desktop agent.
///
/// The receiver is a Unix socket that sends NMEA 0183 sentences. GeoClue uses no network.
public final class GeoClue: Sendable {
    private struct Receiver {
        /// GeoClue's connections to it.
        var clients: [Int32] = []
        var sentence: String?
    }

    private let receiver = Watched(Receiver())
    private let bus: PrivateBus
    private let loop: EventLoop

    fileprivate init(_ bus: PrivateBus, _ loop: EventLoop) {
        self.bus = bus
        self.loop = loop
    }

    /// Finds the user somewhere.
    public func move(_ latitude: Double, _ longitude: Double) {
        let sentence = Self.fix(latitude, longitude)
        let clients = receiver.update { receiver in
            receiver.sentence = sentence
            return receiver.clients
        }
        for client in clients { Self.send(sentence, to: client) }
    }

    /// A sentence GGA of a good fix: degrees and minutes, and a checksum of all between `$` and `*`.
    private static func fix(_ latitude: Double, _ longitude: Double) -> String {
        func angle(_ value: Double, _ digits: Int, _ signs: (String, String)) -> String {
            let degrees = abs(value).rounded(.down)
            let minutes = String(format: "%07.4f", (abs(value) - degrees) * 60)
            return String(format: "%0\(digits)d", Int(degrees)) + minutes + "," + (value < 0 ? signs.1 : signs.0)
        }
        let time = String(format: "%06d.00", (Int(Glibc.time(nil)) % 86_400).clock)
        let body =
            "GPGGA,\(time),\(angle(latitude, 2, ("N", "S"))),\(angle(longitude, 3, ("E", "W"))),1,08,0.9,30.0,M,0.0,M,,"
        let checksum = body.utf8.reduce(0, ^)
        return "$\(body)*\(String(format: "%02X", checksum))\r\n"
    }

    private static func send(_ sentence: String, to client: Int32) {
        let bytes = Array(sentence.utf8)
        // −1 if GeoClue has closed its end, because it needs no more data.
        _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Accepts what GeoClue connects.
    fileprivate func listen(_ listener: Int32, on loop: EventLoop) {
        loop.execute { [receiver] in
            _ = loop.watch(listener, for: .readable) { _ in
                let client = accept(listener, nil, nil)
                // −1: it has gone again.
                guard client >= 0 else { return }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                let sentence = receiver.update { receiver in
                    receiver.clients.append(client)
                    return receiver.sentence
                }
                if let sentence { Self.send(sentence, to: client) }
            }
        }
    }

    fileprivate func close() {
        for client in receiver.update({ receiver in
            defer { receiver.clients = [] }
            return receiver.clients
        }) { Glibc.close(client) }
    }

    /// Registers a desktop's agent, without which GeoClue does not answer. It permits every request; GeoClue 2.6 asks
    /// for Flatpak apps only.
    ///
    /// - Returns: its connection; it ends if that is closed.
    public func startAgent() async throws -> Connection {
        let connection = try await Connection.open(BusAddress(bus.address), on: loop)
        let server = await ObjectServer(on: connection)
        try await server.export(
            "/org/freedesktop/GeoClue2/Agent",
            [
                ExportedInterface(
                    "org.freedesktop.GeoClue2.Agent",
                    [
                        .property("MaxAccuracyLevel") { UInt32(8) },
                        .method("AuthorizeApp", arguments: ["desktop_id", "req_level"], results: ["ok", "level"]) {
                            (_, _: String, level: UInt32) -> (Bool, UInt32) in
                            (true, level)
                        },
                    ])
            ])
        // One of the names that GeoClue's own settings allow.
        let () = try await connection.call(
            "org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2/Manager", "org.freedesktop.GeoClue2.Manager",
            "AddAgent", "geoclue-demo-agent", timeout: .seconds(60))
        return connection
    }
}

extension Int {
    /// Seconds of a day as the digits of hours, minutes and seconds.
    fileprivate var clock: Int { self / 3_600 * 10_000 + self / 60 % 60 * 100 + self % 60 }
}

/// Runs GeoClue on a bus that replaces the system bus.
public nonisolated(nonsending) func withGeoClue<Value>(
    on bus: PrivateBus, loop: EventLoop, _ body: nonisolated(nonsending) (GeoClue) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { directory in
        let path = directory.file("receiver")
        let listener = try listeningSocket(at: path)
        defer { close(listener) }
        let receiverLoop = try EventLoop()
        try receiverLoop.start()
        let geoclue = GeoClue(bus, loop)
        defer { geoclue.close() }
        geoclue.listen(listener, on: receiverLoop)
        defer { receiverLoop.stop() }
        return try await withDaemon(
            "/usr/libexec/geoclue", ["--timeout=0", "--nmea-socket=\(path)"], environment: bus.environment,
            ready: .busName("org.freedesktop.GeoClue2", on: bus)
        ) { _ in try await body(geoclue) }
    }
}

private func listeningSocket(at path: String) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
        throw BenchError("\(path) is too long for a socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard status == 0, listen(descriptor, 4) == 0 else {
        let failure = errno
        close(descriptor)
        throw BenchError("\(path) cannot be listened on (errno \(failure))")
    }
    return descriptor
}
