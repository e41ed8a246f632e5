import FoundationEssentials
import Queries
import SeededRandom
import Testing

@Suite("Query language")
struct QueryTests {
    /// 2026-11-26T02:00:00Z.
    private static let clock = Date(timeIntervalSince1970: 1_795_658_400)

    private func parse(_ text: String) throws(QueryError) -> Query { try Query(text, clock: Self.clock) }

    private static func pattern(_ parts: String..., modifiers: Pattern.Modifiers = []) -> Query.Value {
        .pattern(Pattern(parts: parts, modifiers: modifiers))
    }

    @Test("Each relation is read", arguments: Query.Relation.allCases)
    func relations(relation: Query.Relation) throws {
        #expect(try parse("rating\(relation.rawValue)3") == .comparison("rating", relation, .number(3)))
        #expect(try parse(" rating  \(relation.rawValue)  -2.5e1 ") == .comparison("rating", relation, .number(-25)))
    }

    @Test("Each modifier is read, also several")
    func modifiers() throws {
        let all: [(String, Pattern.Modifiers)] = [
            ("", []), ("c", .ignoresCase), ("d", .ignoresDiacritics), ("w", .words), ("t", .tokens),
            ("dc", [.ignoresCase, .ignoresDiacritics]), ("cdwt", [.ignoresCase, .ignoresDiacritics, .words, .tokens]),
        ]
        for (letters, modifiers) in all {
            let query = try parse("title == \"a\"\(letters)")
            #expect(query == .comparison("title", .equal, Self.pattern("a", modifiers: modifiers)), "\(letters)")
        }
    }

    @Test("Texts have wildcards, escapes and two kinds of quotation marks")
    func texts() throws {
        #expect(try parse(#"title == "a*b*""#) == .comparison("title", .equal, Self.pattern("a", "b", "")))
        #expect(try parse(#"title == "a\*\"\\""#) == .comparison("title", .equal, Self.pattern(#"a*"\"#)))
        #expect(try parse("* != 'it'") == .comparison(nil, .unequal, Self.pattern("it")))
        #expect(try parse("seen == true") == .comparison("seen", .equal, .flag(true)))
    }

    @Test("And binds more strongly than or, and not more strongly than both")
    func precedence() throws {
        let (a, b, c) = (
            Query.comparison("a", .equal, .number(1)), Query.comparison("b", .equal, .number(2)),
            Query.comparison("c", .equal, .number(3))
        )
        #expect(try parse("a==1 || b==2 && c==3") == .any([a, .all([b, c])]))
        #expect(try parse("(a==1 || b==2) && c==3") == .all([.any([a, b]), c]))
        #expect(try parse("!a==1 && !(b==2)&&c==3") == .all([.not(a), .not(b), c]))
        #expect(try parse("!!a==1") == .not(.not(a)))
    }

    @Test("Ranges and dates are numbers")
    func dates() throws {
        #expect(try parse("InRange(rating, 2, 4.5)") == .range("rating", 2, 4.5))
        let now = Self.clock.timeIntervalSince1970
        #expect(try parse("created > $time.now") == .comparison("created", .greater, .number(now)))
        #expect(try parse("created > $time.now(-60)") == .comparison("created", .greater, .number(now - 60)))
        let iso = try parse("created <= $time.iso(2026-11-01T00:00:00Z)")
        #expect(iso == .comparison("created", .lessOrEqual, .number(1_793_491_200)))
        #expect(try parse(#"created <= $time.iso("2026-11-01T00:00:00Z")"#) == iso)
        guard case .range(_, let today, let tomorrow) = try parse("InRange(created, $time.today, $time.today(+1))")
        else {
            Issue.record("no range")
            return
        }
        #expect(today <= now && now < tomorrow && (82_800...90_000).contains(tomorrow - today))
    }

    @Test(
        "Errors name the character and what was expected",
        arguments: [
            ("", 1, "attribute"), ("title", 6, "=="), ("title = \"a\"", 7, "=="), ("title == ", 10, "quotation marks"),
            ("title == \"a", 10, "closing"), ("title == \"a\"x", 13, "“x”"), ("(a == 1", 8, "“)”"),
            ("a == 1 b == 2", 8, "&&"), ("a == 1 &&", 10, "attribute"), ("InRange(a, 1)", 13, "lower"),
            ("InRange a", 9, "=="), ("title < \"a\"", 7, "numbers"), ("a == $time.tomorrow", 12, "iso"),
            ("a > $time.iso(yesterday)", 15, "ISO 8601"), ("a > $time.today(0.5)", 11, "whole"),
            ("1 == a", 1, "attribute"),
        ])
    func errors(text: String, position: Int, words: String) {
        let error = #expect(throws: QueryError.self) { try parse(text) }
        #expect(error?.position == position && error?.message.contains(words) == true, "\(String(describing: error))")
    }

    @Test("Nesting and length have limits")
    func limits() throws {
        let deep = String(repeating: "(", count: 15) + "a==1" + String(repeating: ")", count: 15)
        #expect(throws: Never.self) { try parse(deep) }
        #expect(throws: QueryError.self) { try parse("(" + deep + ")") }
        #expect(throws: QueryError.self) { try parse(String(repeating: "!", count: 10_000) + "a==1") }
        let many = Array(repeating: "a==1", count: 256).joined(separator: "||")
        #expect(throws: Never.self) { try parse(many) }
        #expect(throws: QueryError.self) { try parse(many + "||a==1") }
        let words = String(repeating: "x ", count: 33)
        #expect(throws: QueryError.self) { try parse("a == \"\(words)\"t") }
        #expect(throws: QueryError.self) { try parse("a == \"" + String(repeating: "x", count: 20_000) + "\"") }
    }

    @Test("Random texts are queries or errors")
    func random() {
        var generator = SplitMix64(seed: 41)
        let pieces = [
            "title", "==", "!=", "<", "(", ")", "&&", "||", "!", "\"a*\"", "\"", "cd", "InRange", ",", "3", "-",
            "$time.",
            "now", "today", "iso", "*", " ", "é", "\\", "true",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }
            do throws(QueryError) {
                _ = try parse(text.joined())
            } catch {
                #expect(error.position >= 1 && error.position <= text.joined().count + 1, "\(text.joined())")
            }
        }
    }
}
