/// An identifier whose value is a text.
public protocol TextIdentifier: RawRepresentable<String>, Hashable, Comparable, Sendable, Codable,
    CodingKeyRepresentable,
    CustomStringConvertible, ExpressibleByStringInterpolation
{
    /// Creates an identifier from its text.
    init(rawValue: String)
}

extension TextIdentifier {
    /// Creates an identifier from its text.
    public init(_ text: String) { self.init(rawValue: text) }
    /// Creates an identifier from a literal.
    public init(stringLiteral text: String) { self.init(rawValue: text) }
    /// Whether the text is empty.
    public var isEmpty: Bool { rawValue.isEmpty }
    /// The text.
    public var description: String { rawValue }
    /// Whether the first text precedes the second one by Unicode scalars.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The desktop identifier of an app: the name of its desktop entry without `.desktop`, such as `org.gnome.Maps`.
public struct AppID: TextIdentifier {
    /// The identifier.
    public let rawValue: String
    /// Creates an identifier from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates an identifier from the name of a desktop entry, with or without `.desktop`.
    public init(entryName name: String) {
        self.init(rawValue: name.hasSuffix(".desktop") ? String(name.dropLast(".desktop".count)) : name)
    }

    private static let scriptPrefix = "script:"

    /// The name of the script that it stands for; `nil` for an app.
    public var scriptName: String? {
        rawValue.hasPrefix(Self.scriptPrefix) ? String(rawValue.dropFirst(Self.scriptPrefix.count)) : nil
    }

    /// Creates the identifier of an app in development that has the identifier of `app` when it is installed. Desktop
    /// identifiers and bus names have no colon.
    public init(developing app: AppID) { self.init(rawValue: "\(Self.developmentPrefix)\(app)") }

    /// The beginning of the identifiers of apps in development.
    public static let developmentPrefix = "dev:"

    /// The name of the desktop entry, with `.desktop`.
    public var entryName: String { rawValue + ".desktop" }
}
