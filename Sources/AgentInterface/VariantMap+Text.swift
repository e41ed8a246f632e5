public import HunchDBus

extension VariantMap {
    /// The longest text under one key of a request, in bytes of UTF-8.
    public static let maximumTextLength = 4_096

    /// Returns the text under a key; `nil` if the key is absent.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` if it is not a string, `InvalidInput` if it is too long.
    public func text(_ key: String) throws(DBusError) -> String? {
        guard let text = try value(key, as: String.self) else { return nil }
        guard text.utf8.count <= Self.maximumTextLength else {
            throw DBusError(.invalidInput, "“\(key)” is longer than \(Self.maximumTextLength) bytes")
        }
        return text
    }

    /// The number of bytes of text in a map, including its keys.
    public var textSize: Int { reduce(0) { $0 + $1.key.utf8.count + $1.value.textSize } }
}

extension Value {
    fileprivate var textSize: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .array(_, let values), .structure(let values): values.reduce(0) { $0 + $1.textSize }
        case .dictionary(_, _, let entries): entries.reduce(0) { $0 + $1.key.textSize + $1.value.textSize }
        case .variant(let value): value.textSize
        default: 8
        }
    }
}
