import ArgumentParser
import FoundationEssentials
import History
import HunchKit
import HunchModel

/// `hunch donate`: tells the agent what was done, from the lines that `hunch export` writes.
struct DonateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "donate",
        abstract: "Tell what was done: JSON Lines, as “hunch export” writes them.",
        discussion: """
            A whole export, from its first line to its last, is taken in all of it or not at all: everything but
            permissions, which “hunch allow” and “hunch keep” give, and whether Hunch is on or paused. What is there already
            is not taken twice. Of other input each line stands for itself, and those of another type than “donation” are
            passed over. A line needs “application”, “kind” and “parameters”; “date” (ISO 8601) is now when it is missing. Of
            what is wrong the line number is told. Exit code 2: a line was refused; 3: nothing is recorded now.

            Example:
              hunch export mine.jsonl && hunch donate mine.jsonl
              echo '{"application":"script:notes","kind":"openItem","parameters":{"uri":"file:///a"}}' | hunch donate -
            """)

    /// The most bytes of a line: what a donation may hold, with room for escapes.
    private static let lineLimit = HistoryLimits.exportLine
    private static let batch = 500

    @Argument(help: ArgumentHelp("A file of JSON Lines; “-” for standard input.", valueName: "file"))
    var file: String
    @Flag(help: "Write one JSON object: what was accepted, and what was refused by line.")
    var json = false

    private struct Refusal: Encodable {
        let line: Int
        let code: String
        let message: String
    }

    private struct Fields: Encodable {
        let accepted: Int
        let skipped: Int
        let refused: [Refusal]
        var receipt: [String: UInt32]?
    }

    private struct Reading {
        var donations: [(line: Int, donation: Donation)] = []
        var refused: [Refusal] = []
        var skipped = 0
    }

    func run() async throws {
        let input = try DonatedInput(file)
        if input.isExport { return try await readBack(input) }
        let reading = try read(input)
        var refused = reading.refused
        var accepted = 0
        let donations = reading.donations
        if !donations.isEmpty {
            let results = try await AgentSession.run { agent in
                var results: [DonationResult] = []
                for start in stride(from: 0, to: donations.count, by: Self.batch) {
                    let end = min(start + Self.batch, donations.count)
                    results += try await agent.donate(donations[start..<end].map(\.donation))
                }
                return results
            }
            for (entry, result) in zip(donations, results) {
                if result.isAccepted {
                    accepted += 1
                } else {
                    refused.append(Refusal(line: entry.line, code: result.code, message: result.message))
                }
            }
        }
        refused.sort { $0.line < $1.line }
        if json {
            try Output.raw(Output.json(Fields(accepted: accepted, skipped: reading.skipped, refused: refused)))
        } else {
            for refusal in refused { Output.complain("line \(refusal.line): \(refusal.message)") }
            try Output.line("\(accepted) accepted, \(refused.count) refused, \(reading.skipped) of other types")
        }
        guard !refused.isEmpty else { return }
        // What is withheld may be one app's; then the desktop has nothing against the others.
        let isOff = accepted == 0 && refused.allSatisfy { ["notEnabled", "paused", "withheld"].contains($0.code) }
        let isDesktop = isOff && refused.contains { $0.code == "withheld" }
        let reason = isDesktop ? try await AgentSession.run { try await $0.status()["withheld"] } : nil
        throw CommandError(
            json ? "\(refused.count) of \(refused.count + accepted) were refused" : nil,
            isOff && (!isDesktop || reason != nil) ? ExitStatus.trouble : ExitStatus.badInput, isInOutput: true)
    }

    private func readBack(_ input: DonatedInput) async throws {
        let descriptor = try input.file()
        let receipt = try await AgentSession.run { try await $0.readBack(descriptor) }
        let others = ["known", "withheld", "permissions", "unknown"]
        let taken = receipt.filter { !others.contains($0.key) }
        let accepted = taken.values.reduce(0) { $0 + Int($1) }
        if json {
            let skipped = others.reduce(0) { $0 + Int(receipt[$1] ?? 0) }
            return try Output.raw(
                Output.json(Fields(accepted: accepted, skipped: skipped, refused: [], receipt: receipt)))
        }
        try Output.line("\(accepted) read back")
        for (key, words) in [
            ("known", "there already"), ("withheld", "of apps that are excluded or kinds that are not recorded"),
            ("permissions", "permissions, which are not read back; “hunch allow” and “hunch keep” give them"),
            ("unknown", "of a type that this version does not know"),
        ] {
            if let count = receipt[key], count > 0 { try Output.line("\(count) \(words)") }
        }
    }

    private func read(_ input: DonatedInput) throws -> Reading {
        var reading = Reading()
        var number = 0
        let now = Date()
        try InputLines.forEach(limit: Self.lineLimit, of: input.descriptor, named: input.name) { line in
            number += 1
            switch line.fault {
            case .tooLong:
                reading.refused.append(
                    Refusal(line: number, code: "tooLong", message: "longer than \(Self.lineLimit) bytes"))
            case .notUTF8: reading.refused.append(Refusal(line: number, code: "notUTF8", message: "not UTF-8"))
            case nil:
                guard line.text.contains(where: { $0 != " " }) else { return }
                do throws(HistoryError) {
                    if let donation = try ExportLine.donation(line.text, now: now) {
                        reading.donations.append((number, donation))
                    } else {
                        reading.skipped += 1
                    }
                } catch {
                    reading.refused.append(Refusal(line: number, code: "malformed", message: error.message))
                }
            }
        }
        return reading
    }
}
