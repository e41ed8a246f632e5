public import FoundationEssentials
internal import HunchModel
internal import XML

/// A document that the user opened with an app.
public struct RecentDocument: Hashable, Sendable {
    /// The URI, as the app wrote it.
    public let uri: String
    /// The MIME type; empty if the app wrote none.
    public let mimeType: String
    /// The command of the app, as the app wrote it: `'gedit %u'`.
    public let command: String
    /// The date on which it was opened.
    public let date: Date
}

/// The list of recently used documents, `recently-used.xbel`, which GTK and, from version 5.93 on, KDE Frameworks write.
///
/// Source: the freedesktop.org Desktop Bookmarks specification 0.9.
public struct RecentDocumentList: Sendable {
    /// The maximum size of the list in bytes.
    public static let maximumSize = 10 << 20
    private static let maximumText = 4_096

    /// The documents, the oldest first: one for each app that opened it, with the last date.
    public let documents: [RecentDocument]

    /// Reads a list. Entries that are not complete are left out, and so is everything after a fault.
    ///
    /// - Parameter bytes: the file, at most ``maximumSize``.
    public init(_ bytes: [UInt8]) {
        let receiver = BookmarkReceiver()
        var rest = bytes.prefix(Self.maximumSize)
        _ = XMLScanner.scan("recently-used.xbel", limit: Self.maximumSize, into: receiver) { count -> [UInt8] in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        documents = receiver.documents.filter { $0.uri.utf8.count <= Self.maximumText }.sorted { $0.date < $1.date }
    }

    /// Returns the documents that were opened after a date, the oldest first.
    ///
    /// A date in the future is wrong, for example because the clock was ahead. Its document is left out, so that it does
    /// not end the reading of later ones.
    ///
    /// - Parameters:
    ///   - date: the date of the last known document. A date after `now` counts as `now`, because the clock was set back.
    ///   - now: the present.
    public func documents(openedAfter date: Date, until now: Date) -> [RecentDocument] {
        documents.filter { $0.date > min(date, now) && $0.date <= now }
    }
}

/// Collects the applications of the bookmarks that are not private.
private final class BookmarkReceiver: XMLReceiver {
    private static let maximumDocuments = 10_000

    private(set) var documents: [RecentDocument] = []
    private var uri = ""
    private var mimeType = ""
    private var isPrivate = false
    private var apps: [(command: String, date: Date)] = []

    var isDone: Bool { documents.count >= Self.maximumDocuments }

    func start(_ element: XMLElement, in path: [String]) -> Int {
        switch element.name {
        case "bookmark": (uri, mimeType, isPrivate, apps) = (element.attributes["href"] ?? "", "", false, [])
        case "mime-type": mimeType = element.attributes["type"] ?? ""
        case "private": isPrivate = true
        case "application":
            // Versions of GLib before 2.66 wrote a timestamp in seconds.
            let date =
                element.attributes["modified"].flatMap { WrittenTime($0)?.date }
                ?? element.attributes["timestamp"].flatMap(Int64.init).flatMap(Date.init(checkedSeconds:))
            if let command = element.attributes["exec"], let date { apps.append((command, date)) }
        default: break
        }
        return 0
    }

    func end(_ element: XMLText, in path: [String]) {
        guard element.name == "bookmark", !uri.isEmpty, !isPrivate else { return }
        documents += apps.map { RecentDocument(uri: uri, mimeType: mimeType, command: $0.command, date: $0.date) }
    }
}
