internal import CLinux
internal import Glibc

/// Returns a text in the language of the user.
///
///     localized("%1 is already playing", player)
///
/// - Parameters:
///   - text: the English text, which is the key in the catalogue. `%1`…`%9` stand for the values, so that a translation
///     may reorder them.
///   - values: the values.
public func localized(_ text: StaticString, _ values: any CustomStringConvertible...) -> String {
    localized(text, values: values)
}

/// Returns a text in the language of the user, with the values in an array.
///
/// - Parameters:
///   - text: the English text, which ``localizable(_:)`` or another literal has put into the catalogue.
///   - values: the values of `%1`…`%9`.
public func localized(_ text: StaticString, values: [any CustomStringConvertible]) -> String {
    filled(translation(of: text), values)
}

/// Returns the English text as it is, and puts it into the catalogue. ``localized(_:values:)`` translates it later.
///
///     let subject = localizable("agent")
public func localizable(_ text: StaticString) -> StaticString { text }

/// Returns a text that depends on a number, in the language of the user.
///
///     localizedPlural("%1 play", "%1 plays", count)
///
/// - Parameters:
///   - one: the English text for one. `%1` stands for the number (``LocalNumber/text(_:)``), `%2`…`%9` for the values.
///   - other: the English text for all other numbers.
///   - count: the number, 0 or more.
///   - values: further values.
public func localizedPlural(
    _ one: StaticString, _ other: StaticString, _ count: Int, _ values: any CustomStringConvertible...
) -> String {
    let text = one.withUTF8Buffer { one in
        other.withUTF8Buffer { other in
            one.withMemoryRebound(to: CChar.self) { one in
                other.withMemoryRebound(to: CChar.self) { other in
                    String(
                        cString: dngettext(Catalogue.domain, one.baseAddress, other.baseAddress, UInt(count.magnitude)))
                }
            }
        }
    }
    return filled(text, [LocalNumber.text(count)] + values)
}

/// Returns a text in the language of the user. The context tells texts apart that are equal in English.
///
///     localizedIn("noun", "Play")
///
/// - Parameters:
///   - context: the context, which people do not see.
///   - text: the English text. `%1`…`%9` stand for the values.
///   - values: the values.
public func localizedIn(
    _ context: StaticString, _ text: StaticString, _ values: any CustomStringConvertible...
) -> String {
    // The key of a text with a context, as xgettext writes it.
    let key = "\(context)\u{4}\(text)"
    let translation = key.withCString { key -> String? in
        // gettext returns the key itself, whose memory is only valid here, if it has no translation.
        guard let found = dgettext(Catalogue.domain, key), UnsafePointer(found) != key else { return nil }
        return String(cString: found)
    }
    return filled(translation ?? text.description, values)
}

/// Literals end with a zero byte, and gettext returns the key itself if it has no translation.
private func translation(of text: StaticString) -> String {
    text.withUTF8Buffer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { String(cString: dgettext(Catalogue.domain, $0.baseAddress)) }
    }
}

/// Replaces `%1`…`%9` by the values.
private func filled(_ text: String, _ values: [any CustomStringConvertible]) -> String {
    guard !values.isEmpty else { return text }
    var result = ""
    var rest = text[...]
    while let sign = rest.firstIndex(of: "%") {
        result += rest[..<sign]
        let next = rest.index(after: sign)
        if next < rest.endIndex, let number = rest[next].wholeNumberValue, values.indices.contains(number - 1) {
            result += values[number - 1].description
            rest = rest[rest.index(after: next)...]
        } else {
            result += "%"
            rest = rest[next...]
        }
    }
    return result + rest
}
