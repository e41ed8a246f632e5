public import HunchDBus
internal import HunchModel

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

    /// Checks that a map has no other keys than these: a misspelled key must not be ignored silently. A caller's own keys
    /// begin with `x-`.
    ///
    /// - Throws: ``DBusError`` `InvalidInput`, which names the unknown key, the nearest known one, and all known ones.
    public func checkKeys(_ known: String...) throws(DBusError) { try checkKeys(known) }

    /// Checks that a map has no other keys than these, as the other method does.
    public func checkKeys(_ known: [String]) throws(DBusError) {
        guard let unknown = keys.filter({ !known.contains($0) && !$0.hasPrefix("x-") }).min() else { return }
        let shown = unknown.cut(to: 80)
        guard !known.isEmpty else { throw DBusError(.invalidInput, "unknown key “\(shown)”; no keys are known here") }
        let near = known.map { ($0, Self.mistakes(shown, $0)) }.min { $0.1 < $1.1 }
        // “desc” is short for “description”, and “id” for “identifier”.
        let long = shown.utf8.count > 1 ? known.first { $0.hasPrefix(shown) } : nil
        let most = Swift.min(Swift.max(2, shown.utf8.count / 3), shown.utf8.count / 2)
        let similar = near.flatMap { $0.1 <= most ? $0.0 : nil }
        let short = known.filter { $0.utf8.count > 1 && shown.hasPrefix($0) }.max { $0.utf8.count < $1.utf8.count }
        let guess = (long ?? similar ?? short).map { "did you mean “\($0)”? " } ?? ""
        let words = known.map { "“\($0)”" }.joined(separator: ", ")
        throw DBusError(.invalidInput, "unknown key “\(shown)”; \(guess)use \(words)")
    }

    private static func mistakes(_ left: String, _ right: String) -> Int {
        left.unicodeScalars.map(\.value).withUnsafeBufferPointer { left in
            right.unicodeScalars.map(\.value).withUnsafeBufferPointer { EditDistance.between(left, $0, limit: 80) }
        } ?? 80
    }

    /// The number of bytes of text in a map, including its keys.
    public var textSize: Int { reduce(0) { $0 + $1.key.utf8.count + $1.value.textSize } }

    /// Returns the coordinate under `latitude` and `longitude`, in degrees; `nil` if both are absent.
    ///
    /// - Parameter half: the name of the error if one is absent.
    /// - Throws: ``DBusError``: `half`, `…InvalidArgs` for values of another type, `InvalidInput` out of range.
    func coordinate(orThrow half: DBusError.Name = .invalidArgs) throws(DBusError) -> Coordinate? {
        switch (try value("latitude", as: Double.self), try value("longitude", as: Double.self)) {
        case (nil, nil): return nil
        case (let latitude?, let longitude?):
            do {
                return try Coordinate(latitude: latitude, longitude: longitude)
            } catch {
                throw DBusError(.invalidInput, "\(error)")
            }
        default: throw DBusError(half, "“latitude” and “longitude” must both be given")
        }
    }
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
