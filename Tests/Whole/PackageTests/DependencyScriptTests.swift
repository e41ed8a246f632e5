import FoundationEssentials
import TestSupport
import Testing

/// `.ci/deps` among stand-ins for the tools that it calls, so that nothing is installed.
@Suite("Dependency script", .timeLimit(.minutes(15)))
struct DependencyScriptTests {
    /// The environment of the script.
    struct Machine {
        var swift: String? = "Swift version 6.3.1 (swift-6.3.1-RELEASE)"
        var installed = "*"
        var hasAPT = true
        var hasLists = true
        var installFails = false
        var user = 0
        var hasSudo = false
    }

    /// The result of the script.
    struct Outcome {
        let result: CommandResult
        /// The calls of apt-get, in order, with `sudo` before those that went through it.
        let apt: [String]
    }

    private func deps(
        _ groups: [String], on machine: Machine, environment: [String: String] = [:], answer: String? = nil
    ) async throws -> Outcome {
        try await withTemporaryDirectory { directory in
            let bin = directory.file("bin")
            func stand(in name: String, _ script: String) throws {
                let path = try directory.write("#!/bin/bash\n\(script)\n", to: "bin/\(name)")
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            }
            for tool in ["bash", "sed", "head", "sort", "env", "cat"] {
                try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    atPath: "\(bin)/\(tool)", withDestinationPath: "/usr/bin/\(tool)")
            }
            if let swift = machine.swift { try stand(in: "swift", "echo '\(swift)'") }
            try stand(in: "id", "echo \(machine.user)")
            if machine.hasSudo { try stand(in: "sudo", "echo -n 'sudo ' >> '\(directory)/log'; exec \"$@\"") }
            if machine.hasAPT {
                try stand(
                    in: "dpkg-query",
                    "for name; do :; done; case $name in \(machine.installed)) echo -n installed;; *) exit 1;; esac")
                try stand(
                    in: "apt-get",
                    """
                    if [[ $* == *--assume-no* ]]; then
                        echo '0 upgraded, 507 newly installed, 0 to remove and 3 not upgraded.'
                        echo 'Need to get 390 MB/396 MB of archives.'
                        echo 'After this operation, 1411 MB of additional disk space will be used.'
                        exit 1
                    fi
                    echo "$@" >> '\(directory)/log'
                    \(machine.installFails ? "[[ $* == *update* ]]" : "exit 0")
                    """)
            }
            try directory.write("", to: machine.hasLists ? "lists/debian_Packages" : "lists/lock")
            let script = "\(Surroundings.packageRoot)/.ci/deps"
            let surroundings = ["PATH": bin, "APT_LISTS": directory.file("lists")].merging(environment) { $1 }
            let result: CommandResult
            if let answer {
                // `script` gives the command a terminal.
                let line = (["exec", script] + groups).joined(separator: " ")
                result = try await run(
                    "/usr/bin/script", ["--quiet", "--return", "--command", line, "/dev/null"],
                    environment: surroundings.merging(["SHELL": "/bin/bash"]) { $1 }, input: answer + "\n")
            } else {
                result = try await run(script, groups, environment: surroundings)
            }
            let log = (try? directory.read("log")) ?? ""
            return Outcome(result: result, apt: log.split(separator: "\n").map(String.init))
        }
    }

    @Test("With nothing missing, the script installs nothing")
    func complete() async throws {
        let outcome = try await deps(["build", "core", "desktop"], on: Machine())
        #expect(outcome.result == CommandResult(status: .exited(0), standardOutput: "", standardError: ""))
        #expect(outcome.apt.isEmpty)
    }

    @Test("Without a terminal the missing packages are installed")
    func unattended() async throws {
        let outcome = try await deps(
            ["build"],
            on: Machine(
                installed:
                    "gettext|libadwaita*|libdbus-1-dev|libexpat*|libgst*|libical*|libsqlite3-dev|libstemmer*|libpulse-dev|libcurl*|zlib*"
            ))
        #expect(outcome.result.status == .exited(0))
        #expect(outcome.result.standardError.contains("to build Hunch: libgeos-dev pkg-config\n"))
        #expect(outcome.apt == ["-y --no-install-recommends install libgeos-dev pkg-config"])
    }

    @Test("Each missing package is listed with its purpose and size")
    func purposes() async throws {
        let outcome = try await deps(
            ["build", "core", "desktop"], on: Machine(installed: "[a-fh-lo-z]*|g[a-mo-z]*"))
        let lines = outcome.result.standardError.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "hunch: some Debian packages are missing",
                "  to test with real players, audio servers, notification servers and a user manager: mpv mpv-mpris "
                    + "mate-notification-daemon mako-notifier",
                "  to test on real desktops, with real map apps, browsers and calendars (not needed by make test-core): gnome-shell "
                    + "gnome-settings-daemon gnome-maps marble",
                "  with all that these need: 507 packages", "  to download: 390 MB", "  on the disk: 1411 MB",
            ])
    }

    @Test("Empty package lists are updated first")
    func emptyLists() async throws {
        let outcome = try await deps(["build"], on: Machine(installed: "g*|lib*|zlib*", hasLists: false))
        #expect(
            outcome.apt == ["-y --no-install-recommends update", "-y --no-install-recommends install pkg-config"])
    }

    @Test("A user other than root installs through sudo")
    func sudo() async throws {
        let outcome = try await deps(["build"], on: Machine(installed: "g*|lib*|zlib*", user: 1000, hasSudo: true))
        #expect(outcome.result.status == .exited(0))
        #expect(outcome.apt == ["sudo -y --no-install-recommends install pkg-config"])
    }

    @Test("Without root and sudo the script prints the command for root")
    func helpless() async throws {
        let outcome = try await deps(["build"], on: Machine(installed: "g*|lib*|zlib*", user: 1000))
        #expect(outcome.result.status == .exited(1))
        #expect(outcome.result.standardError.contains("apt-get install --no-install-recommends pkg-config"))
        #expect(!outcome.result.standardError.contains("sudo apt-get"))
        #expect(outcome.apt.isEmpty)
    }

    @Test("A failed installation is retried once, then reported")
    func failure() async throws {
        let outcome = try await deps(["build"], on: Machine(installed: "g*|lib*|zlib*", installFails: true))
        #expect(outcome.result.status == .exited(1))
        #expect(
            outcome.result.standardError.contains("failed: apt-get install --no-install-recommends pkg-config"))
        #expect(outcome.apt.map { $0.contains("update") } == [false, true, false])
    }

    @Test(
        "On a terminal the script asks before it installs",
        arguments: [("", true), ("y", true), ("n", false), ("what?", false)])
    func asks(answer: String, installs: Bool) async throws {
        let outcome = try await deps(["build"], on: Machine(installed: "g*|lib*|zlib*"), answer: answer)
        #expect(outcome.result.standardOutput.contains("to build Hunch: pkg-config"))
        #expect(outcome.apt.isEmpty == !installs)
        #expect(outcome.result.status == .exited(installs ? 0 : 1))
    }

    @Test("With YES=1 the script does not ask on a terminal")
    func yes() async throws {
        let outcome = try await deps(
            ["build"], on: Machine(installed: "g*|lib*|zlib*"), environment: ["YES": "1"], answer: "n")
        #expect(!outcome.result.standardOutput.contains("[Y/n]"))
        #expect(outcome.apt.count == 1)
    }

    @Test(
        "A missing or too old Swift is reported",
        arguments: [
            nil, "Swift version 5.10.1 (swift-5.10.1-RELEASE)", "Swift version 6.1 (swift-6.1-RELEASE)", "gibberish",
        ])
    func oldSwift(version: String?) async throws {
        let outcome = try await deps(["build"], on: Machine(swift: version, installed: ""))
        #expect(outcome.result.status == .exited(1))
        #expect(outcome.result.standardError.contains("Hunch needs Swift 6.2 or later"))
        #expect(outcome.apt.isEmpty)
    }

    @Test("A newer Swift is accepted", arguments: ["6.2", "6.10.1", "7.0"])
    func newSwift(version: String) async throws {
        #expect(
            try await deps(["build"], on: Machine(swift: "Swift version \(version) (x)")).result.status == .exited(0))
    }

    @Test("Without apt the script lists the requirements and continues")
    func otherSystem() async throws {
        let outcome = try await deps(["build"], on: Machine(hasAPT: false))
        #expect(outcome.result.status == .exited(0))
        #expect(outcome.result.standardError.contains("libgeos-dev"))
    }

    @Test("An unknown group is an error")
    func unknownGroup() async throws {
        #expect(try await deps(["nonsense"], on: Machine()).result.status == .exited(1))
    }
}
