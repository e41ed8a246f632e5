import JSON
import Markup

/// The structured data of a page as JSON.
struct MarkupFields {
    /// The object.
    let value: JSONValue
    /// Whether the page has no structured data.
    let isEmpty: Bool

    init(_ page: Markup) {
        func values(_ texts: [String: [String]]) -> JSONValue {
            .object(texts.mapValues { $0.count == 1 ? .string($0[0]) : .array($0.map(JSONValue.string)) })
        }
        let heads = [page.openGraph, page.twitter, page.appLinks, page.smartAppBanner, page.position]
        isEmpty = page.items.isEmpty && heads.allSatisfy(\.isEmpty)
        value = .object([
            "items": .array(page.items.map(\.value)), "openGraph": values(page.openGraph),
            "twitter": values(page.twitter), "appLinks": values(page.appLinks),
            "smartAppBanner": values(page.smartAppBanner), "position": values(page.position),
            "title": .string(page.title), "meaning": page.meaning.map(Self.value) ?? .null,
            "problems": .array(page.problems.map(Self.value)),
        ])
    }

    private static func value(of meaning: Meaning) -> JSONValue {
        let fields = meaning.values.map { field, value in
            (field.rawValue, JSONValue.object(["value": .string(value.text), "source": .string(value.source)]))
        }
        return .object([
            "kind": .string(meaning.kind.rawValue), "type": .string(meaning.type),
            "fields": .object(Dictionary(uniqueKeysWithValues: fields)),
            "ignored": .array(meaning.ignored.map(JSONValue.string)),
        ])
    }

    private static func value(of problem: MarkupProblem) -> JSONValue {
        .object([
            "line": .number(Double(problem.line)), "code": .string(problem.code.rawValue),
            "message": .string(problem.message),
        ])
    }
}
