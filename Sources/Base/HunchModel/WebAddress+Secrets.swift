extension WebAddress {
    /// Returns a text for people whose web addresses have no user, query and fragment. Calls have their password there.
    public static func withoutSecrets(in text: String) -> String {
        let words = text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
        // The white space itself stays.
        var separators = text.filter(\.isWhitespace)[...]
        return words.reduce(into: "") { result, word in
            if !result.isEmpty || word.startIndex > text.startIndex, let separator = separators.popFirst() {
                result.append(separator)
            }
            result += plain(word)
        }
    }

    /// Returns a word without what may be secret in the address that it contains.
    private static func plain(_ word: Substring) -> String {
        guard let mark = word.firstRange(of: "://"),
            ["http", "https"].contains(where: word[..<mark.lowerBound].lowercased().hasSuffix)
        else { return String(word) }
        let address = word[mark.upperBound...].prefix { !"<>\"".contains($0) }
        let authority = address.prefix { !"/?#\\".contains($0) }
        let user = authority.lastIndex(of: "@").map { authority[...$0] } ?? ""
        let page = address.dropFirst(user.count).prefix { $0 != "?" && $0 != "#" }
        return "\(word[..<mark.upperBound])\(page)\(word[address.endIndex...])"
    }
}
