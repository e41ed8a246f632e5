import AgentInterface
import FoundationEssentials
import Glibc
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Apps

/// Tests of identifying apps by their programs, as in sway and i3, which start apps without units.
@Suite("Callers recognized by their program", .timeLimit(.minutes(15))) struct ProgramTests {
    private static let agent = [
        "call", "--session", "--dest", "org.hunch.Agent1", "--object-path", "/org/hunch/Agent1", "--method",
    ]
    private static let donation =
        agent + ["org.hunch.Donations1.Donate", "[{'kind': <'playMedia'>, 'parameters': <{'item': 'x'}>}]"]
    private static let activity =
        agent + ["org.hunch.Activities1.BecomeCurrent", "{'type': <'org.example.page'>, 'title': <'Page'>}"]

    private func run(_ body: nonisolated(nonsending) (AgentRig) async throws -> Void) async throws {
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try await withPrivateBus { bus in try await withAgentInside(on: bus, in: home, body) }
        }
    }

    /// Installs an app with the given lines in its desktop entry.
    private func install(_ id: String, _ lines: String, _ rig: AgentRig) throws {
        try rig.home.directory.write(
            "[Desktop Entry]\nType=Application\nName=Diary\n\(lines)\n", to: "data/applications/\(id).desktop")
    }

    /// A program that makes the call in its arguments, as a file of its own.
    private func makeProgram(_ rig: AgentRig) throws -> String {
        let path = rig.home.directory.file("diary")
        try FileManager.default.copyItem(atPath: "/usr/bin/gdbus", toPath: path)
        return path
    }

    private func donors(_ rig: AgentRig) async throws -> [String] {
        try await rig.hunch("history", "--json").output().split(separator: "\n").compactMap { line in
            line.split(separator: #""app":""#).dropFirst().first?.prefix { $0 != "\"" }
        }.map(String.init)
    }

    @Test("A program of one installed app donates and has activities")
    func executable() async throws {
        try await run { rig in
            let program = try makeProgram(rig)
            let before = try await TestSupport.run(program, Self.donation, environment: rig.environment)
            #expect(before.standardOutput.contains("notAllowed"), "\(before)")
            try install("org.example.Diary", "Exec=\(program) %u", rig)
            // A hidden entry of the same program, for further file types.
            try install("diary-import", "Exec=env LC_ALL=C \(program) --import %u\nNoDisplay=true", rig)
            let donated = try await TestSupport.run(program, Self.donation, environment: rig.environment)
            #expect(donated.standardOutput.contains("'accepted': <true>"), "\(donated)")
            #expect(try await donors(rig) == ["org.example.Diary"])
            let shown = try await TestSupport.run(program, Self.activity, environment: rig.environment)
            #expect(shown.standardOutput.contains("'/org/hunch/Activity1/"), "\(shown)")
        }
    }

    @Test("A program of two installed apps belongs to neither")
    func ambiguous() async throws {
        try await run { rig in
            let program = try makeProgram(rig)
            try install("org.example.Diary", "Exec=\(program)", rig)
            try install("org.example.Other", "Exec=true\nTryExec=\(program)", rig)
            let donated = try await TestSupport.run(program, Self.donation, environment: rig.environment)
            #expect(donated.standardOutput.contains("notAllowed"), "\(donated)")
        }
    }

    @Test("A script of one installed app donates; other scripts do not")
    func script() async throws {
        try await run { rig in
            let text = """
                #!/usr/bin/python3
                import dbus
                bus = dbus.SessionBus()
                item = {"kind": "playMedia", "parameters": dbus.Dictionary({"item": "x"}, signature="ss")}
                print(bus.call_blocking("org.hunch.Agent1", "/org/hunch/Agent1", "org.hunch.Donations1", "Donate",
                                        "aa{sv}", [[item]]))
                """
            let home = rig.home.directory.path
            let paths = try ["diary.py", "other.py", "module.py"].map { try rig.home.directory.write(text, to: $0) }
            // A script that its interpreter starts need not be executable.
            chmod(paths[0], 0o755)
            chmod(paths[1], 0o755)
            try FileManager.default.createSymbolicLink(atPath: home + "/link.py", withDestinationPath: paths[0])
            try rig.home.directory.write("", to: "folder/file")
            try install("org.example.Diary", "Exec=\(paths[0])", rig)
            try install("org.example.Module", "Exec=python3 -m module", rig)
            // The program identifies no app, since it is an interpreter of any script.
            try install("python", "Exec=/usr/bin/python3", rig)
            for (command, expected) in [
                ([paths[0]], "accepted"), (["/usr/bin/python3", "-I", paths[0]], "accepted"),
                (["/bin/sh", "-c", "cd '\(home)' && exec ./diary.py"], "accepted"),
                (["/bin/sh", "-c", "cd '\(home)/folder' && exec ../diary.py"], "accepted"),
                ([home + "/link.py"], "accepted"),
                (["/bin/sh", "-c", "cd '\(home)' && exec /usr/bin/python3 -m module"], "accepted"),
                ([paths[1]], "notAllowed"), (["/bin/sh", "-c", "exec /usr/bin/python3 < '\(paths[0])'"], "notAllowed"),
                (["/bin/sh", "-c", "cd '\(home)' && exec ./other.py"], "notAllowed"),
                (["/bin/sh", "-c", "cd '\(home)' && exec /usr/bin/python3 -m other"], "notAllowed"),
            ] {
                let result = try await TestSupport.run(
                    command[0], Array(command.dropFirst()), environment: rig.environment)
                #expect(result.standardOutput.contains(expected), "\(command): \(result)")
                #expect(
                    result.standardOutput.contains("notAllowed") == (expected == "notAllowed"), "\(command): \(result)")
            }
            #expect(
                try await donors(rig).sorted()
                    == Array(repeating: "org.example.Diary", count: 5) + ["org.example.Module"])
        }
    }

    @Test("An error says why a program belongs to no app")
    func reasons() async throws {
        try await run { rig in
            let text = "import hunch\ntry: hunch.current()\nexcept hunch.Error as error: print(error)\n"
            let script = try rig.home.directory.write(text, to: "page.py")
            let answer = { (command: String) async throws -> String in
                try await TestSupport.run("/bin/sh", ["-c", command], environment: rig.environment).output()
            }
            #expect(
                try await answer("exec /usr/bin/python3 '\(script)'").contains("(no desktop entry names \(script))"))
            #expect(
                try await answer("exec /usr/bin/python3 < '\(script)'").contains(
                    "runs no script that a desktop entry could name"))
            #expect(
                try await answer("cd '\(rig.home.directory.path)' && exec /usr/bin/python3 -m page")
                    .contains("no desktop entry names the Python module page"))
            chmod(script, 0o755)
            try install("org.example.One", "Exec=\(script)", rig)
            try install("org.example.Two", "Exec=python3 \(script)", rig)
            #expect(
                try await answer("exec /usr/bin/python3 '\(script)'")
                    .contains("several desktop entries name its program: org.example.One, org.example.Two"))
        }
    }

    @Test("A program in a sandbox does not count as an app")
    func sandboxed() async throws {
        try await run { rig in
            let program = try makeProgram(rig)
            try install("org.example.Diary", "Exec=\(program)", rig)
            let result = try await TestSupport.run(
                "bwrap", ["--bind", "/", "/", program] + Self.donation, environment: rig.environment)
            #expect(result.standardOutput.contains("notAllowed"), "\(result)")
            let shown = try await TestSupport.run(
                "bwrap", ["--bind", "/", "/", program] + Self.activity, environment: rig.environment)
            #expect(shown.standardError.contains("AccessDenied"), "\(shown)")
        }
    }

    @Test(
        "An interpreter's program is its script argument",
        arguments: [
            (["python3", "/a/b.py"], .script("/a/b.py")), (["/usr/bin/gjs-console", "-m", "/a"], .script("/a")),
            (["python3.11", "-c", "code", "/a"], nil), (["bash", "a.sh"], .script("a.sh")), (["python3"], nil),
            (["python3", "-u", "-m", "guide", "/a"], .module("guide")), (["pypy3", "-mguide"], .module("guide")),
            (["python3", "-X", "dev", "-W", "error", "/a"], .script("/a")), (["python3", "-m"], nil),
            (["/bin/sh", "-e", "/a"], .script("/a")), (["bash", "-c", "code", "/a"], nil),
        ] as [([String], RunningProgram?)])
    func scripts(command: [String], program: RunningProgram?) {
        #expect(Interpreter.isOne(command[0]))
        #expect(Interpreter.program(of: command) == program)
        #expect(!Interpreter.isOne("/usr/bin/pythonesque") && !Interpreter.isOne("mpv") && !Interpreter.isOne(""))
    }
}
