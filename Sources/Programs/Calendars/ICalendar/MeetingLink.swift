internal import DataFiles
internal import FoundationEssentials
internal import HunchModel

/// Finds the address of an event's call.
enum MeetingLink {
    /// The properties whose value is the address of a call: RFC 7986, and those of Google and Microsoft.
    static let properties = [
        "CONFERENCE", "X-GOOGLE-CONFERENCE", "X-MICROSOFT-SKYPETEAMSMEETINGURL", "X-MICROSOFT-ONLINEMEETINGCONFLINK",
        "X-MICROSOFT-ONLINEMEETINGEXTERNALLINK",
    ]
    /// The hosts below which Safe Links are: Outlook's, those of the government of the United States, and those of Teams.
    private static let safeLinks = [
        "safelinks.protection.outlook.com", "safelinks.protection.office365.us", "statics.teams.cdn.office.net",
    ]
    /// The maximum number of rewriters around an address.
    private static let maximumRewriters = 3
    /// The letters for the lengths of runs in addresses of urldefense, from 2.
    private static let runs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)
    /// The characters, besides white space, that end an address in a text.
    private static let ends: Set<Character> = ["<", ">", "\"", "'", "[", "]", "{", "}", "|", "\\", "^", "`"]
    /// The characters before the label of an address.
    private static let labelStarts: Set<Character> = ["/", ",", ";", "|", "("]
    /// The characters that end an address if white space or nothing follows.
    private static let marks: Set<Character> = [",", ";", ".", ":", "!", "?"]

    /// Returns the first address of a known call service in a text; `nil` if there is none.
    ///
    /// - Parameter text: the location, the address or the description of an event.
    static func first(in text: String) -> String? { addresses(in: text).map(unwrapped).first(where: isMeeting) }

    /// Returns the address of a call in one of ``properties``; `nil` for a page with telephone numbers.
    static func call(inProperty value: String) -> String? {
        let address = unwrapped(value)
        return WebAddress.host(of: address) != nil && !CallServices.known.isPhonePage(address) ? address : nil
    }

    /// Returns the text without web addresses and their labels, as in “Room 3 / Zoom: https://…”.
    static func removingAddresses(from text: String) -> String {
        var rest = text
        for address in addresses(in: text) {
            while let range = rest.firstRange(of: address) {
                var before = rest[..<range.lowerBound]
                if before.last(where: { !$0.isWhitespace }) == ":" {
                    let start = before.lastIndex { labelStarts.contains($0) || $0.isNewline }
                    before = before[..<(start ?? before.startIndex)]
                }
                rest = before + " " + rest[range.upperBound...]
            }
        }
        return rest
    }

    static func isMeeting(_ address: String) -> Bool { CallServices.known.isCall(address) }

    /// Returns the address that a rewritten one leads to, also if several programs rewrote it.
    private static func unwrapped(_ address: String) -> String {
        var address = address.contains("://") ? address : "https://" + address
        for _ in 0..<maximumRewriters { address = target(of: address) ?? address }
        return address
    }

    /// Returns the address within a rewritten one: Outlook's Safe Links, and Proofpoint's urldefense of all versions.
    /// Returns `nil` for another address.
    private static func target(of address: String) -> String? {
        guard let host = WebAddress.host(of: address)?.lowercased() else { return nil }
        func field(_ name: String) -> Substring? {
            address.split(separator: "?", maxSplits: 1).last?.split(separator: "&")
                .map { $0.hasPrefix("amp;") ? $0.dropFirst(4) : $0 }.first { $0.hasPrefix(name + "=") }
                .map { $0.dropFirst(name.count + 1) }
        }
        var target: String?
        if safeLinks.contains(where: host.hasSuffix) {
            target = field("url").flatMap { PercentCoding.decode($0) }
        } else if host.hasPrefix("urldefense") {
            if let start = address.firstRange(of: "/v3/__"), let end = address.ranges(of: "__;").last {
                guard start.upperBound <= end.lowerBound else { return nil }
                target = restored(
                    address[start.upperBound..<end.lowerBound], address[end.upperBound...].prefix { $0 != "!" })
                // Proofpoint shortens the slashes of the scheme.
                target = target.map { $0.contains("://") ? $0 : $0.replacing(":/", with: "://", maxReplacements: 1) }
            } else if let url = field("u") {
                let isSecond = address.contains("/v2/")
                let encoded = isSecond ? String(url).replacing("-", with: "%").replacing("_", with: "/") : String(url)
                target = PercentCoding.decode(encoded)?.replacing("&amp;", with: "&")
            }
        }
        return target.flatMap { WebAddress.host(of: $0) == nil ? nil : $0 }
    }

    /// Returns an address in which urldefense replaced characters by `*`, and runs of them by `**` and a letter for the
    /// length. Returns `nil` if characters are missing. The rules are those of Proofpoint's decoder.
    ///
    /// - Parameter encoded: the characters in UTF-8, in Base64 for URLs without padding.
    private static func restored(_ address: Substring, _ encoded: Substring) -> String? {
        guard address.contains("*") else { return String(address) }
        let base64 = String(encoded).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64 + padding), let text = String(validating: data, as: UTF8.self)
        else { return nil }
        var scalars = text.unicodeScalars[...]
        var rest = address.unicodeScalars[...]
        var result = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            guard scalar == "*" else {
                result.append(scalar)
                continue
            }
            var length = 1
            if rest.first == "*", let letter = rest.dropFirst().first, let run = runs.firstIndex(of: letter) {
                length = run + 2
                rest.removeFirst(2)
            }
            guard scalars.count >= length else { return nil }
            result.append(contentsOf: scalars.prefix(length))
            scalars.removeFirst(length)
        }
        return String(result)
    }

    /// Returns the web addresses in a text, and then those of calls without a scheme: `meet.google.com/abc-defg-hij`.
    static func addresses(in text: String) -> [String] {
        var addresses: [String] = []
        var rest = text[...]
        while let start = nextScheme(in: rest) {
            // A parenthesis is part of the address if it was opened in it.
            var depth = 0
            var address = rest[start...].prefix { character in
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                return depth >= 0 && !ends.contains(character) && !character.isWhitespace
            }
            rest = rest[start...].dropFirst(max(address.count, 4))
            // Punctuation ends the sentence rather than the address.
            while let last = address.last, marks.contains(last) { address.removeLast() }
            let plain = String(address).replacing("&amp;", with: "&")
            guard plain.utf8.count <= Activity.Limit.url, WebAddress.host(of: plain) != nil else { continue }
            addresses.append(plain)
        }
        guard addresses.isEmpty else { return addresses }
        return text.split { $0.isWhitespace || ends.contains($0) || $0 == "(" || $0 == ")" }.map(String.init).filter {
            $0.contains("/") && !$0.contains("://") && isMeeting("https://" + $0)
        }
    }

    private static func nextScheme(in text: Substring) -> String.Index? {
        [text.firstRange(of: "http"), text.firstRange(of: "HTTP"), text.firstRange(of: "Http")]
            .compactMap { $0?.lowerBound }.min()
    }
}
