public import HunchModel

/// A desktop entry of the freedesktop.org Desktop Entry Specification 1.5, parsed from text. Nothing is read from disk.
///
/// Values are stored with their escapes. Each getter resolves them for its type, since their meaning depends on the
/// type.
public struct DesktopEntry: Hashable, Sendable {
    /// The main group, which every application has.
    public static let mainGroup = "Desktop Entry"
    /// The largest size of an entry in bytes.
    public static let maximumSize = 1 << 20

    /// The desktop identifier, without `.desktop`.
    public let id: AppID
    /// The raw values by group and key. A key includes the locale in brackets: `Name[de]`.
    private let groups: [String: [String: String]]

    /// Parses an entry. If a group has a key twice, the later one counts.
    ///
    /// - Parameters:
    ///   - id: the desktop identifier; see ``identifier(ofFile:)``.
    ///   - text: the contents of the file, at most ``maximumSize`` bytes.
    /// - Throws: ``DesktopEntryError`` for a line that is not a comment, group or key, and for a text that is too long.
    public init(id: AppID, text: String) throws(DesktopEntryError) {
        guard text.utf8.count <= Self.maximumSize else {
            throw DesktopEntryError(line: 0, message: "the entry is larger than \(Self.maximumSize) bytes")
        }
        var groups: [String: [String: String]] = [:]
        var group: String?
        try KeyFileLine.forEach(in: text) { number, line throws(DesktopEntryError) in
            switch line {
            case .group(let written):
                let name = Self.name(ofGroup: written)
                groups[name, default: [:]] = groups[name] ?? [:]
                group = name
            case .entry(let key, let value):
                guard let group else {
                    throw DesktopEntryError(line: number, message: "a key comes before the first group")
                }
                groups[group]?[key] = value
            case .fault(let fault): throw DesktopEntryError(line: number, message: fault.rawValue)
            }
        }
        self.id = id
        self.groups = groups
    }

    /// Returns the desktop identifier of a file from its path below an `applications` folder: the path without
    /// `.desktop`, with dashes for slashes. `nil` for a file of another type.
    public static func identifier(ofFile relativePath: String) -> AppID? {
        guard relativePath.hasSuffix(".desktop") else { return nil }
        let path = relativePath.dropLast(".desktop".count).split(separator: "/")
        return path.isEmpty ? nil : AppID(path.joined(separator: "-"))
    }

    // MARK: Values

    /// Returns the name of a group. The specification lets a group extend the format under the name of an interface,
    /// and desktop-file-validate wants “X-” before it.
    private static func name(ofGroup written: String) -> String {
        written.hasPrefix("X-") && written.contains(".") ? String(written.dropFirst(2)) : written
    }

    /// The names of all groups, sorted, without “X-” before those of interfaces.
    public var groupNames: [String] { groups.keys.sorted() }

    /// Returns whether the entry has a group.
    public func hasGroup(_ group: String) -> Bool { groups[group] != nil }

    /// Returns a value as written, with its escapes.
    public func raw(_ key: String, in group: String = mainGroup) -> String? { groups[group]?[key] }

    /// Returns a value of type string or localestring, with its escapes resolved.
    ///
    /// - Parameter locales: the preferred locales, best first, from ``localeNames(for:)``; empty for the unlocalized
    ///   value.
    public func string(_ key: String, in group: String = mainGroup, locales: [String] = []) -> String? {
        localized(key, in: group, locales).map { KeyFileLine.unescaped($0[...]) }
    }

    /// Returns a localestring in all its languages, including the unlocalized value, sorted by key.
    public func translations(_ key: String, in group: String = mainGroup) -> [String] {
        let keys = groups[group]?.keys.filter { $0 == key || $0.hasPrefix("\(key)[") && $0.hasSuffix("]") } ?? []
        return keys.sorted().compactMap { groups[group]?[$0] }.map { KeyFileLine.unescaped($0[...]) }
    }

    /// Returns a list of strings with their escapes resolved; empty if the key is absent.
    public func strings(_ key: String, in group: String = mainGroup, locales: [String] = []) -> [String] {
        localized(key, in: group, locales).map(KeyFileLine.strings) ?? []
    }

    /// Returns whether a value is `true`.
    public func boolean(_ key: String, in group: String = mainGroup) -> Bool { raw(key, in: group) == "true" }

    private func localized(_ key: String, in group: String, _ locales: [String]) -> String? {
        guard let values = groups[group] else { return nil }
        for locale in locales {
            if let value = values["\(key)[\(locale)]"] { return value }
        }
        return values[key]
    }

    /// Returns the locale for messages, chosen like in the C library (setlocale(3)): the first of `LC_ALL`,
    /// `LC_MESSAGES` and `LANG` that is set and not empty, otherwise `C`.
    public static func messageLocale(in environment: [String: String]) -> String {
        ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    }

    /// Returns the locale names that match a locale, best first, in the order of the specification.
    ///
    /// `sr_YU.UTF-8@Latn` gives `sr_YU@Latn`, `sr_YU`, `sr@Latn`, `sr`. `C` and `POSIX` give none.
    public static func localeNames(for locale: String) -> [String] {
        let modifier = locale.split(separator: "@", maxSplits: 1).dropFirst().first.map { "@" + $0 } ?? ""
        let place = locale.prefix { $0 != "." && $0 != "@" }
        guard !place.isEmpty, place != "C", place != "POSIX" else { return [] }
        let language = place.prefix { $0 != "_" }
        var names = place.count > language.count ? [place + modifier, String(place)] : []
        names += [language + modifier, String(language)]
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}

/// The reason why a text is not a desktop entry, or why its application cannot be run.
public struct DesktopEntryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line number, from 1; 0 when no single line is at fault.
    public let line: Int
    /// The problem.
    public let message: String

    /// One sentence for a user.
    public var description: String { line > 0 ? "line \(line): \(message)" : message }
}
