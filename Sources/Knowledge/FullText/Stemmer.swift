internal import CStemmer
internal import FoundationEssentials
internal import HunchModel

/// Reduces words to their stems: “running” to “run”. Not safe for use from several threads at once.
///
/// Uses the algorithms of Snowball, https://snowballstem.org.
package final class Stemmer {
    /// The longest word that is stemmed, in bytes. Longer ones are numbers and addresses.
    static let maximumLength = 40

    private let stemmer: OpaquePointer

    /// Creates a stemmer for a language.
    ///
    /// - Parameter language: a code of ISO 639 such as `de`.
    /// - Returns: `nil` if Snowball has no algorithm for it.
    package init?(language: String) {
        // NULL: unknown language.
        guard let stemmer = sb_stemmer_new(language, "UTF_8") else { return nil }
        self.stemmer = stemmer
    }

    deinit { sb_stemmer_delete(stemmer) }

    /// Calls `body` with the stem of a word in lower case. It is valid during the call.
    func withStem<Result>(
        _ word: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        guard word.count <= Self.maximumLength,
            // NULL: out of memory. The stem belongs to the stemmer, until its next call.
            let stem = sb_stemmer_stem(stemmer, word.baseAddress, Int32(word.count))
        else { return body(word) }
        return body(UnsafeBufferPointer(start: stem, count: Int(sb_stemmer_length(stemmer))))
    }

    /// Returns the stem of a word in lower case.
    package func stem(_ word: String) -> String {
        var word = word
        return word.withUTF8 { withStem($0) { String(decoding: $0, as: UTF8.self) } }
    }

    /// Returns the language of a desktop, as gettext chooses it: the code of ISO 639 of the first known one in `LANGUAGE`, and
    /// in the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set. `LANGUAGE` counts only with a locale other than `C`.
    /// `en` if Snowball knows none of them.
    package static func language(environment: [String: String]) -> String {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let isPlain = ["C", "POSIX"].contains(locale)
        let preferred = isPlain ? [] : (environment["LANGUAGE"] ?? "").split(separator: ":").map { String($0) }
        return (preferred + [locale]).lazy.map { locale in
            let code = locale.prefix { !"_.@".contains($0) }.lowercased()
            // Snowball has both forms of Norwegian under one name.
            return ["nb", "nn"].contains(code) ? "no" : code
        }.first { Stemmer(language: $0) != nil } ?? "en"
    }
}
