import HunchDBus
import TestSupport
import Testing

/// Tests of the server with foreign clients: sd-bus, GDBus and dbus-monitor.
@Suite("Foreign clients", .timeLimit(.minutes(15)))
struct ForeignClientTests {
    private static let name = "org.hunch.Test.Radio"
    private static let path = "/org/hunch/Test/Radio"
    private static let interface = "org.hunch.Test.Radio1"

    private func serve(on connection: Connection) async throws -> (ObjectServer, Watched<String>) {
        let station = Watched("one")
        let server = await ObjectServer(on: connection)
        try await server.export(
            ObjectPath(Self.path),
            [
                ExportedInterface(
                    InterfaceName(Self.interface),
                    [
                        .method("Add", arguments: ["a", "b"], results: ["sum"]) { (_, a: Int32, b: Int32) -> Int32 in
                            a &+ b
                        },
                        .method("Describe", arguments: ["odd <\"&> name"], results: ["name", "options"]) {
                            (_, name: String) -> (String, VariantMap) in (name, ["é": .double(0.5)])
                        },
                        .method("Fail") { (_) -> () in
                            throw DBusError(DBusError.Name(rawValue: "org.hunch.Error.Off"), "it is off")
                        },
                        .property("Version", notice: .constant) { UInt32(1) },
                        .property(
                            "Station", get: { station.state },
                            set: { _, value in
                                station.update { $0 = value }
                                try await server.propertiesChanged(
                                    ObjectPath(Self.path), InterfaceName(Self.interface), ["Station"])
                            }),
                        .property("Noise", notice: .none) { [UInt8]([1, 2, 3]) },
                        .signal("Tuned", arguments: ["station", "at"], String.self, UInt64.self),
                    ])
            ])
        _ = try await connection.requestName(BusName(Self.name))
        return (server, station)
    }

    private func busctl(_ bus: PrivateBus, _ arguments: [String]) async throws -> CommandResult {
        try await run("busctl", ["--address=\(bus.address)", "--no-pager"] + arguments)
    }

    private func gdbus(_ bus: PrivateBus, _ arguments: [String]) async throws -> CommandResult {
        try await run("gdbus", arguments + ["--address", bus.address])
    }

