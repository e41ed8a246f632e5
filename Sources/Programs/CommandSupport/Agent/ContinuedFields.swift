import Localization

/// The answer of a command that opened an app at its content.
package struct ContinuedFields: Encodable {
    /// The identifier of the activity or the item.
    private let id: String
    /// The subject of an opening: `activity`, `url` or `application`; `text` if the answer contains the item itself.
    private let way: String
    private let title: String?
    private let text: String?

    package init(id: String, way: String, title: String? = nil, text: String? = nil) {
        (self.id, self.way, self.title, self.text) = (id, way, title, text)
    }

    /// Writes the answer, as one JSON object or as a sentence.
    package func write(json: Bool) throws {
        if json { return try Output.raw(Output.json(self)) }
        if let title {
            try Output.line(title)
            guard let text, !text.isEmpty else { return }
            try Output.line("")
            for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                try Output.line(String(line))
            }
            return
        }
        let words = ["activity": localized("the app goes on with it"), "url": localized("its address was opened")]
        try Output.line(words[way] ?? localized("the app was opened"))
    }
}
