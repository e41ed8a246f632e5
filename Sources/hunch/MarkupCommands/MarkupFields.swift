import JSON
import Markup
import HunchModel

/// The structured data of a page as JSON.
struct MarkupFields: Encodable {
    private struct FieldValue: Encodable {
        let value: String
        let source: String
    }

    private struct Subject: Encodable {
        let kind: String
        let type: String
        let fields: [String: FieldValue]
        let ignored: [String]
    }

    private struct Problem: Encodable {
        let line: Int
        let code: String
        let message: String
    }

    private let items: [Value]
    private let openGraph: [String: Value]
    private let twitter: [String: Value]
    private let appLinks: [String: Value]
    private let smartAppBanner: [String: Value]
    private let position: [String: Value]
    private let title: String
    private let meaning: OrNull<Subject>
    private let problems: [Problem]

    /// Whether the page has no structured data.
    var isEmpty: Bool {
        items.isEmpty && [openGraph, twitter, appLinks, smartAppBanner, position].allSatisfy { $0.isEmpty }
    }

    init(_ page: Markup) {
        func values(_ texts: [String: [String]]) -> [String: Value] {
            texts.mapValues {
                $0.count == 1 ? Value(value: .string($0[0])) : Value(value: .array($0.map(JSONValue.string)))
            }
        }
        items = page.items.map { Value(value: $0.value) }
        (openGraph, twitter, appLinks) = (values(page.openGraph), values(page.twitter), values(page.appLinks))
        (smartAppBanner, position, title) = (values(page.smartAppBanner), values(page.position), page.title)
        let subject = page.meaning.map { meaning in
            Subject(
                kind: meaning.kind.rawValue, type: meaning.type,
                fields: Dictionary(
                    uniqueKeysWithValues: meaning.values.map {
                        ($0.key.rawValue, FieldValue(value: $0.value.text, source: $0.value.source))
                    }), ignored: meaning.ignored)
        }
        meaning = OrNull(value: subject)
        problems = page.problems.map { Problem(line: $0.line, code: $0.code.rawValue, message: $0.message) }
    }

    /// A value whose absence is written as `null`.
    private struct OrNull<Wrapped: Encodable>: Encodable {
        let value: Wrapped?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let value { try container.encode(value) } else { try container.encodeNil() }
        }
    }

    /// A JSON value that is written as it is.
    struct Value: Encodable {
        let value: JSONValue

        func encode(to encoder: any Encoder) throws {
            switch value {
            case .object(let object):
                var container = encoder.container(keyedBy: Key.self)
                for (name, value) in object {
                    try container.encode(Value(value: value), forKey: Key(stringValue: name))
                }
            case .array(let values):
                var container = encoder.unkeyedContainer()
                for value in values { try container.encode(Value(value: value)) }
            case .string(let text): try Self.single(text, encoder)
            case .boolean(let truth): try Self.single(truth, encoder)
            case .number(let number):
                // A whole number without “.0”, as it was written.
                if let whole = Int64(exactly: number) {
                    try Self.single(whole, encoder)
                } else {
                    try Self.single(number, encoder)
                }
            case .null:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            }
        }

        private static func single(_ value: some Encodable, _ encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
