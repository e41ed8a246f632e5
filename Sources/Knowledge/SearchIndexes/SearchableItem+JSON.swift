internal import FoundationEssentials
public import HunchModel
internal import Localization
public import JSON

extension SearchableItem {
    /// Reads an item from a JSON object: `id`, `title`, and optionally `domain`, `expires` (ISO 8601), `protected` (`true`: not
    /// found while the screen is locked), `public` (`true`: everybody may see it) and attributes by their names.
    ///
    /// Dates are texts in ISO 8601 or seconds since 1970. Members that are `null`, and `app` and `index`, are ignored.
    ///
    /// - Throws: ``IndexError`` `invalidInput`, whose message names the member.
    public init(json value: JSONValue) throws(IndexError) {
        guard let object = value.object else {
            throw IndexError(.invalidInput, localized("an item must be a JSON object"))
        }
        self.init(id: "", attributes: [:])
        for (name, value) in object {
            switch (name, value) {
            // An export names them.
            case (_, .null), ("app", _), ("index", _): continue
            case ("id", .string(let text)): id = text
            case ("domain", .string(let text)): domain = text.isEmpty ? nil : text
            case ("protected", .boolean(let isProtected)): protection = isProtected ? .unlocked : .none
            case ("public", .boolean(let isPublic)): self.isPublic = isPublic
            case ("expires", _):
                guard let seconds = Self.seconds(value) else {
                    throw IndexError(.invalidInput, localized("“%1” must be a date in ISO 8601", name))
                }
                expiry = Date(timeIntervalSince1970: seconds)
            case ("id", _), ("domain", _): throw IndexError(.invalidInput, localized("“%1” must be a text", name))
            case ("protected", _), ("public", _):
                throw IndexError(.invalidInput, localized("“%1” must be true or false", name))
            default: attributes[name] = try Self.attribute(name, value)
            }
        }
        if let problem { throw IndexError(.invalidInput, problem) }
    }

    private static func attribute(_ name: String, _ value: JSONValue) throws(IndexError) -> AttributeValue {
        let type = SearchableAttribute.standard[name]?.type
        switch value {
        case .string(let text):
            switch type {
            case .texts: return .texts([text])
            case .date:
                guard let seconds = seconds(value) else {
                    throw IndexError(.invalidInput, localized("“%1” must be a date in ISO 8601", name))
                }
                return .number(seconds)
            default: return .text(text)
            }
        case .number(let number): return .number(number)
        case .boolean(let flag): return .flag(flag)
        case .array:
            guard let texts = value.strings else { throw noValue(name) }
            return .texts(texts)
        case .object, .null: throw noValue(name)
        }
    }

    private static func seconds(_ value: JSONValue) -> Double? {
        switch value {
        case .number(let number): number
        case .string(let text): WrittenTime(text)?.date.timeIntervalSince1970
        default: nil
        }
    }

    private static func noValue(_ name: String) -> IndexError {
        IndexError(.invalidInput, localized("“%1” must be a text, a number, or a list of texts", name))
    }
}
