import FoundationEssentials
import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Apps

@Suite("Launching without systemd", .timeLimit(.minutes(15)))
struct ActivationTests {
    /// The calls that an app received over D-Bus.
    struct Request: Sendable, Equatable {
        var member: String
        var uris: [String]
        var platformData: VariantMap
    }

    private func serve(_ desk: LaunchingDesk, _ name: BusName, _ path: ObjectPath) async throws -> Watched<[Request]> {
        let requests = Watched<[Request]>([])
        let connection = try await Connection.open(BusAddress(desk.bus.address), on: desk.loop)
        let server = await ObjectServer(on: connection)
        let interface = ExportedInterface(
            "org.freedesktop.Application",
            [
                .method("Activate", arguments: ["platform_data"]) { (_, data: VariantMap) in
                    requests.update { $0.append(Request(member: "Activate", uris: [], platformData: data)) }
                },
                .method("Open", arguments: ["uris", "platform_data"]) { (_, uris: [String], data: VariantMap) in
                    if uris == ["geo:0,0"] { throw DBusError(.failed, "nothing there") }
                    if uris == ["geo:9,9"] { try await Watched(0).wait { _ in nil as Void? } }
                    requests.update { $0.append(Request(member: "Open", uris: uris, platformData: data)) }
                },
            ])
        try await server.export(path, [interface])
        _ = try await connection.requestName(name)
        servers.update { $0.append(server) }
        return requests
    }

    /// Keeps servers for as long as the test runs.
    private let servers = Watched<[ObjectServer]>([])

    @Test(
        "A program that ends at once with an error, or does not exist, is an error",
        arguments: [
            ("exit 3", "exit code 3"), ("kill -9 $$", "signal 9"), ("sleep 0.2; exit 1", "exit code 1"),
            ("exit 0", nil),
            ("sleep 5", nil), (nil, "does not exist"),
        ] as [(String?, String?)], [false, true])
    func ending(_ end: (script: String?, message: String?), hasFolder: Bool) async throws {
        let (script, message) = end
        try await withLaunchingDesk { desk in
            let program =
                if let script { try await desk.script("app", script) } else { "/nonexistent/maps" }
            let folder = hasFolder ? ["Path=/tmp"] : []
            try desk.install(
                "org.example.Maps", ([desktopEntry(exec: "\(program) %u")] + folder).joined(separator: "\n"))
            var failure: LaunchError?
            do { _ = try await desk.launcher.launch("org.example.Maps", uri: "geo:1,2", activationToken: nil) } catch {
                failure = error as? LaunchError
            }
            guard let message else { return #expect(failure == nil, "\(String(describing: failure))") }
            let words = try "\(#require(failure))"
            // “env” changes to the folder, and ends with 127 for a program that does not exist.
            #expect(words.contains(message) || script == nil && hasFolder && words.contains("127"), "\(words)")
        }
    }

    @Test("An app with a D-Bus service is called with the token")
    func service() async throws {
        try await withLaunchingDesk { desk in
            try desk.install("org.example.Maps", desktopEntry(exec: "/bin/false %u", "DBusActivatable=true"))
            let requests = try await serve(desk, "org.example.Maps", "/org/example/Maps")
            let route = try await desk.launcher.launch(
                "org.example.Maps", uri: "geo:37.79,-122.39", activationToken: "token-1")
            #expect(route == .service("org.example.Maps"))
            try await desk.launcher.launch("org.example.Maps", activationToken: nil)
            let data: VariantMap = ["activation-token": .string("token-1"), "desktop-startup-id": .string("token-1")]
            #expect(
                requests.state == [
                    Request(member: "Open", uris: ["geo:37.79,-122.39"], platformData: data),
                    Request(member: "Activate", uris: [], platformData: [:]),
                ])
        }
    }

