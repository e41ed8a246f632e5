import AgentInterface
import HunchKit
import TestSupport
import Testing

/// Tests of the texts of commands that call the agent.
@Suite(.timeLimit(.minutes(15))) struct TranslatedCommandTests {
    /// The names and values in the output, which are not translated.
    private static let names: Set<Substring> = [
        "Hunch", "Bluetooth", "apps", "calendar", "calls", "files", "location", "messages",
    ]

    @Test func `The commands write no words beside the catalogue`() async throws {
        try await withTemporaryDirectory { directory in
            let brackets = try await Translations.bracketed(in: directory).environment
            try await withAgent { rig, _ in
                func hunch(_ argument: String) async throws -> CommandResult {
                    try await run(
                        builtProduct("hunch"), [argument], environment: rig.environment.merging(brackets) { $1 })
                }
                // The second column of “status” has states of the agent, whose parts also have their titles from it.
                let status = try await hunch("status").output().split(separator: "\n")
                let told = try await rig.agent.status()
                let context = Set((Array(told.context?.keys ?? [:].keys) + told.parts.map(\.title)).map { $0[...] })
                #expect(status.count > 5)
                for line in status {
                    let name = Translations.withoutBrackets(String(line.split(separator: "\t")[0]))
                    #expect(name.isEmpty || Self.names.union(context).contains(name[...]), "\(line)")
                }
                let keep = try await hunch("keep").output().split(separator: "\n")
                #expect(keep.count == 7)
                for line in keep {
                    let rest = Translations.withoutBrackets(String(line)).split(separator: "\t")
                    #expect(Self.names.isSuperset(of: rest), "\(line)")
                }
                let muted = try await hunch("muted")
                #expect(muted.standardError == "hunch: ⟦nothing is muted⟧\n")
            }
        }
    }
}
