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

    @Test("The documentation's widget prints what is suggested")
    func documented() async throws {
        let script = try Guide(path: "Documentation/Apps.md").blocks("python", in: "Showing suggestions").joined()
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await run("print('ready')\n" + script, in: scene) { widget in
                    try await scene.putOn()
                    try await widget.waitForLine(containing: "Resume “Episode 1” · Podcasts · ")
                }
            }
        }
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
            tell(hunch.donate, "openItem", {"uri": "/home/me/a.txt", "title": None})
            tell(hunch.donate, "openItem", {"uri": "https://guide.example/1", "title": None}, identifier="x")
            tell(hunch.donate, "openItem", ["uri"])
            tell(hunch.Activity(*page).changed)
            shown = hunch.Activity(*page, place={"city": "Rome"}).show()
            tell(shown.update, titel="x")
            tell(shown.update, place=None)
            print("place" in hunch.current())
            tell(shown.show)
            tell(shown.update, start="2050-12-24T18:00")
            notes = hunch.Index("notes")
            tell(notes.add, [{"id": "1", "title": "One", "created": "2026-05-01T10:00:00Z"}])
            tell(notes.add, {"id": "2", "title": "Two", "created": 1_700_000_000})
            tell(notes.add, {"id": "3", "title": "Three", "start": datetime.datetime(2026, 5, 1), "keywords": ["a", 2]})
            tell(hunch.directions, "1,2", destination={"city": "Rome"})
            tell(hunch.parse, "directions:?to=91,0")
            route = hunch.parse("https://www.openstreetmap.org/directions?route=1,2;3,4")
            print([sorted(route[end].items()) for end in ("source", "destination")])
            hunch.donate("openItem", {"uri": "https://guide.example/2", "title": None}, id="second")
            print(hunch.delete_donations("second"))
            print("ready")
            """
        try await withMediaScene { scene in
            try await run(script, in: scene) { program in
                let lines = program.output.split(separator: "\n")
                try #require(lines.count == 26, "\(program.output)")
                #expect(lines[0].hasPrefix("InvalidInput unknown key “plase”; did you mean “place”?"))
                #expect(lines[1].hasPrefix("InvalidInput") && lines[1].contains("seconds"))
                #expect(lines[2...4] == ["nothing wrong", "nothing wrong", "nothing wrong"])
                #expect(lines[5].hasPrefix("Hunch takes no object: "))
                #expect(lines[6].hasPrefix("timestamp “startTime”"))
                #expect(lines[7].hasPrefix("InvalidInput") && lines[7].contains("title"))
                #expect(lines[8].hasPrefix("InvalidInput") && !lines[8].contains("GDBus"))
                #expect(lines[9].contains("file:///"))
                #expect(lines[10].contains("did you mean “id”?"))
                #expect(lines[11].hasPrefix("the parameters of a donation are a dictionary"))
                #expect(lines[12].contains("without save()"))
                #expect(lines[13].contains("did you mean “title”?"))
                #expect(
                    lines[14...18] == ["nothing wrong", "False", "nothing wrong", "nothing wrong", "nothing wrong"])
                #expect(lines[19].contains("“created” looks like seconds"))
                #expect(lines[20].contains("“keywords” must be a list of texts"))
                #expect(lines[21].contains("give “uri” or “destination”, not both"))
                #expect(lines[22].hasPrefix("InvalidInput") && lines[22].contains("latitude"), "\(lines[22])")
                let (source, destination) = (
                    "('latitude', 1.0), ('longitude', 2.0)", "('latitude', 3.0), ('longitude', 4.0)"
                )
                #expect(lines[23] == "[[\(source)], [\(destination)]]", "\(lines[23])")
                #expect(lines[24] == "1", "\(program.output)")
            }
        }
    }
}
