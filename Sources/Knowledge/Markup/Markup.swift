internal import HTML
internal import FoundationEssentials
public import JSON
internal import Localization
internal import HunchModel

/// The structured data of a page.
public struct Markup: Hashable, Sendable {
    /// The syntaxes of items.
    public enum Syntax: String, Hashable, Sendable, CaseIterable {
        case jsonLD = "json-ld"
        case microdata
        case rdfa
        case microformats
        /// A pass in Wallet.
        case pass
    }

    /// An item at the top of a page.
    public struct Item: Hashable, Sendable {
        /// The syntax in which it was written.
        public let syntax: Syntax
        /// The line on which it begins, from 1.
        public let line: Int
        /// The item in the shape of JSON-LD: an object with `@type`, `@id` and properties. A property with one value has
        /// the value, one with several an array.
        public let value: JSONValue
    }

    /// The maximum size of a page in bytes.
    public static let maximumSize = 10_000_000
    /// The maximum number of items at the top of a page.
    public static let maximumItems = 10_000
    /// The maximum number of problems of items.
    public static let maximumProblems = 1_000
    /// The maximum depth of items in items.
    public static let maximumDepth = 64

    /// The items, in the order of the syntaxes and of the page.
    public internal(set) var items: [Item] = []
    /// The values of `meta` elements by their names: Open Graph (`og:title`, `article:author`), in the order of the page.
    public internal(set) var openGraph: [String: [String]] = [:]
    /// The values of Twitter Cards (`twitter:title`).
    public internal(set) var twitter: [String: [String]] = [:]
    /// The values of App Links (`al:ios:url`), and `android-app:` links under `alternate`.
    public internal(set) var appLinks: [String: [String]] = [:]
    /// The parts of Apple's Smart App Banner (`app-id`).
    public internal(set) var smartAppBanner: [String: [String]] = [:]
    /// The position of the page (`geo.position`, `ICBM`, `geo.placename`, `geo.region`).
    public internal(set) var position: [String: [String]] = [:]
    /// The title of the page.
    public internal(set) var title = ""
    /// The invitations of a mail, and then its plain texts.
    public internal(set) var texts: [String] = []
    /// The address of the page, from `<link rel="canonical">` or the caller.
    public internal(set) var address: String?
    /// The subject of the page; `nil` if nothing in it is of a known kind.
    public internal(set) var meaning: Meaning?
    /// All reservations of the page, in its order.
    public internal(set) var reservations: [Meaning] = []
    /// The faults, in the order in which they were found.
    public internal(set) var problems: [MarkupProblem] = []

    /// Whether items were left out.
    private var isFull = false

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - page: the page, at most ``maximumSize`` bytes. More are left out, with a problem.
    ///   - address: the address of the page, against which relative links are resolved.
    ///   - isOver: whether the reading must end now, because of a deadline. Everything that was read until then counts.
    public init(page: [UInt8], address: String? = nil, isOver: @escaping () -> Bool = { false }) {
        self.address = address
        let budget = WorkBudget(isOver: isOver)
        let document = read(page, budget)
        understand(budget) { document.line(of: $0, from: $1) }
    }

    /// Creates structured data without items.
    init() {}

    /// Finds out what the data is about.
    ///
    /// - Parameter line: returns the first line with a text from another line on.
    mutating func understand(_ budget: WorkBudget, _ line: (String, Int) -> Int) {
        var reader = MeaningReader(self, budget: budget)
        meaning = reader.meaning(line)
        problems += reader.problems
        reservations = reader.reservations(line)
        if !budget.isLeft { leftOut(localized("the items refer to each other too often; some values are left out")) }
    }

    /// Reads a page without finding out what it is about.
    mutating func read(_ page: [UInt8], _ budget: WorkBudget) -> HTMLDocument {
        var page = page
        if page.count > Self.maximumSize {
            page.removeLast(page.count - Self.maximumSize)
            leftOut(localized("the page is longer than %1 bytes", Self.maximumSize))
        }
        let document = HTMLDocument(page, limit: Self.maximumSize, budget: budget)
        if document.isPageCut { leftOut(localized("the page is longer than %1 bytes", Self.maximumSize)) }
        if !budget.withHalf({ read(document) }) {
            leftOut(localized("reading the page takes too long; some values are left out"))
        }
        return document
    }

    private mutating func read(_ document: HTMLDocument) {
        var head = HeadReader(address: address)
        var scripts: [HTMLElement] = []
        document.forEachElement { element in
            if element.name == .script {
                if JSONLDReader.isData(element) { scripts.append(element) }
                return false
            }
            head.read(element)
            return true
        }
        (openGraph, twitter, appLinks) = (head.openGraph, head.twitter, head.appLinks)
        (smartAppBanner, position, title) = (head.smartAppBanner, head.position, head.title)
        self.address = head.canonical ?? address
        var data = JSONLDReader()
        for script in scripts {
            guard !data.isFull else { break }
            data.read(script)
        }
        add(data.items, data.problems)
        var microdata = MicrodataReader(document, base: head.base)
        microdata.read()
        add(microdata.items, microdata.problems)
        var rdfa = RDFaReader(base: head.base, budget: document.budget)
        rdfa.read(document)
        add(rdfa.items, rdfa.problems)
        var microformats = MicroformatReader(base: head.base, budget: document.budget)
        microformats.read(document)
        add(microformats.items, [])
        if microformats.isCut { leftOut(localized("microformats have too many elements; some are left out")) }
        if head.isCut {
            leftOut(
                localized("there are more than %1 values in the head; the others are left out", Self.maximumItems))
        }
        if document.isCut { leftOut(localized("the page has too many elements; the last ones are left out")) }
        if document.isTextCut {
            leftOut(
                localized(
                    "elements have more than %1 bytes of text together; the others are left out",
                    HTMLDocument.textLimit))
        }
    }

    /// Reports that a part of the whole page is left out.
    private mutating func leftOut(_ message: String) {
        problems.append(MarkupProblem(line: 1, code: .limit, message: message))
    }

    mutating func add(_ found: [Item], _ faults: [MarkupProblem]) {
        let room = max(Self.maximumItems - items.count, 0)
        items += found.prefix(room)
        problems += faults.prefix(max(Self.maximumProblems - problems.count, 0))
        if found.count > room, !isFull {
            isFull = true
            problems.append(
                MarkupProblem(
                    line: found[room].line, code: .limit,
                    message: localized("there are more than %1 items; the others are left out", Self.maximumItems)))
        }
    }
}
