import Directions
import FoundationEssentials
import Glibc
import HunchModel
import TestSupport
import Testing

@Suite("Opening apps")
struct LauncherTests {
    private func launcher(_ machine: Machine) -> AppLauncher {
        let installed = machine.installed
        return AppLauncher(
            installed: installed,
            defaults: DefaultApplications(environment: machine.environment, installed: installed),
            environment: machine.environment)
    }

    @Test("An app gets its command; a web service gets the browser")
    func commands() async throws {
        try await withMachine { machine in
            try machine.install("maps", "Exec=maps --geo-uri=%u")
            try machine.install("nolinks", "Exec=maps")
            try machine.install("term", "Exec=maps %u\nTerminal=true")
            let web = DirectionsLaunch(desktopID: nil, uri: "https://x/?a=b&c")
            #expect(
                try launcher(machine).command(for: DirectionsLaunch(desktopID: "maps", uri: "geo:1,2"))
                    == ["maps", "--geo-uri=geo:1,2"])
            for id in ["absent", "nolinks", "term"] {
                #expect(throws: DirectionsError.self) {
                    try launcher(machine).command(for: DirectionsLaunch(desktopID: id, uri: "geo:1,2"))
                }
            }
            #expect(throws: DirectionsError.self) { try launcher(machine).command(for: web) }
            let opener = try machine.program("xdg-open", "exit 0")
            #expect(try launcher(machine).command(for: web) == [opener, "https://x/?a=b&c"])
            try machine.install("browser", "Exec=browser %U\nMimeType=x-scheme-handler/https;")
            try machine.home.directory.write(
                "[Default Applications]\nx-scheme-handler/https=browser.desktop\n", to: "config/mimeapps.list")
            #expect(try launcher(machine).command(for: web) == ["browser", "https://x/?a=b&c"])
        }
    }

    @Test("A started app leads a session and inherits only its token")
    func surroundings() async throws {
        try await withMachine { machine in
            let report = machine.home.directory.file("report")
            let script = """
                { echo "argument $1"; echo "token $XDG_ACTIVATION_TOKEN"
                /bin/grep -E '^Sig(Blk|Ign)' /proc/self/status
                echo "session $(/usr/bin/cut -d' ' -f6 /proc/$$/stat) $$"
                /bin/ls -l /proc/$$/fd; } > "\(report).part" 2>&1
                /bin/mv "\(report).part" "\(report)"
                """
            _ = try machine.program("maps", script)
            try machine.install("maps", "Exec=maps %u")
            // Open in this process without O_CLOEXEC, and yet not to be inherited.
            let secret = try machine.home.directory.write("", to: "secret")
            let descriptor = open(secret, O_RDONLY)
            defer { close(descriptor) }
            let process = try launcher(machine).open(
                DirectionsLaunch(desktopID: "maps", uri: "geo:1,2 $(touch x); `id`"), activationToken: "token-1")
            try await waitForFile(at: report)
            #expect(waitpid(process, nil, 0) == process)
            let lines = try machine.home.directory.read("report").split(separator: "\n").map(String.init)
            #expect(lines.contains("argument geo:1,2 $(touch x); `id`"))
            #expect(lines.contains("token token-1"))
            #expect(lines.contains { $0.hasPrefix("SigBlk") && $0.hasSuffix("0000000000000000") })
            let ignored = lines.first { $0.hasPrefix("SigIgn:\t") }.flatMap { UInt64($0.dropFirst(8), radix: 16) }
            // glibc keeps signals 32 and 33 for itself and ignores them in what it spawns.
            #expect(ignored.map { $0 & ~0x1_8000_0000 } == 0)
            #expect(lines.contains("session \(process) \(process)"))
            #expect(lines.contains { $0.hasSuffix("0 -> /dev/null") })
            #expect(!lines.contains { $0.hasSuffix(secret) }, "\(lines)")
        }
    }

    @Test("A missing program is reported")
    func missing() async throws {
        try await withMachine { machine in
            try machine.install("maps", "Exec=absent %u")
            #expect(throws: DirectionsError.self) {
                try launcher(machine).open(DirectionsLaunch(desktopID: "maps", uri: "geo:1,2"))
            }
        }
    }
}

extension Machine {
    /// Puts a shell script into the machine's `PATH` and returns its path.
    func program(_ name: String, _ script: String) throws -> String {
        let path = try home.directory.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }
}
