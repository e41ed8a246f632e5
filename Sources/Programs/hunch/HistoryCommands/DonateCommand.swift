internal import HistoryExport
import CommandSupport
internal import AgentInterface
import ArgumentParser
import FoundationEssentials
import History
import HunchKit
import HunchModel
import JSON
import Localization

/// `hunch donate`: sends donations to the agent, from lines as `hunch export` writes them.
struct DonateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "donate",
        abstract: localized("Donate actions: JSON Lines, as “hunch export” writes them."),
        discussion: localized(
            """
            An export, from its first line to its last, is read completely or not at all. It brings back everything but \
            permissions (see “hunch allow” and “hunch keep”), whether Hunch is on or paused, and rows older than the limit of \
            “hunch keep --days”; their number is reported. Rows that exist are not added twice.

            Of other input, each line is read on its own, and lines of a type other than “donation” are skipped. A line needs \
            “app”, “kind” and “parameters”. “date” (ISO 8601) defaults to now; a date older than the limit is refused (tooOld). Each fault is \
            reported with its line number. Exit code 2: a line was refused; 3: recording is off or paused.

            With --as, --delete and --delete-group take back donations by the “identifier” or “group” that they were made \
            with, the suggestions made of them and what was learned from them, as apps can over D-Bus. Exit code 1: there \
            were none.

            Example:
              hunch export mine.jsonl && hunch donate mine.jsonl
              echo '{"application":"script:notes","kind":"openItem","parameters":{"uri":"file:///a"}}' | hunch donate -
              hunch donate --as script:notes --delete note-41 --delete-group drafts
            """))

    /// The maximum number of bytes of a line: the largest donation, with room for escapes.
    private static let lineLimit = HistoryLimits.exportLine
    private static let batch = 500

    @Argument(
        help: .localized("A file of JSON Lines; “-” for standard input.", valueName: "file"), completion: .file())
    var file: String?
    @Option(
        help: .localized("Delete the donations with this identifier instead. May be repeated.", valueName: "id"))
    var delete: [String] = []
    @Option(
        help: .localized("Delete the donations with this group instead. May be repeated.", valueName: "group"))
    var deleteGroup: [String] = []
    @Option(
        help: .localized("The donor: script:NAME, or an app's desktop identifier.", valueName: "app"))
    var `as`: AppID?
    @Flag(help: .localized("Write one JSON object with the number of accepted lines and the rejected lines."))
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

    private var isDeletion: Bool { !delete.isEmpty || !deleteGroup.isEmpty }

    func validate() throws {
        guard (file != nil) != isDeletion else {
            throw ValidationError(
                localized("give either a file, “-” being standard input, or --delete or --delete-group with --as"))
        }
        guard isDeletion == (self.as != nil) else {
            throw ValidationError(localized("--as script:NAME goes with --delete or --delete-group"))
        }
    }

    func run() async throws {
        if let donor = self.as { return try await takeBack(of: donor) }
        let input = try DonatedInput(file ?? "-")
        if input.isExport { return try await importExport(input) }
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
            for refusal in refused { Output.complain(localized("line %1: %2", refusal.line, refusal.message)) }
            try Output.line(
                localized("%1 accepted, %2 refused, %3 of other types", accepted, refused.count, reading.skipped))
        }
        guard !refused.isEmpty else { return }
        // Recording may be withheld for one app only; the others are still recorded.
        let isOff = accepted == 0 && refused.allSatisfy { ["notEnabled", "paused", "withheld"].contains($0.code) }
        let isDesktop = isOff && refused.contains { $0.code == "withheld" }
        let reason = isDesktop ? try await AgentSession.run { try await $0.status().withheld?.description } : nil
        throw CommandError(
            json ? localized("%1 of %2 were refused", refused.count, refused.count + accepted) : nil,
            isOff && (!isDesktop || reason != nil) ? ExitStatus.systemFailure : ExitStatus.badInput, isInOutput: true)
    }

    private func takeBack(of donor: AppID) async throws {
        let (identifiers, groups) = (delete, deleteGroup)
        let count = try await AgentSession.run {
            try await $0.deleteDonations(of: donor, identifiers: identifiers, groups: groups)
        }
        if json { try Output.raw(Output.json(["deleted": count])) }
        guard count > 0 else {
            throw CommandError(
                localized("%1 has donated nothing by these names", donor), ExitStatus.nothingFound, isInOutput: json)
        }
        if !json { try Output.line(localized("%1 deleted", count)) }
    }

    private func importExport(_ input: DonatedInput) async throws {
        try checkExport(input)
        let descriptor = try input.file()
        let counts = try await AgentSession.run { try await $0.importHistory(descriptor) }
        let receipt = Dictionary(uniqueKeysWithValues: counts.map { ($0.key.swiftName, $0.value) })
        let others = ["known", "withheld", "tooOld", "permissions", "content", "unknown"]
        let taken = receipt.filter { !others.contains($0.key) }
        let accepted = taken.values.reduce(0) { $0 + Int($1) }
        if json {
            let skipped = others.reduce(0) { $0 + Int(receipt[$1] ?? 0) }
            return try Output.raw(
                Output.json(Fields(accepted: accepted, skipped: skipped, refused: [], receipt: receipt)))
        }
        try Output.line(localized("%1 imported", accepted))
        for (key, words) in [
            ("known", localized("there already")),
            ("withheld", localized("of apps that are excluded or kinds that are not recorded")),
            ("tooOld", localized("older than what is kept; “hunch keep --days” keeps longer")),
            ("permissions", localized("permissions, which are not imported; “hunch allow” and “hunch keep” give them")),
            ("content", localized("of the search index; apps and “hunch index import” fill it again")),
            ("unknown", localized("of a type that this version does not know")),
        ] {
            if let count = receipt[key], count > 0 { try Output.line("\(count) \(words)") }
        }
    }

    /// Refuses an export with a line that is not JSON, before reading any of it.
    private func checkExport(_ input: DonatedInput) throws {
        var number = 0
        try InputLines.forEach(limit: Self.lineLimit, of: input.descriptor, named: input.name) { line in
            number += 1
            // Other faults of a line are reported when it is read.
            guard line.fault == nil, !line.text.isEmpty, let fault = JSONText.fault(in: line.text) else { return }
            throw CommandError(localized("line %1: it is not JSON: %2", number, fault), ExitStatus.badInput)
        }
        try input.rewind()
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
                    Refusal(line: number, code: "tooLong", message: localized("longer than %1 bytes", Self.lineLimit)))
            case .notUTF8:
                reading.refused.append(Refusal(line: number, code: "notUTF8", message: localized("not UTF-8")))
            case nil:
                guard line.text.contains(where: { $0 != " " }) else { return }
                if let fault = JSONText.fault(in: line.text) {
                    return reading.refused.append(
                        Refusal(line: number, code: "malformed", message: localized("it is not JSON: %1", fault)))
                }
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
