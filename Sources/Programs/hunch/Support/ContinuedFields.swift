import CommandSupport
import Localization

/// The answer of a command that opened an app at its content.
struct ContinuedFields: Encodable {
    /// The identifier of the activity or the item.
    let id: String
    /// The thing that was opened: `activity`, `url` or `application`; `text` if the answer contains the item itself.
    let way: String
    var title: String?
    var text: String?

    /// Writes the answer, as one JSON object or as a sentence.
    func write(json: Bool) throws {
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