    @Test("sd-bus can introspect, call, and get and set properties")
    func busctl() async throws {
        try await withDesk { desk, bus in
            let (server, station) = try await serve(on: desk.connect())
            let object = [Self.name, Self.path]
            let lines = try await busctl(bus, ["introspect", "--no-legend"] + object).output()
                .split(separator: "\n").map {
                    $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
                }
            func line(_ member: String) -> [String] { lines.first { $0.first == member } ?? [] }
            #expect(line(Self.interface).dropFirst().first == "interface")
            #expect(line(".Add") == [".Add", "method", "ii", "i", "-"])
            #expect(line(".Describe") == [".Describe", "method", "s", "sa{sv}", "-"])
            #expect(line(".Version") == [".Version", "property", "u", "1", "const"])
            #expect(line(".Station") == [".Station", "property", "s", "\"one\"", "emits-change", "writable"])
            #expect(line(".Noise").prefix(3) == [".Noise", "property", "ay"])
            #expect(line(".Tuned") == [".Tuned", "signal", "st", "-", "-"])
            #expect(line(".GetAll") == [".GetAll", "method", "s", "a{sv}", "-"])
            #expect(line(".Ping") == [".Ping", "method", "-", "-", "-"])
            #expect(
                try await busctl(bus, ["call"] + object + [Self.interface, "Add", "ii", "2", "5"]).output() == "i 7\n"
            )
            let set = try await busctl(bus, ["set-property"] + object + [Self.interface, "Station", "s", "two"])
            #expect(set.status == .exited(0))
            #expect(station.state == "two")
            #expect(
                try await busctl(bus, ["get-property"] + object + [Self.interface, "Station"]).output() == "s \"two\"\n"
            )
            let readOnly = try await busctl(bus, ["set-property"] + object + [Self.interface, "Version", "u", "2"])
            #expect(readOnly.status != .exited(0) && readOnly.standardError.contains("Version cannot be set"))
            let failure = try await busctl(bus, ["call"] + object + [Self.interface, "Fail"])
            #expect(failure.status != .exited(0) && failure.standardError.contains("it is off"))
            #expect(try await busctl(bus, ["tree", "--list", Self.name]).output().contains(Self.path + "\n"))
            withExtendedLifetime(server) {}
        }
    }

    @Test("GDBus can introspect, call, and get properties and errors")
    func gdbus() async throws {
        try await withDesk { desk, bus in
            let (server, _) = try await serve(on: desk.connect())
            let object = ["--dest", Self.name, "--object-path", Self.path]
            let text = try await gdbus(bus, ["introspect"] + object).output()
            for part in [
                "interface \(Self.interface) {", "Add(in  i a,", "out i sum", "readwrite s Station = 'one'",
                "readonly u Version = 1", "Tuned(s station,", "t at", "readonly ay Noise = [0x01, 0x02, 0x03]",
                "@org.freedesktop.DBus.Property.EmitsChangedSignal(\"const\")",
            ] {
                #expect(text.contains(part), "“\(part)” is missing in:\n\(text)")
            }
            let add = try await gdbus(bus, ["call"] + object + ["--method", Self.interface + ".Add", "2", "40"])
            #expect(try add.output() == "(42,)\n")
            let describe = try await gdbus(bus, ["call"] + object + ["--method", Self.interface + ".Describe", "x'y"])
            #expect(try describe.output() == "(\"x'y\", {'é': <0.5>})\n")
            let all = try await gdbus(
                bus, ["call"] + object + ["--method", "org.freedesktop.DBus.Properties.GetAll", Self.interface])
            #expect(try all.output().contains("'Version': <uint32 1>"))
            let failure = try await gdbus(bus, ["call"] + object + ["--method", Self.interface + ".Fail"])
            #expect(failure.standardError.contains("GDBus.Error:org.hunch.Error.Off: it is off"))
            withExtendedLifetime(server) {}
        }
    }

    @Test("A monitor sees object and property signals once, in order")
    func announcements() async throws {
        try await withDesk { desk, bus in
            let monitor = Command(
                "dbus-monitor", ["--address", bus.address, "--profile", "type='signal'"],
                ready: .line(containing: "NameAcquired"))
            try await withDaemon(monitor) { monitor in
                let connection = try await desk.connect()
                let (server, _) = try await serve(on: connection)
                await server.manage("/org/hunch")
                let start = monitor.lineCount
                for number in 1...3 {
                    let path = try ObjectPath("/org/hunch/Test/Radio/child\(number)")
                    try await server.export(path, [ExportedInterface("a.B", [.property("N") { UInt32(number) }])])
                    try await server.propertiesChanged(path, "a.B", ["N", "Missing"])
                    try await server.unexport(path)
                }
                try await server.emit("/end", "org.hunch.Test.End", "End")
                try await monitor.waitForLine(containing: "org.hunch.Test.End", from: start)
                // type, time, serial, sender, destination, path, interface, member
                let lines = monitor.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
                let announcements = lines.filter { fields in
                    fields.count == 8 && (fields[6].contains("ObjectManager") || fields[7] == "PropertiesChanged")
                }
                let seen = announcements.map { $0[5] + " " + $0[7] }
                var expected: [String] = []
                for number in 1...3 {
                    expected.append("/org/hunch InterfacesAdded")
                    expected.append("/org/hunch/Test/Radio/child\(number) PropertiesChanged")
                    expected.append("/org/hunch InterfacesRemoved")
                }
                #expect(seen == expected)
            }
        }
    }

    @Test("GDBus sees the contents of a signal and of managed objects")
    func contents() async throws {
        try await withDesk { desk, bus in
            let (server, _) = try await serve(on: desk.connect())
            await server.manage("/")
            let watcher = Command(
                "gdbus", ["monitor", "--dest", Self.name, "--address", bus.address],
                ready: .line(containing: "is owned by"))
            try await withDaemon(watcher) { watcher in
                let line = "\(Self.path): \(Self.interface).Tuned ('two', uint64 18446744073709551615)"
                try await eventually("gdbus following", because: "it tells of the owner before it asks for signals") {
                    try await server.emit(
                        ObjectPath(Self.path), InterfaceName(Self.interface), "Tuned", "two", UInt64.max)
                    return watcher.output.contains(line) ? () : nil
                }
                try await server.propertiesChanged(
                    ObjectPath(Self.path), InterfaceName(Self.interface), ["Station", "Noise", "Version"])
                try await watcher.waitForLine(containing: "('\(Self.interface)', {'Station': <'one'>}, @as [])")
            }
            let objects = try await gdbus(
                bus,
                [
                    "call", "--dest", Self.name, "--object-path", "/", "--method",
                    "org.freedesktop.DBus.ObjectManager.GetManagedObjects",
                ])
            #expect(try objects.output().contains("objectpath '\(Self.path)': {'\(Self.interface)': {"))
        }
    }
}
