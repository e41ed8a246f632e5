import FoundationEssentials
import History
import HunchModel
import TestSupport
import Testing

@testable import hunch

@Suite("hunch report", .timeLimit(.minutes(15)))
struct ReportCommandTests {
    /// 2026-06-01T12:00:00Z, a Monday.
    private static let noon = Date(timeIntervalSince1970: 1_780_315_200)

    private static func play(_ title: String, day: Double, of application: AppID = "org.example.Player") -> Donation {
        Donation(
            application: application, kind: .playMedia, parameters: ["item": title, "title": title],
            date: noon.addingTimeInterval(day * 86_400), context: Context(trigger: .session(.unlocked), hour: 12),
            combination: ["item"])
    }

    /// Returns the elements of a page that are not closed in order.
    private func unbalanced(_ page: String) -> [String] {
        let void: Set<String> = ["meta", "rect", "path", "wbr", "!DOCTYPE"]
        var open: [String] = []
        var faults: [String] = []
        for tag in page.matches(of: /<(\/?)([!A-Za-z][A-Za-z0-9]*)([^>]*)>/) {
            let name = String(tag.2)
            if tag.1 == "/" {
                if open.popLast() != name { faults.append(name) }
            } else if !tag.3.hasSuffix("/"), !void.contains(name) || page[tag.range.upperBound...].hasPrefix("<title>")
            {
                open.append(name)
            }
        }
        return faults + open
    }

    private func contents(_ hunch: HunchRunner, _ file: String = "report.html") throws -> String {
        try hunch.home.directory.read(file)
    }

    @Test("An empty history gives no page, one message and exit code 1")
    func empty() async throws {
        try await withHunch { hunch async throws in
            for isRecorded in [false, true] {
                if isRecorded { try hunch.withHistory { _ in } }
                let result = try await hunch("report")
                #expect(result.status == .exited(1) && result.standardOutput.isEmpty, "\(result)")
                #expect(result.standardError.hasPrefix("hunch: nothing is recorded, so there is nothing to report"))
                #expect(result.standardError.split(separator: "\n").count == 1)
                #expect(!FileManager.default.fileExists(atPath: hunch.home.directory.file("report.html")))
            }
        }
    }

    @Test("One action is enough for a page")
    func one() async throws {
        try await withHunch { hunch async throws in
            try hunch.withHistory { _ = try $0.record(Self.play("Song", day: 0), now: Self.noon) }
            let result = try await hunch("report")
            #expect(result.status == .exited(0) && result.standardOutput.hasPrefix("wrote report.html ("), "\(result)")
            let page = try contents(hunch)
            #expect(unbalanced(page).isEmpty, "\(unbalanced(page))")
            #expect(page.contains("1 action on 1 day."))
            #expect(page.contains("No action was done twice.") && page.contains("Nothing was suggested yet."))
            #expect(page.contains("Nothing was predicted yet.") && !page.contains("NaN") && !page.contains("inf"))
        }
    }

