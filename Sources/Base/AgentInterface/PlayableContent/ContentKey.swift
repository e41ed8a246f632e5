internal import HunchDBus
internal import HunchModel

/// The MPRIS keys that content items and now-playing info share.
enum ContentKey {
    static let title = "xesam:title"
    static let artURL = "mpris:artUrl"
    /// The longest title, subtitle, album, artist or address, in bytes of UTF-8.
    static let textLimit = 4_096
}

extension VariantMap {
    /// Returns the title, which is required.
    func contentTitle() throws(DBusError) -> String {
        guard let title = try contentText(ContentKey.title), !title.isEmpty else {
            throw DBusError(.invalidArgs, "“\(ContentKey.title)” is missing")
        }
        return title
    }

    /// Returns the text under a key, and checks its length.
    func contentText(_ key: String) throws(DBusError) -> String? {
        guard let text: String = try value(key) else { return nil }
        try Self.checkContent(text, key)
        return text
    }

    static func checkContent(_ text: String, _ key: String) throws(DBusError) {
        guard text.utf8.count <= ContentKey.textLimit else {
            throw DBusError(
                .limitsExceeded, "“\(key)” must have at most \(ContentKey.textLimit) bytes, not \(text.utf8.count)")
        }
    }
}
