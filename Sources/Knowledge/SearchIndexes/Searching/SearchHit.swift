public import FoundationEssentials
public import HunchModel
internal import JSON
internal import Popularity

/// The options of a search.
public struct SearchOptions: Sendable {
    /// The largest limit.
    public static let maximumLimit = 1_000
    /// The largest size of the attributes of all hits, in bytes. A search returns fewer hits before it exceeds that.
    static let maximumSize = 8 << 20
    static let usualTime = Duration.seconds(5)

    /// The maximum number of hits.
    public var limit: Int
    /// The apps whose items are searched; `nil` for all.
    public var applications: Set<AppID>?
    /// The apps whose items are not found.
    public var excluded: Set<AppID>
    /// The name of the index that is searched; `nil` for all.
    public var index: String?
    /// Whether the user still types, so that the last word may be the beginning of one.
    public var isUnfinished: Bool
    /// Whether an item must have all of the words.
    public var needsAllWords: Bool
    /// Whether what the user did with earlier results counts. An app must not learn that from the order of its items.
    public var countsEngagement = true
    /// Whether hits have an ``SearchHit/excerpt``.
    public var needsExcerpts: Bool
    /// Whether the screen is locked, so that protected items are not found.
    public var isLocked: Bool
    /// The time limit.
    public var time = usualTime
    /// The date of the search. Items that have expired are not found.
    public var now: Date

    /// Creates options.
    public init(
        limit: Int = 20, applications: Set<AppID>? = nil, excluded: Set<AppID> = [], index: String? = nil,
        isUnfinished: Bool = false, needsAllWords: Bool = false, needsExcerpts: Bool = false, isLocked: Bool = false,
        now: Date
    ) {
        self.limit = limit
        self.applications = applications
        self.excluded = excluded
        self.index = index
        self.isUnfinished = isUnfinished
        self.needsAllWords = needsAllWords
        self.needsExcerpts = needsExcerpts
        self.isLocked = isLocked
        self.now = now
    }
}

/// An item that a search found.
public struct SearchHit: Sendable {
    /// The index of the item.
    public let source: IndexSource
    /// The app's identifier of the item.
    public let id: String
    /// The domain of the item.
    public let domain: String?
    /// The title of the item.
    public let title: String
    /// The date of its content, else that of its indexing.
    public let date: Date
    /// A line of its text around the words that were found, without HTML: at most about 120 letters. Empty without a text, or
    /// if the options do not want it.
    public internal(set) var excerpt = ""
    /// The web address of public content, empty without one; `nil` for content that is not public.
    let publicAddress: String?
    /// The fit with the words; greater is better. Scores of different searches cannot be compared. 1 for a query.
    public var score: Double { factors.score }
    /// The reasons for the score.
    public internal(set) var factors: RankingFactors
    /// The other attributes, as a JSON object.
    let json: String

    /// The attributes but the title and the text.
    public var attributes: [String: AttributeValue] {
        var bytes = Array(json.utf8)
        bytes.append(0)
        let value = bytes.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(nulTerminated: buffer)
            // The index wrote it.
            return try? scanner.value()
        }
        return value?.object?.compactMapValues { value in
            switch value {
            case .string(let text): .text(text)
            case .number(let number): .number(number)
            case .boolean(let flag): .flag(flag)
            case .array: value.strings.map(AttributeValue.texts)
            case .object, .null: nil
            }
        } ?? [:]
    }
}

extension SearchHit {
    /// The key of public content; `nil` for other content.
    var popularityKey: PopularityKey? {
        publicAddress.map { address in
            PopularityKey(
                address: address, application: source.application.rawValue, index: source.name, item: id)
        }
    }
}
