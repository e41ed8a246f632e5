/// The declaration of a kind of action: its parameters, the combinations that identify an action, and the words for a
/// person.
public struct KindDeclaration: Hashable, Sendable {
    /// The maximum number of parameters of a kind, and of combinations.
    public static let maximumCount = 16

    /// The type of a parameter's value.
    public enum ValueType: String, CaseIterable, Hashable, Sendable {
        /// Any text.
        case text
        /// An absolute URI, as RFC 3986 has it.
        case uri
        /// A telephone number or another address of a person, whose digits are not a time.
        case contact
        /// A whole number in decimal digits.
        case integer
        /// A decimal number, with a point.
        case number
        /// `true` or `false`.
        case boolean
    }

    /// A parameter of an action.
    public struct Parameter: Hashable, Sendable {
        /// Its name, in camel case.
        public var name: String
        /// The type of its value.
        public var type: ValueType
        /// The maximum size in bytes of UTF-8.
        public var limit: Int
        /// The allowed numbers; `nil` for any finite number, and for other types.
        public var range: ClosedRange<Double>?
        /// The allowed words, of which several may be joined by commas; `nil` for any text.
        public var words: [String]?

        /// Describes a parameter.
        ///
        /// - Parameters:
        ///   - limit: the maximum size in bytes of UTF-8, 1 to 4,096.
        ///   - range: the allowed numbers, both ends included; `nil` for any.
        ///   - words: the allowed words, of which several may be joined by commas; `nil` for any text.
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
    /// The parameters of such an action.
    public var parameters: [Parameter]
    /// The supported combinations of parameters that identify an action, the most specific first.
    public var combinations: [[String]]
    /// The summary for a person, with `{name}` for the value of a parameter.
    public var summary: String

    /// Describes a kind.
    public init(_ kind: Donation.Kind, _ parameters: [Parameter], combinations: [[String]], summary: String) {
        self.kind = kind
        self.parameters = parameters
        self.combinations = combinations
        self.summary = summary
    }

    /// Returns the summary of an action, leaving out absent values. If all of them are absent, the identifying values
    /// take their place: "Open report.pdf" for a file without a title.
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

    /// Returns the identifying values for a person.
    private func identifyingWords(of values: [String: String]) -> String {
        let names = combinations.first { $0.allSatisfy { values[$0].map(Self.isBlank) == false } } ?? []
        return names.compactMap { values[$0] }.map(Self.shortened).joined(separator: ", ")
    }

    /// Shortens a file URI to its name and a web address to the readable part. Returns anything else unchanged.
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

    /// An item was played: the app's identifier, its URL, or its title.
    static let playMedia = KindDeclaration(
        .playMedia,
        [
            Parameter("item", limit: 4_096), Parameter("title"), Parameter("artist"), Parameter("album"),
            Parameter("container"),
        ],
        combinations: [["item"], ["title", "artist"], ["container"], ["title"]], summary: "Play {title}")
    /// The route to a place was shown. Coordinates are degrees of WGS 84; longitudes wrap.
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
    /// A message was sent to someone, without its text.
    static let sendMessage = KindDeclaration(
        .sendMessage,
        [Parameter("recipient", .contact), Parameter("conversation", .contact), Parameter("name")],
        combinations: [["conversation"], ["recipient"]], summary: "Send a message to {name}")
    /// A call was made.
    static let startCall = KindDeclaration(
        .startCall, [Parameter("contact", .contact), Parameter("name"), Parameter("capability", limit: 16)],
        combinations: [["contact", "capability"], ["contact"]], summary: "Call {name}")
    /// The details of a reservation were opened.
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
    /// The details of a reservation were opened.
    public static let getReservationDetails = Donation.Kind(rawValue: "getReservationDetails")
}
