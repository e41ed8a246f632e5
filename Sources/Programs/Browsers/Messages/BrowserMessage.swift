internal import FoundationEssentials

/// A message of the browser extension, with the number that its answer repeats.
package struct BrowserRequest: Hashable, Sendable, Decodable {
    /// The number.
    package let id: Int
    /// The message.
    package let message: BrowserMessage

    /// Parses a message in JSON.
    ///
    /// - Throws: `DecodingError` for anything but an object with `id` and one known key.
    package init(json: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(json)) }

    /// Returns the number of a message, even of one that is not understood; `nil` if it cannot be read.
    package static func id(of json: [UInt8]) -> Int? {
        try? JSONDecoder().decode(Numbered.self, from: Data(json)).id
    }

    private struct Numbered: Decodable { let id: Int }

    private enum Key: String, CodingKey { case id, page, left, directions, excluded }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(Int.self, forKey: .id)
        let keys = container.allKeys.filter { $0 != .id }
        func text(_ key: Key) throws -> String { try container.decode(String.self, forKey: key) }
        func page(_ key: Key) throws -> BrowserMessage.Page {
            try container.decode(BrowserMessage.Page.self, forKey: key)
        }
        switch keys {
        case [.page]: message = .page(try page(.page))
        case [.left]: message = .left(try text(.left))
        case [.directions]: message = .directions(try page(.directions))
        case [.excluded]: message = .excluded(try text(.excluded))
        default:
            let context = DecodingError.Context(codingPath: [], debugDescription: "not one known key")
            throw DecodingError.dataCorrupted(context)
        }
    }
}

/// The content of a message of the browser extension.
package enum BrowserMessage: Hashable, Sendable {
    /// A page in the browser.
    package struct Page: Hashable, Sendable, Decodable {
        /// The address, without the parts that the extension takes for secrets.
        package let url: String
        /// The title.
        package let title: String
        /// The structured data of the page, as HTML.
        package let html: String
    }

    /// The user looks at a page.
    case page(Page)
    /// The user turned away from the page with this address.
    case left(String)
    /// The user wants directions to the place of a page.
    case directions(Page)
    /// The user excluded the site with this host name.
    case excluded(String)
}

/// An answer to the browser extension.
package struct BrowserAnswer: Hashable, Sendable, Encodable {
    /// The subject that was found on a page.
    package struct Found: Hashable, Sendable, Encodable {
        /// The name of the subject.
        package let title: String
        /// Its kind, such as `place`.
        package let kind: String
        /// Its type in schema.org, such as `Restaurant`.
        package let type: String
        /// Whether it has a place.
        package let hasPlace: Bool

        package init(title: String, kind: String, type: String, hasPlace: Bool) {
            (self.title, self.kind, self.type, self.hasPlace) = (title, kind, type, hasPlace)
        }
    }

    /// The number of the message.
    package let id: Int
    /// The subject of the page; `nil` without one, and in answers to other messages.
    package var found: Found?
    /// The reason why Hunch could not do it, for the user; `nil` if it did.
    package var problem: String?

    package init(id: Int, found: Found? = nil, problem: String? = nil) {
        (self.id, self.found, self.problem) = (id, found, problem)
    }

    /// The answer as JSON.
    package var json: [UInt8] {
        get throws { [UInt8](try JSONEncoder().encode(self)) }
    }
}
