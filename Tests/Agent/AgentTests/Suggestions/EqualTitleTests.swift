import HunchDBus
import TestSupport
import Testing

@testable import Agent

/// Suggestions with the same title.
@Suite("Equal titles", .timeLimit(.minutes(15)))
struct EqualTitleTests {
    @Test("The list shows how suggestions with equal titles differ")
    func listed() async throws {
        try await withAgentInside { rig in
            try rig.installMapApp()
            for place in ["48.85,2.35", "52.52,13.4"] {
                let answer = try await rig.suggest(["uri": .string("geo:\(place)?q=\(place)(Bakery)")])
                #expect(!answer.suggestions.isEmpty, "\(answer)")
            }
            let rows = try await rig.hunch("suggestions", "--all").output().split(separator: "\n").map {
                $0.split(separator: "\t").map(String.init)
            }
            for same in Dictionary(grouping: rows, by: { $0[2] }).values where same.count > 1 {
                #expect(Set(same.map { $0[1] }).count == same.count && same.allSatisfy { $0[1].contains("Bakery") })
            }
            #expect(Set(rows.map { $0[2] }).count < rows.count, "\(rows)")
        }
    }
}
