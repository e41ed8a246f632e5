import ArgumentParser
import CommandSupport
import FoundationEssentials
import HunchModel
import Localization
import Queries
import SearchIndexes

/// `hunch find`: finds items of apps.
struct FindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: localized("Find notes, messages, songs and other content of apps."),
        discussion: localized(
            """
            Finds the items that apps and “hunch index import” put into the search index, the best first. Words count in any \
            form and spelling of accents, words that nothing has are corrected, “a phrase” in quotation marks is found as it \
            is, and -word excludes a word.

            With --query, the text is a condition on attributes: comparisons with ==, !=, <, <=, >, >= and \
            InRange(attribute, low, high), combined by &&, || and !. Texts stand in quotation marks and may contain *. \
            The letters c, d, w and t after one ignore case, ignore accents, match between boundaries of words, and match words \
            in any order. Dates are $time.now(SECONDS), $time.today(DAYS) and $time.iso(2026-11-01).

            %1

            Example:
              hunch find dim sum
              hunch find --query 'title == "yank*"cd && created > $time.today(-7)'
              printf 'dim sum\\njazz\\n' | hunch find -
            """, LineTally.help))

    @Argument(
        parsing: .allUnrecognized,
        help: .localized("Words to find; “-” reads one search a line.", valueName: "text"))
    var text: [String] = []
    @Flag(help: .localized("Take the text as a condition in the query language."))
    var query = false
    @Option(help: .localized("Only items of this app or script. May be repeated.", valueName: "app"))
    var app: [AppID] = []
    @Option(help: .localized("The maximum number of items, 1 to %1.", SearchOptions.maximumLimit))
    var limit = 20
    @Flag(help: .localized("Write one JSON object a line."))
    var json = false

    private struct Hit: Encodable {
        let id: String
        let app: AppID
        let title: String
        let date: String
        let excerpt: String
        let score: Double
    }

    private struct Fields: Encodable {
        let query: String
        var hits: [Hit] = []
        /// The words that no item has, as they were typed.
        var unknown: [String]?
        /// The reason why nothing was found.
        var error: String?
    }

    mutating func validate() throws {
        text = try PlaceWords.words(text, mayExclude: true)
        guard text.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            throw ValidationError(localized("give words to find, or “-” to read searches from standard input"))
        }
        guard (1...SearchOptions.maximumLimit).contains(limit) else {
            throw ValidationError(localized("--limit is a number from 1 to %1", SearchOptions.maximumLimit))
        }
    }

    func run() async throws {
        let store = try IndexAccess.reader()
        defer { store?.close() }
        let text = text.joined(separator: " ")
        guard text != "-" else { return try readAll(store) }
        let hits = try find(text, store, hiding: excluded())
        // A query has no such words.
        let unknown = query ? [] : (try? store?.unknownWords(in: text, options(hiding: excluded()))) ?? []
        let reason = try hits.isEmpty ? reason(text, store) : nil
        if json {
            var fields = Self.fields(text, hits, unknown)
            fields.error = reason
            try Output.raw(Output.json(fields))
        }
        if let reason { throw CommandError(reason, ExitStatus.nothingFound, isInOutput: json) }
        guard !json else { return }
        var table = Table(localized("Title"), localized("App"), localized("Id"), localized("Date"), localized("Text"))
        for hit in hits {
            table.add(
                hit.title, hit.source.application.rawValue, hit.id, LocalDay(hit.date).words, hit.excerpt)
        }
        try table.print()
        let useless = unknown.filter { word in !hits.contains { Self.shows($0, word) } }
        if !useless.isEmpty {
            let words = useless.map { localizedIn("a word that was searched for", "“%1”", $0.cut(to: 40)) }.joined(
                separator: ", ")
            Output.complain(localized("no item has %1", words))
        }
        if hits.count == limit, limit < SearchOptions.maximumLimit {
            Output.complain(localized("there may be more; --limit shows up to %1", SearchOptions.maximumLimit))
        }
    }

    /// Returns whether an item shows a word, if only within another one: “Torte” in “Kirschtorte”.
    private static func shows(_ hit: SearchHit, _ word: String) -> Bool {
        let word = word.lowercased()
        return [hit.title, hit.excerpt].contains { $0.lowercased().contains(word) }
    }

    private func readAll(_ store: IndexStore?) throws {
        var tally = LineTally()
        let excluded = try excluded()
        try InputLines.forEach(limit: Query.maximumLength) { line in
            do {
                guard line.fault == nil else {
                    throw CommandError(localized("the line is too long or not UTF-8"), ExitStatus.badInput)
                }
                let hits = try find(line.text, store, hiding: excluded)
                tally.answered(isFound: !hits.isEmpty)
                let unknown = query ? [] : (try? store?.unknownWords(in: line.text, options(hiding: excluded))) ?? []
                try Output.raw(Output.json(Self.fields(line.text, hits, unknown)))
            } catch let error as CommandError where error.status == ExitStatus.badInput {
                tally.refused(error)
                try Output.raw(Output.json(Fields(query: line.text, error: error.message)))
            }
        }
        try tally.finish()
    }

    /// Returns the reason why nothing is found.
    private func reason(_ text: String, _ store: IndexStore?) throws -> String {
        let applications = Set(try store?.sources().map(\.source.application) ?? [])
        if let other = app.first(where: { !applications.contains($0) }) {
            let script = AppID("script:\(other)")
            let reason = localized("%1 has no items in the index", other)
            if applications.contains(script) { return localized("%1; did you mean “%2”?", reason, script) }
            let known = KnownApps(environment: ProcessInfo.processInfo.environment)
            return try known.named(other, among: applications) == nil ? known.fault(other, among: applications) : reason
        }
        guard let store else { return localized("nothing is indexed; see “hunch index import --help”") }
        let reason = localized("nothing was found for “%1”", text.cut(to: 80))
        guard query else { return reason }
        let names = try Query(text, clock: Date()).attributes.subtracting(SearchableAttribute.standard.keys)
        // Looking at all items may take too long.
        for name in names.sorted() where (try? store.hasAttribute(name)) == false {
            return NearName.fault(
                localized("%1: no item has “%2”", reason, name), name, among: SearchableAttribute.standard.keys.sorted()
            )
        }
        return reason
    }

    /// Returns the apps whose items are not shown, because the user excluded them and does not ask for them.
    private func excluded() throws -> Set<AppID> { try app.isEmpty ? IndexAccess.exclusions() : [] }

    private func options(hiding excluded: Set<AppID>) -> SearchOptions {
        SearchOptions(
            limit: limit, applications: app.isEmpty ? nil : Set(app), excluded: excluded, needsExcerpts: true,
            now: Date())
    }

    private func find(_ text: String, _ store: IndexStore?, hiding excluded: Set<AppID>) throws -> [SearchHit] {
        guard let store else { return [] }
        let options = options(hiding: excluded)
        do {
            return try query ? store.search(Query(text, clock: options.now), options) : store.search(text, options)
        } catch let error as QueryError {
            throw CommandError(
                localized("the query is wrong at character %1: %2", error.position, error.message), ExitStatus.badInput,
                code: "query")
        }
    }

    private static func fields(_ text: String, _ hits: [SearchHit], _ unknown: [String]) -> Fields {
        Fields(
            query: text,
            hits: hits.map {
                Hit(
                    id: $0.id, app: $0.source.application, title: $0.title, date: $0.date.formatted(.iso8601),
                    excerpt: $0.excerpt, score: ($0.score * 10_000).rounded() / 10_000)
            }, unknown: unknown.isEmpty ? nil : unknown)
    }
}