    @Test("An app's own error is reported and nothing else is tried")
    func refusal() async throws {
        try await withLaunchingDesk { desk in
            try desk.install(
                "org.example.Maps",
                desktopEntry(exec: "touch \(desk.home.directory.file("ran"))", "DBusActivatable=true"))
            _ = try await serve(desk, "org.example.Maps", "/org/example/Maps")
            let error = await #expect(throws: LaunchError.self) {
                try await desk.launcher.launch("org.example.Maps", uri: "geo:0,0", activationToken: nil)
            }
            #expect(error?.message.contains("nothing there") == true)
            #expect(!FileManager.default.fileExists(atPath: desk.home.directory.file("ran")))
        }
    }

    @Test(
        "An invalid activation token is not passed on",
        arguments: ["", "a\nb", String(repeating: "t", count: 4_097), "é"])
    func strangeTokens(_ token: String) async throws {
        try await withLaunchingDesk { desk in
            try desk.install("org.example.Maps", desktopEntry(exec: "/bin/false", "DBusActivatable=true"))
            let requests = try await serve(desk, "org.example.Maps", "/org/example/Maps")
            try await desk.launcher.launch("org.example.Maps", activationToken: token)
            #expect(requests.state.map(\.platformData) == [[:]])
        }
    }

    @Test(
        "A directly started program leads a session, inherits nothing"
    )
    func child() async throws {
        try await withLaunchingDesk { desk in
            let report = desk.home.directory.file("report")
            let program = try await desk.script(
                "app",
                """
                { printf '%s\\n' "$@"; echo "token $XDG_ACTIVATION_TOKEN $DESKTOP_STARTUP_ID"
                  grep -E '^Sig(Blk|Ign)' /proc/self/status; echo "session $(cut -d' ' -f6 /proc/$$/stat) $$"
                  echo "directory $(pwd)"; ls /proc/self/fd; } >'\(report).new'
                mv '\(report).new' '\(report)'
                """)
            try desk.install(
                "org.example.Maps",
                desktopEntry(exec: "\(program) \"a b\" %u '$HOME'", "DBusActivatable=true", "Path=/usr"))
            let route = try await desk.launcher.launch("org.example.Maps", uri: "geo:1,2", activationToken: "t1")
            guard case .process(let process) = route else {
                Issue.record("\(route)")
                return
            }
            try await waitForFile(at: report)
            let lines = try desk.home.directory.read("report").split(separator: "\n").map(String.init)
            #expect(Array(lines.prefix(4)) == ["a b", "geo:1,2", "'$HOME'", "token t1 t1"])
            for mask in lines[4...5] {
                let bits = try #require(UInt64(mask.split(separator: "\t")[1], radix: 16))
                // Signals 32 and 33 are the C library's own.
                #expect(bits & ~(3 << 31) == 0, "\(mask)")
            }
            #expect(lines[6] == "session \(process) \(process)")
            #expect(lines[7] == "directory /usr")
            // The fourth is the folder that ls itself reads.
            #expect(lines.dropFirst(8) == ["0", "1", "2", "3"])
            try await eventually("the end of the child", because: "its parent reaps it on a thread") {
                FileManager.default.fileExists(atPath: "/proc/\(process)") ? nil : ()
            }
        }
    }

    @Test("A web service opens in the browser")
    func web() async throws {
        try await withLaunchingDesk { desk in
            let report = desk.home.directory.file("report")
            let program = try await desk.script(
                "browser", "echo \"$1\" >'\(report).new'; mv '\(report).new' '\(report)'")
            try desk.install("org.example.Browser", desktopEntry(exec: "\(program) %u"))
            try desk.home.directory.write(
                "[Default Applications]\nx-scheme-handler/https=org.example.Browser.desktop\n",
                to: "config/mimeapps.list")
            try await desk.launcher.open(
                DirectionsLaunch(desktopID: nil, uri: "https://example.org/?a=$(b)&c"), activationToken: nil,
                variables: [:])
            try await waitForFile(at: report)
            #expect(try desk.home.directory.read("report") == "https://example.org/?a=$(b)&c\n")
        }
    }

    @Test("An app without a program or a D-Bus service is an error")
    func nothingLeft() async throws {
        try await withLaunchingDesk { desk in
            try desk.install("org.example.Maps", desktopEntry(exec: "/nonexistent/x", "DBusActivatable=true"))
            let error = await #expect(throws: LaunchError.self) {
                try await desk.launcher.launch("org.example.Maps", activationToken: nil)
            }
            #expect(error?.code == .failed)
        }
    }

    @Test("An app that does not answer is an error at the deadline")
    func silence() async throws {
        try await withLaunchingDesk(deadline: .milliseconds(100)) { desk in
            try desk.install("org.example.Maps", desktopEntry(exec: "/bin/true %u", "DBusActivatable=true"))
            _ = try await serve(desk, "org.example.Maps", "/org/example/Maps")
            let error = await #expect(throws: LaunchError.self) {
                try await desk.launcher.launch("org.example.Maps", uri: "geo:9,9", activationToken: nil)
            }
            #expect(error?.code == .failed)
        }
    }
}
