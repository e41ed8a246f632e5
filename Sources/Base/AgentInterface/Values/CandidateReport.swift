internal import HunchDBus
public import HunchModel

/// A candidate for a suggestion, as `org.hunch.Media1.Simulate` reports it.
public struct CandidateReport: BusValue {
    /// The desktop identifier of the app.
    public var application: AppID = ""
    /// The kind of suggestion.
    public var kind = ""
    /// The title.
    public var title = ""
    /// The second line.
    public var subtitle = ""
    /// The estimated probability that the user wants it, 0…1.
    public var score = 0.0
    /// The reasons, with their weights if they were learned.
    public var explanation = Explanation([])
    /// Whether its app runs.
    public var isRunning = false
    /// The reason why it is not suggested now.
    public var hold: Hold?

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("app", \.application), .key("kind", \.kind), .key("title", \.title),
        .key("subtitle", \.subtitle), .key("score", \.score), .key("reasons", \.reasons),
        .key("evidence", \.evidence), .key("remainder", \.remainder), .key("margin", \.margin),
        .key("running", \.isRunning), .key("hold", \.hold),
    ]

    private var reasons: [String] {
        get { explanation.texts }
        set {}
    }

    private var evidence: [VariantMap] {
        get { explanation.evidence }
        set {
            if let read = try? Explanation(transfer: ["evidence": newValue.dbusValue]) {
                explanation.reasons = read.reasons
            }
        }
    }

    private var remainder: Double? {
        get { explanation.remainder }
        set { explanation.remainder = newValue }
    }

    private var margin: Double? {
        get { explanation.margin }
        set {}
    }
}
