import AgentInterface
import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// The Python library with a real agent, beyond what the guides show.
@Suite("Python library", .timeLimit(.minutes(15))) struct PythonLibraryTests {
    /// Runs a program as an app that is identified by its desktop entry.
    private func run(
        _ script: String, in scene: MediaScene, _ body: nonisolated(nonsending) (Daemon) async throws -> Void
    ) async throws {
        let program = try scene.rig.home.directory.write("#!/usr/bin/python3\nimport hunch\n" + script, to: "bin/guide")
        try scene.rig.home.makeExecutable(program)
        try scene.rig.home.directory.write(
            "[Desktop Entry]\nType=Application\nName=Guide\nExec=\(program)\n",
            to: "data/applications/org.example.Guide.desktop")
        var command = Command("/usr/bin/python3", ["-u", program], environment: scene.rig.environment)
        command.readiness = .line(containing: "ready")
        try await withDaemon(command, body)
    }

    @Test("A widget of ten lines shows what is suggested, and accepts it")
    func widget() async throws {
        let script = """
            for suggestions in hunch.changes():
                print("ready", [(one.title, one.origin, one.state) for one in suggestions])
                for one in suggestions:
                    if one.state == "shown":
                        print(one.explain()["reasons"])
                        one.dismiss()
            """
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await run(script, in: scene) { widget in
                    try await scene.putOn()
                    try await widget.waitForLine(containing: "('Resume “Episode 1”', 'spontaneous', 'shown')")
                    try await scene.rig.waitForSuggestions("the dismissal") { $0.isEmpty ? () : nil }
                    try await eventually("an empty list", because: "output has no signal") {
                        widget.output.hasSuffix("ready []") ? () : nil
                    }
                }
            }
        }
    }

    @Test("Errors have the name of the bus, and only Hunch's words")
    func errors() async throws {
        let script = """
            import datetime
            def tell(call, *arguments, **options):
                try:
                    call(*arguments, **options)
                    print("nothing wrong")
                except hunch.Error as error:
                    print(error.code, error)
                except TypeError as error:
                    print(error)
            page = ("org.example.Guide.page", "Page")
            tell(hunch.Activity(*page, plase={"city": "Rome"}).show)
            tell(hunch.Activity(*page, start=1_700_000_000).show)
            tell(hunch.Activity(*page, start=datetime.datetime(2027, 1, 1)).show)
            tell(hunch.Activity(*page, keywords=[]).show)
            tell(hunch.Activity, *page, place=object())
            tell(hunch.Activity(*page, place=object()).show)
            tell(hunch.donate, "playMedia", {"title": "A", "startTime": 5})
            tell(hunch.Index("notes").add, {"id": "1"})
            tell(hunch.directions, "geo:91,0")
            print("ready")
            """
        try await withMediaScene { scene in
            try await run(script, in: scene) { program in
                let lines = program.output.split(separator: "\n")
                try #require(lines.count == 10, "\(program.output)")
                #expect(lines[0].hasPrefix("InvalidInput unknown key “plase”; did you mean “place”?"))
                #expect(lines[1].hasPrefix("InvalidInput") && lines[1].contains("seconds"))
                #expect(lines[2...4] == ["nothing wrong", "nothing wrong", "nothing wrong"])
                #expect(lines[5].hasPrefix("Hunch takes no object: "))
                #expect(lines[6].hasPrefix("timestamp “startTime”"))
                #expect(lines[7].hasPrefix("InvalidInput") && lines[7].contains("title"))
                #expect(lines[8].hasPrefix("InvalidInput") && !lines[8].contains("GDBus"))
            }
        }
    }
}
