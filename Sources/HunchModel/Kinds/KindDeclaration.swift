/// A kind of action with what can be said of it: its parameters, which of them tell one action from another, and the
/// words for a person.
public struct KindDeclaration: Hashable, Sendable {
    /// The most parameters of a kind, and the most combinations.
    public static let maximumCount = 16

    /// What a parameter holds.
    public enum ValueType: String, CaseIterable, Hashable, Sendable {
        /// Any text.
        case text
        /// An absolute URI, as RFC 3986 has it.
        case uri
        /// A telephone number or another address of a person: its digits are no time.
        case contact
        /// A whole number in decimal digits.
        case integer
        /// A decimal number, with a point.
        case number
        /// `true` or `false`.
        case boolean
    }

    /// One thing that can be said of an action.
    public struct Parameter: Hashable, Sendable {
        /// Its name, in camel case.
        public var name: String
        /// What it holds.
        public var type: ValueType
        /// The most bytes of UTF-8.
        public var limit: Int
        /// The numbers that it may be; `nil` for any that is finite, and for what is no number.
        public var range: ClosedRange<Double>?
        /// The words that it may be, or several of them with commas between; `nil` for any text.
        public var words: [String]?

        /// Describes a parameter.
        ///
        /// - Parameters:
        ///   - limit: the most bytes of UTF-8, 1 to 4,096.
        ///   - range: the numbers that it may be, both ends included; `nil` for any.
        ///   - words: the words that it may be, or several of them with commas between; `nil` for any text.
        public init(
            _ name: String, _ type: ValueType = .text, limit: Int = 1_024, range: ClosedRange<Double>? = nil,
            words: [String]? = nil
        ) {
            self.name = name
            self.type = type
            self.limit = limit
            self.range = range
            self.words = words
        }
    }

    /// The word of the kind.
    public var kind: Donation.Kind
    /// All that can be said of such an action.
    public var parameters: [Parameter]
    /// The supported combinations, the most telling first: names of parameters whose values tell one action from another.
    public var combinations: [[String]]
    /// For a person, with `{name}` for the value of a parameter.
    public var summary: String

    /// Describes a kind.
    public init(_ kind: Donation.Kind, _ parameters: [Parameter], combinations: [[String]], summary: String) {
        self.kind = kind
        self.parameters = parameters
        self.combinations = combinations
        self.summary = summary
    }

    /// The words for one action, with nothing in place of what it does not say. Where it says nothing of what the words
    /// ask for, what tells it from others stands there: "Open report.pdf" for a file without a title.
    public func summary(of values: [String: String]) -> String {
        var pieces: [(text: Substring, name: String)] = []
        var rest = summary[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            pieces.append((rest[..<open], String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        let saysNothing = pieces.allSatisfy { values[$0.name].map(Self.isBlank) ?? true }
        var text = ""
        for (index, piece) in pieces.enumerated() {
            text += piece.text
            text += saysNothing && index == 0 ? identifyingWords(of: values) : values[piece.name] ?? ""
        }
        return (text + rest).split(separator: " ").joined(separator: " ")
    }

    private static func isBlank(_ value: String) -> Bool { value.allSatisfy(\.isWhitespace) }

    /// The values that tell an action from others, as a person reads them.
    private func identifyingWords(of values: [String: String]) -> String {
        let names = combinations.first { $0.allSatisfy { values[$0].map(Self.isBlank) == false } } ?? []
        return names.compactMap { values[$0] }.map(Self.shortened).joined(separator: ", ")
    }

    /// The name of a file and the address of a web page without what only machines read; anything else as it is.
    private static func shortened(_ value: String) -> String {
        guard let scheme = ["file:", "https://", "http://"].first(where: { value.lowercased().hasPrefix($0) }) else {
            return value
        }
        let path = value.dropFirst(scheme.count).prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/")
        let short = scheme == "file:" ? parts.last.map(String.init) : parts.joined(separator: "/")
        guard let short, !short.isEmpty else { return value }
        return PercentDecoding.decode(short) ?? short
    }
}

extension KindDeclaration {
    /// The kinds that every app may donate.
    public static let standard: [Donation.Kind: KindDeclaration] = Dictionary(
        uniqueKeysWithValues: [playMedia, getDirections, openItem, sendMessage, startCall, getReservationDetails].map {
            ($0.kind, $0)
        })

    /// An item was played: the app's identifier of it or its URL, or else what people call it.
    static let playMedia = KindDeclaration(
        .playMedia,
        [
            Parameter("item", limit: 4_096), Parameter("title"), Parameter("artist"), Parameter("album"),
            Parameter("container"),
        ],
        combinations: [["item"], ["title", "artist"], ["container"], ["title"]], summary: "Play {title}")
    /// The way to a place was shown; degrees of WGS 84, of which longitudes wrap.
    static let getDirections = KindDeclaration(
        .getDirections,
        [
            Parameter("latitude", .number, limit: 32, range: -90...90), Parameter("longitude", .number, limit: 32),
            Parameter("name"), Parameter("address"),
            Parameter("mode", limit: 64, words: TransportMode.allCases.map(\.rawValue)),
        ],
        combinations: [["latitude", "longitude"], ["address"], ["name"]], summary: "Get directions to {name}")
    /// A document, page or other thing was opened.
    static let openItem = KindDeclaration(
        .openItem, [Parameter("uri", .uri, limit: 4_096), Parameter("item", limit: 4_096), Parameter("title")],
        combinations: [["uri"], ["item"]], summary: "Open {title}")
    /// A message was sent to someone. Of its text nothing is said.
    static let sendMessage = KindDeclaration(
        .sendMessage,
        [Parameter("recipient", .contact), Parameter("conversation", .contact), Parameter("name")],
        combinations: [["conversation"], ["recipient"]], summary: "Send a message to {name}")
    /// A call was made.
    static let startCall = KindDeclaration(
        .startCall, [Parameter("contact", .contact), Parameter("name"), Parameter("capability", limit: 16)],
        combinations: [["contact", "capability"], ["contact"]], summary: "Call {name}")
    /// The details of a reservation were looked at.
    static let getReservationDetails = KindDeclaration(
        .getReservationDetails,
        [
            Parameter("reservation", .contact), Parameter("container", .contact), Parameter("name"),
            Parameter("uri", .uri, limit: 4_096),
        ],
        combinations: [["container", "reservation"], ["reservation"]], summary: "Show the reservation {name}")
}

extension Donation.Kind {
    /// A document, page or other thing was opened.
    public static let openItem = Donation.Kind(rawValue: "openItem")
    /// A message was sent.
    public static let sendMessage = Donation.Kind(rawValue: "sendMessage")
    /// A call was made.
    public static let startCall = Donation.Kind(rawValue: "startCall")
    /// The details of a reservation were looked at.
    public static let getReservationDetails = Donation.Kind(rawValue: "getReservationDetails")
}
