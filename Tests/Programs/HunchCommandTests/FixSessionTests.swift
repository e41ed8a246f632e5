import TestSupport
import Testing

@testable import hunch

@Suite("Repairs of hunch doctor") struct FixSessionTests {
    private let off = Finding("agent", "agent", .limited, "off", fix: .enable)
    private let on = Finding("agent", "agent", .ok, "on")
    private let none = Finding("gazetteer", "gazetteer", .limited, "none", fix: .importPlaceLists)
    private let towns = Finding("gazetteer", "gazetteer", .limited, "towns", fix: .downloadPlaces)

    @Test("Each repair is offered once, also one that becomes possible later")
    func offers() {
        var session = FixSession([off, none])
        #expect(session.next([off, none, off]) == [.enable, .importPlaceLists])
        #expect(session.next([off, towns]) == [.downloadPlaces])
        #expect(session.next([off, towns, none]) == [])
    }

    @Test("Changes are those of the same check, and what came or went")
    func changes() {
        let problems = ["a", "b", "c"].map { Finding("agent-problem", "agent", .limited, $0) }
        let session = FixSession([off, problems[0], problems[1], none])
        #expect(session.changes([off, problems[0], problems[1], none]) == [])
        #expect(
            session.changes([on, problems[1], problems[2], none]) == [
                FixSession.Change(former: off, current: on),
                FixSession.Change(former: problems[0], current: problems[2]),
            ])
        #expect(
            session.changes([off, problems[0], none, towns]) == [
                FixSession.Change(former: nil, current: towns), FixSession.Change(former: problems[1], current: nil),
            ])
    }

    @Test("Every remedy with a repair is a command that the help knows", arguments: Fix.allCases)
    func commands(fix: Fix) async throws {
        #expect(fix.question.hasSuffix("?"))
        guard fix != .restartAgent else { return }
        let words = fix.command.split(separator: " ").map(String.init)
        #expect(words.first == "hunch")
        let help = try await run(builtProduct("hunch"), words.dropFirst() + ["--help"])
        #expect(help.status == .exited(0))
    }
}
