internal import Localization

/// A kind of action, with its parameters, the combinations that identify an action, and a summary for people.
public struct KindDeclaration: Hashable, Sendable {
    /// The largest number of parameters of a kind, and of combinations.
    public static let maximumCount = 16

    /// The types of parameters.
    public enum ValueType: String, CaseIterable, Hashable, Sendable {
        /// Any text.
        case text
        /// An absolute URI (RFC 3986).
        case uri
        /// A telephone number or another address of a user. Its digits are never mistaken for a time.
        case contact
        /// A whole number in decimal digits.
        case integer
        /// A decimal number, with a decimal point.
        case number
        /// `true` or `false`.
        case boolean
    }

    /// A parameter of an action.
    public struct Parameter: Hashable, Sendable {
        /// The name, in camel case.
        public var name: String
        /// The type of the value.
        public var type: ValueType
        /// The longest value in bytes of UTF-8.
        public var limit: Int
        /// The range of a number; `nil` for any finite number, and for other types.
        public var range: ClosedRange<Double>?
        /// The words allowed as the value, or as its parts separated by commas; `nil` for any text.
        public var words: [String]?

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - limit: the longest value in bytes of UTF-8, 1 to 4,096.
        ///   - range: the range of a number; `nil` for any.
        ///   - words: the words allowed as the value, or as its parts separated by commas; `nil` for any text.
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

    /// The kind of action.
    public var kind: Donation.Kind
    /// All parameters of such an action.
    public var parameters: [Parameter]
    /// The supported combinations, most specific first: names of parameters whose values together identify an action.
    public var combinations: [[String]]
    /// The summary for a user, in their language, with `{name}` for the value of a parameter.
    public var summary: String

    /// Creates a declaration.
    public init(_ kind: Donation.Kind, _ parameters: [Parameter], combinations: [[String]], summary: String) {
        self.kind = kind
        self.parameters = parameters
        self.combinations = combinations
        self.summary = summary
    }

    /// Returns the summary of an action, with absent values left out. If all values of the summary are absent, the
    /// identifying values take their place: "Open report.pdf" for a file without a title.
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

    /// Returns the identifying values in a form for people.
    private func identifyingWords(of values: [String: String]) -> String {
        let names = combinations.first { $0.allSatisfy { values[$0].map(Self.isBlank) == false } } ?? []
        return names.compactMap { values[$0] }.map(Self.shortened).joined(separator: ", ")
    }

    /// Returns the name of a file, or a web address without scheme, query and fragment. Returns other values unchanged.
    private static func shortened(_ value: String) -> String {
        guard let scheme = ["file:", "https://", "http://"].first(where: { value.lowercased().hasPrefix($0) }) else {
            return value
        }
        let path = value.dropFirst(scheme.count).prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/")
        let short = scheme == "file:" ? parts.last.map(String.init) : parts.joined(separator: "/")
        guard let short, !short.isEmpty else { return value }
        return PercentCoding.decode(short) ?? short
    }
}

extension KindDeclaration {
    /// The kinds that every app may donate. Their summaries are in the language of the user.
    public static let standard: [Donation.Kind: KindDeclaration] = Dictionary(
        uniqueKeysWithValues: [
            playMedia, getDirections, openItem, openApp, sendMessage, startCall, getReservationDetails,
        ].map {
            ($0.kind, $0)
        })

    /// The user played an item, identified by the app's identifier or URL, otherwise by title and artist or by container.
    static let playMedia = KindDeclaration(
        .playMedia,
        [
            Parameter("item", limit: 4_096), Parameter("title"), Parameter("artist"), Parameter("album"),
            Parameter("container"),
        ],
        combinations: [["item"], ["title", "artist"], ["container"], ["title"]], summary: localized("Play {title}"))
    /// The user opened directions to a place. Coordinates are degrees of WGS 84. Longitudes wrap, so they have no range.
    static let getDirections = KindDeclaration(
        .getDirections,
        [
            Parameter("latitude", .number, limit: 32, range: -90...90), Parameter("longitude", .number, limit: 32),
            Parameter("name"), Parameter("address"),
            Parameter("mode", limit: 64, words: TransportMode.allCases.map(\.rawValue)),
        ],
        combinations: [["latitude", "longitude"], ["address"], ["name"]], summary: localized("Get directions to {name}")
    )
    /// The user opened a document, page or other item.
    static let openItem = KindDeclaration(
        .openItem, [Parameter("uri", .uri, limit: 4_096), Parameter("item", limit: 4_096), Parameter("title")],
        combinations: [["uri"], ["item"]], summary: localized("Open {title}"))
    /// The user launched an app, by its desktop identifier. Only Hunch itself records this.
    static let openApp = KindDeclaration(
        .openApp, [Parameter("app")], combinations: [["app"]], summary: localized("Open {app}"))
    /// The user sent a message. Its text is not a parameter.
    static let sendMessage = KindDeclaration(
        .sendMessage,
        [Parameter("recipient", .contact), Parameter("conversation", .contact), Parameter("name")],
        combinations: [["conversation"], ["recipient"]], summary: localized("Send a message to {name}"))
    /// The user made a call.
    static let startCall = KindDeclaration(
        .startCall, [Parameter("contact", .contact), Parameter("name"), Parameter("capability", limit: 16)],
        combinations: [["contact", "capability"], ["contact"]], summary: localized("Call {name}"))
    /// The user viewed the details of a reservation.
    static let getReservationDetails = KindDeclaration(
        .getReservationDetails,
        [
            Parameter("reservation", .contact), Parameter("container", .contact), Parameter("name"),
            Parameter("uri", .uri, limit: 4_096),
        ],
        combinations: [["container", "reservation"], ["reservation"]], summary: localized("Show the reservation {name}")
    )
}

extension Donation.Kind {
    /// The user opened a document, page or other item.
    public static let openItem = Donation.Kind(rawValue: "openItem")
    /// The user launched an app.
    public static let openApp = Donation.Kind(rawValue: "openApp")
    /// The user sent a message.
    public static let sendMessage = Donation.Kind(rawValue: "sendMessage")
    /// The user made a call.
    public static let startCall = Donation.Kind(rawValue: "startCall")
    /// The user viewed the details of a reservation.
    public static let getReservationDetails = Donation.Kind(rawValue: "getReservationDetails")
}