    @Test("The page has a table next to each chart, and loads nothing")
    func structure() async throws {
        try await withHunch { hunch async throws in
            try hunch.withHistory { store in
                for day in 0..<40 {
                    let date = Self.noon.addingTimeInterval(Double(day) * 86_400)
                    _ = try store.record(Self.play("Song \(day % 3)", day: Double(day)), now: date)
                    let outcomes: [Engagement.Outcome] = [.shown, day % 2 == 0 ? .accepted : .dismissed]
                    for outcome in outcomes {
                        let engagement = Engagement(
                            suggestion: "s\(day)", application: "org.example.Player", kind: .media, outcome: outcome,
                            date: date, context: Context(trigger: .session(.unlocked)))
                        _ = try store.record(engagement, now: date)
                    }
                }
            }
            let page = try await hunch("report", "--output", "-").output()
            #expect(unbalanced(page).isEmpty, "\(unbalanced(page))")
            #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
            let sections = page.matches(of: /<section aria-labelledby="([a-z]+)">\n<h2 id="([a-z]+)">/)
            #expect(
                sections.map { String($0.1) }
                    == ["activity", "usage", "predictions", "confidence", "suggestions", "storage"])
            #expect(sections.allSatisfy { $0.1 == $0.2 })
            #expect(page.matches(of: /<h1>/).count == 1)
            let captions = page.matches(of: /<table><caption id="([a-z-]+)">/)
            #expect(captions.count == page.matches(of: /<table/).count && captions.count == 9)
            #expect(Set(captions.map(\.1)).count == captions.count)
            let charts = page.matches(of: /<svg[^>]* role="img" aria-label="[^"]+"/)
            #expect(charts.count == page.matches(of: /<svg/).count && charts.count == 4)
            for forbidden in ["<script", "http:", "https:", "url(", "@import", "<link", "<img", "javascript:"] {
                #expect(!page.contains(forbidden), "\(forbidden)")
            }
            #expect(page.contains("40 suggestions, of which you accepted 20 and dismissed 20."))
            #expect(page.contains(#"<div><dt>of suggestions accepted</dt><dd>50"#))
            #expect(page.contains("prefers-color-scheme:dark"))
            for end in ["which no method can predict.", "Larger dots stand for more predictions.", "Made by Hunch"] {
                #expect(page.contains(end), "a sentence is cut before “\(end)”")
            }
        }
    }

    @Test("Titles, names and identifiers are escaped")
    func hostile() async throws {
        let nasty = "</table><script>alert(1)</script>\"' & \u{202E}\u{0}\u{85}\u{1B}[31m<img src=x onerror=y>"
        try await withHunch { hunch async throws in
            let title = nasty.replacing("\u{0}", with: "")
            try hunch.installApp("org.example.Bad", name: title.replacing("\u{85}", with: ""))
            try hunch.withHistory { store in
                let long = String(repeating: "x<", count: 1_000)
                _ = try store.record(
                    [
                        Self.play(title, day: 0, of: "org.example.Bad"),
                        Self.play(title, day: 1, of: "org.example.Bad"),
                        Self.play(long, day: 0, of: "a<b>"), Self.play(long, day: 1, of: "a<b>"),
                    ], now: Self.noon.addingTimeInterval(86_400))
                let engagement = Engagement(
                    suggestion: "s1", application: "a<b>", kind: Suggestion.Kind(rawValue: "<kind>"),
                    outcome: .accepted,
                    date: Self.noon, context: Context(trigger: .other("\"><script>"), device: "<device>"))
                _ = try store.record(engagement, now: Self.noon)
            }
            let page = try await hunch("report", "--output", "-").output()
            #expect(unbalanced(page).isEmpty, "\(unbalanced(page))")
            #expect(page.contains("&lt;/table&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39; &amp; "))
            for raw in ["<script", "<img", "<kind>", "<b>", "<device>"] {
                #expect(!page.replacing("<b style", with: "").contains(raw), "\(raw)")
            }
            let harmful = "\u{0}\u{1B}\u{7F}\u{85}\u{202E}".unicodeScalars
            #expect(!page.unicodeScalars.contains(where: harmful.contains))
            #expect(page.utf8.count < 100_000)
        }
    }

    @Test("The file is private, and only a report is replaced")
    func file() async throws {
        try await withHunch { hunch async throws in
            try hunch.withHistory { _ = try $0.record(Self.play("Song", day: 0), now: Self.noon) }
            let path = hunch.home.directory.file("mine.html")
            try hunch.home.directory.write("<p>my page</p>", to: "mine.html")
            let refused = try await hunch("report", "--output", path)
            #expect(refused.status == .exited(2) && refused.standardError.contains("is not a report of Hunch"))
            #expect(try contents(hunch, "mine.html") == "<p>my page</p>")
            try FileManager.default.removeItem(atPath: path)
            for _ in 1...2 {
                let result = try await hunch("report", "--output", path, "--json")
                #expect(result.status == .exited(0) && result.standardOutput.contains(#""bytes":"#), "\(result)")
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: hunch.home.directory.path)
            #expect(!files.contains { $0.contains("partial") })
            let folder = try await hunch("report", "--output", hunch.home.data)
            #expect(folder.status == .exited(2), "\(folder)")
            let missing = try await hunch("report", "--output", "/nonexistent/report.html")
            #expect(missing.status == .exited(3) && missing.standardError.contains("No such file or directory"))
        }
    }

    @Test("The hit rates are those of hunch-dev evaluate --history")
    func evaluation() async throws {
        struct Report: Decodable {
            struct Method: Decodable { let micro: [String: Double] }
            let methods: [String: Method]
        }
        try await withHunch { hunch async throws in
            try hunch.withHistory { store in
                let titles = ["a", "b", "a", "c", "a", "b", "a", "a", "c", "b", "a", "a"]
                for (day, title) in titles.enumerated() {
                    let play = Self.play(title, day: Double(day))
                    _ = try store.record(play, now: play.date)
                }
            }
            let evaluated = try #require(
                try await hunch.dev.json(Report.self, "evaluate", "--history", "--json").first)
            let rate = try #require(evaluated.methods["hunch"]?.micro["hr1"])
            let page = try await hunch("report", "--output", "-").output()
            let figures = try #require(
                try await hunch.json(Report.self, "report", "--output", "-", "--json").first)
            #expect(figures.methods["hunch"]?.micro["hr1"] == rate)
            #expect(rate > 0 && page.contains("<dd>\(ReportText.percent(rate))</dd>"))
        }
    }

    @Test("Shares are written for people")
    func shares() {
        #expect(ReportText.percent(1, of: 3) == "33\u{A0}%" && ReportText.percent(0, of: 0) == "–")
    }
}
