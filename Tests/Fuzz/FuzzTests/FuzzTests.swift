import Fuzzing
import TestSupport
import Testing

@testable import CommandSupport
@testable import hunch
@testable import hunch_dev

/// A short run of every fuzzer, the same each time; `make fuzz SECONDS=…` continues with other inputs.
@Suite("Fuzzing", .timeLimit(.minutes(15))) struct FuzzTests {
    /// The parsers of the command line itself, which is a program, not a module.
    private static let ofTheCommandLine = [
        Fuzzer(
            "instants",
            text: { text in
                _ = LogInstant(text)
                if let seconds = Double(text) { _ = LogInstant(seconds: seconds) }
                _ = try? DateText.span(text)
                _ = try? DateText.past(text, of: "--since")
                _ = try? DateText.date(text, .after)
            })
    ]

    @Test("No parser crashes", arguments: (Fuzzer.all + ofTheCommandLine).map(\.name))
    func parser(name: String) throws {
        let fuzzer = try #require((Fuzzer.all + Self.ofTheCommandLine).first { $0.name == name })
        let session = Session(seed: 2_026, corpus: try Corpus(ofPackage: Surroundings.packageRoot))
        #expect(session.run(fuzzer, executions: 2_000).executions == 2_000)
    }

    @Test("Every fuzzer has a corpus")
    func corpus() throws {
        let corpus = try Corpus(ofPackage: Surroundings.packageRoot)
        for fuzzer in Fuzzer.all + Self.ofTheCommandLine {
            #expect(!corpus.inputs(for: fuzzer.name).isEmpty, "\(fuzzer.name) has no line in Tests/Fuzz/Corpus")
        }
    }
}
