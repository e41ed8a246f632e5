public import History
public import FoundationEssentials
public import HunchModel
import Localization

extension ExportLine {
    /// A line of input. All keys are optional, so that missing ones get defaults or errors.
    private struct GivenLine: Decodable {
        var type: String?
        var app: String?
        /// The name of ``app`` in older lines.
        var application: String?
        var kind: String?
        var parameters: [String: String]?
        var combination: [String]?
        var date: String?
        var context: Context?
        var identifier: String?
        /// The name of ``identifier`` on the bus.
        var id: String?
        var group: String?
    }

    /// Reads a line of an export.
    ///
    /// - Parameter now: the date for a line without one.
    /// - Returns: `nil` for a line of another type.
    /// - Throws: ``HistoryError`` `invalidInput` if the line is not a JSON object, if app, kind or parameters
    ///   are missing, if one of the first two is empty, or if the date is not ISO 8601.
    public static func donation(_ line: String, now: Date) throws(HistoryError) -> Donation? {
        let given: GivenLine
        do {
            given = try JSONDecoder().decode(GivenLine.self, from: Data(line.utf8))
        } catch {
            throw HistoryError(.invalidInput, fault(error), underlying: error)
        }
        guard (given.type ?? "donation") == "donation" else { return nil }
        func text(_ text: String?, _ key: String) throws(HistoryError) -> String {
            guard let text else { throw .invalidInput(localized("“%1” is missing", key)) }
            guard !text.isEmpty else { throw .invalidInput(localized("“%1” is empty", key)) }
            return text
        }
        let (application, kind) = (
            try text(given.app ?? given.application, "app"), try text(given.kind, "kind")
        )
        guard let parameters = given.parameters else {
            throw .invalidInput(localized("“%1” is missing", "parameters"))
        }
        return Donation(
            application: AppID(application), kind: Donation.Kind(rawValue: kind), parameters: parameters,
            date: try given.date.map(date) ?? now,
            context: given.context ?? Context(), identifier: given.identifier ?? given.id, group: given.group,
            combination: given.combination)
    }
}

extension ExportLine {
    /// Returns the message for a line with a value of the wrong type.
    private static func fault(_ error: any Error) -> String {
        let (wanted, path): (Any.Type?, [any CodingKey]) =
            switch error {
            case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
                (type, context.codingPath)
            default: (nil, [])
            }
        guard let type = wanted, !path.isEmpty else {
            return localized("it is not a JSON object with the keys of a donation")
        }
        let key = path.map(\.stringValue).joined(separator: ".").cut(to: 80)
        return switch type {
        case is String.Type: localized("“%1” must be a text", key)
        case is Int.Type: localized("“%1” must be a whole number", key)
        case is [Any].Type: localized("“%1” must be an array", key)
        default: localized("“%1” must be an object", key)
        }
    }
}

extension ExportLine {
    /// Parses an ISO 8601 date, with or without fractional seconds.
    static func date(_ text: String) throws(HistoryError) -> Date {
        let styles: [Date.ISO8601FormatStyle] = [.init(includingFractionalSeconds: true), .init()]
        guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first else {
            throw .invalidInput(localized("“date” is not a date such as 2025-06-02T09:30:00.000Z"))
        }
        return date
    }
}

extension Donation {
    /// Creates the donation of a line.
    init(_ line: ExportLine.DonationLine) throws(HistoryError) {
        self.init(
            application: line.app, kind: Kind(rawValue: line.kind), parameters: line.parameters,
            date: try ExportLine.date(line.date), context: line.context ?? Context(), identifier: line.identifier,
            group: line.group, combination: line.combination)
    }
}

extension ExportLine.DonationLine {
    /// Returns the combination to write. `nil`, meaning all names, becomes the sorted list of all names.
    static func combination(_ names: [String]?, of parameters: [String: String]) -> [String]? {
        names ?? (parameters.isEmpty ? nil : parameters.keys.sorted())
    }

    /// Creates the line of a donation.
    public init(_ donation: Donation) {
        self.init(
            app: donation.application, kind: donation.kind.rawValue, parameters: donation.parameters,
            combination: Self.combination(donation.combination, of: donation.parameters),
            date: ExportLine.text(of: donation.date.milliseconds),
            context: donation.context == Context() ? nil : donation.context, identifier: donation.identifier,
            group: donation.group)
    }
}
