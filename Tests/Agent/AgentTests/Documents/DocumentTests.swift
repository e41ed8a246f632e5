import FoundationEssentials
import History
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Documents that the user opens, recorded from the desktop's list of recent files.
@Suite("Documents", .timeLimit(.minutes(15))) struct DocumentTests {
    private static let editor: AppID = "org.example.Editor"

    /// An agent whose person allowed some categories, with an editor for text files.
    private func withDocuments(
        allowing categories: [String] = ["files"],
        _ body: nonisolated(nonsending) (AgentRig, Watched<Date>) async throws -> Void
    ) async throws {
        let clock = Watched(Date())
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withAgentInside(on: bus, in: home, configure: { $0.now = { clock.state } }) { rig in
                    try rig.installApp(Self.editor, "MimeType=text/plain;")
                    try await rig.agent.enable()
                    for category in categories { try await rig.agent.setCategory(category, isRecorded: true) }
                    try await body(rig, clock)
                }
            }
        }
    }

    private func opened(_ rig: AgentRig) throws -> [Donation] {
        try StoreFile(home: rig.home).use { try $0.donations(of: .openItem, limit: 100) }
    }

    /// Writes the list until a number of documents are recorded: nothing reports that the agent began to watch it.
    private func open(
        _ paths: [String], _ rig: AgentRig, at date: Date, command: String = "org.example.Editor %u", until count: Int
    ) async throws -> [Donation] {
        try await eventually("\(count) opened documents", because: "rows tell nobody") {
            try rig.writeRecentDocuments(paths, at: date, command: command)
            let donations = try opened(rig)
            return donations.count >= count ? donations : nil
        }
    }

    @Test("A document in the home folder is recorded with its app; others are not")
    func recorded() async throws {
        try await withDocuments { rig, clock in
            let home = rig.home.directory
            let report = try home.write("x", to: "Documents/report 1.txt")
            let hidden = try home.write("x", to: ".secret/a.txt")
            let diary = try home.write("x", to: "Diary/today.txt")
            let link = home.file("Documents/link.txt")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/passwd")
            _ = try await rig.hunch("exclude", home.file("Diary")).output()
            clock.update { $0 = Date() + 1 }
            let donations = try await open(
                [hidden, diary, link, "/etc/hostname", home.file("missing.txt"), report.replacing(" ", with: "%20")],
                rig, at: clock.state, until: 1)
            #expect(
                donations.map(\.parameters) == [
                    ["uri": "file://" + report.replacing(" ", with: "%20"), "title": "report 1.txt"]
                ])
            #expect(donations[0].application == Self.editor)
            #expect(try await rig.hunch("exclude", "--list").output() == home.file("Diary") + "\n")
        }
    }

    @Test("Nothing is recorded before the user allows it, and earlier documents are not recorded afterwards")
    func permission() async throws {
        try await withDocuments(allowing: []) { rig, clock in
            let first = try rig.home.directory.write("x", to: "first.txt")
            let second = try rig.home.directory.write("x", to: "second.txt")
            clock.update { $0 = Date() + 1 }
            try rig.writeRecentDocuments([first], at: clock.state, command: "org.example.Editor %u")
            // Longer than the agent collects changes.
            _ = try await run("sleep", ["2"])
            try await rig.agent.setCategory("files", isRecorded: true)
            clock.update { $0 += 10 }
            let donations = try await open([second], rig, at: clock.state, until: 1)
            #expect(donations.map { $0.parameters["title"] } == ["second.txt"])
        }
    }

    @Test("The app of a document is the one of its program, else the default app of its type")
    func apps() async throws {
        try await withDocuments { rig, clock in
            let file = try rig.home.directory.write("x", to: "a.txt")
            let program = rig.home.directory.file("bin/\(Self.editor)")
            clock.update { $0 = Date() + 1 }
            let donations = try await open([file], rig, at: clock.state, command: "\(program) %u", until: 1)
            #expect(donations.map(\.application) == [Self.editor])
        }
    }

    @Test("A document with a date in the future does not end the recording")
    func future() async throws {
        try await withDocuments { rig, clock in
            let (wrong, right) = (
                try rig.home.directory.write("x", to: "wrong.txt"), try rig.home.directory.write("x", to: "right.txt")
            )
            clock.update { $0 = Date() + 1 }
            try rig.writeRecentDocuments([wrong], at: clock.state + 86_400, command: "org.example.Editor %u")
            // Longer than the agent collects changes.
            _ = try await run("sleep", ["2"])
            let donations = try await open([right], rig, at: clock.state, until: 1)
            #expect(donations.map { $0.parameters["title"] } == ["right.txt"])
        }
    }

    @Test("A frequent action is likely without a trigger, and opens when accepted")
    func likely() async throws {
        try await withDocuments { rig, clock in
            let none = try await rig.hunch("suggestions", "--likely")
            #expect(none.status == .exited(1) && none.standardError.contains("at least twice"), "\(none)")
            let file = try rig.home.directory.write("x", to: "plan.txt")
            for count in 1...2 {
                clock.update { $0 = Date() + Double(count) * 1_000 }
                _ = try await open([file], rig, at: clock.state, until: count)
            }
            let offered = try await rig.agent.likelySuggestions()
            #expect(offered.map(\.title) == ["Open plan.txt"] && offered[0].application == Self.editor)
            let again = try await rig.hunch("suggestions", "--likely", "--json").output()
            #expect(again.contains("Open plan.txt") && again.split(separator: "\n").count == 1, "\(again)")
            let listed = try await rig.hunch("suggestions")
            #expect(listed.status == .exited(1) && listed.standardOutput.isEmpty, "\(listed)")
            let others = try await rig.agent.suggestions().map(\.id)
            #expect(others.count == 2 && others.contains(offered[0].id), "another connection replaces nothing")
            let newer = try await rig.agent.likelySuggestions()
            let current = try await rig.agent.suggestions().map(\.id)
            #expect(current.count == 2 && !current.contains(offered[0].id), "a newer request replaces the former one")
            try await rig.agent.accept(newer[0].id)
            #expect(try await rig.started(Self.editor).first == "file://" + file)
            try FileManager.default.removeItem(atPath: file)
            #expect(try await rig.agent.likelySuggestions().isEmpty, "a file that is gone is not suggested")
        }
    }
}

extension AgentRig {
    /// Writes the desktop's list of recent files as GTK does: into a new file that replaces the old one.
    func writeRecentDocuments(_ paths: [String], at date: Date, command: String) throws {
        let time = Date.ISO8601FormatStyle().format(date)
        let bookmarks = paths.map { path in
            """
            <bookmark href="file://\(path)" added="\(time)"><info><metadata owner="http://freedesktop.org">
            <mime:mime-type type="text/plain"/><bookmark:applications>
            <bookmark:application name="Editor" exec="&apos;\(command)&apos;" modified="\(time)" count="1"/>
            </bookmark:applications></metadata></info></bookmark>
            """
        }
        try home.directory.write(
            """
            <xbel version="1.0" xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
            xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info">\(bookmarks.joined())</xbel>
            """, to: "data/recently-used.xbel.new")
        let list = home.data + "/recently-used.xbel"
        try? FileManager.default.removeItem(atPath: list)
        try FileManager.default.moveItem(atPath: list + ".new", toPath: list)
    }
}
