internal import FoundationEssentials

/// A message of the browser extension.
package enum BrowserMessage: Hashable, Sendable {
    /// A page in the browser.
    package struct Page: Hashable, Sendable, Decodable {
        /// The address, without secrets.
        package let url: String
        /// The title.
        package let title: String
        /// The structured data of the page, as HTML.
        package let html: String

        package init(url: String, title: String, html: String) {
            (self.url, self.title, self.html) = (url, title, html)
        }
    }

    /// The person looks at a page.
    case page(Page)
    /// The person turned away from the page with this address.
    case left(String)
    /// The person wants directions to the place of a page.
    case directions(Page)
    /// The person excluded the site with this host name.
    case excluded(String)

    /// Parses a message in JSON.
    ///
    /// - Throws: `DecodingError` for anything but an object with one known key.
    package init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(Wire.self, from: Data(json)).message
    }

    private struct Wire: Decodable {
        let message: BrowserMessage

        private enum Key: String, CodingKey, CaseIterable { case page, left, directions, excluded }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            guard let key = container.allKeys.first, container.allKeys.count == 1 else {
                let context = DecodingError.Context(codingPath: [], debugDescription: "not one known key")
                throw DecodingError.dataCorrupted(context)
            }
            func text() throws -> String { try container.decode(String.self, forKey: key) }
            func page() throws -> Page { try container.decode(Page.self, forKey: key) }
            message =
                switch key {
                case .page: .page(try page())
                case .left: .left(try text())
                case .directions: .directions(try page())
                case .excluded: .excluded(try text())
                }
        }
    }
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

    /// The address of the page.
    package var url: String
    /// The subject of the page; `nil` without one, and in answers to other messages.
    package var found: Found?
    /// Whether this answers a request for directions.
    package var isDirections = false
    /// The reason why Hunch could not do it, for the person; `nil` if it did.
    package var problem: String?

    package init(url: String, found: Found? = nil, isDirections: Bool = false, problem: String? = nil) {
        (self.url, self.found, self.isDirections, self.problem) = (url, found, isDirections, problem)
    }

    private enum CodingKeys: String, CodingKey {
        case url, found, problem
        case isDirections = "directions"
    }

    /// The answer as JSON.
    package var json: [UInt8] {
        get throws { [UInt8](try JSONEncoder().encode(self)) }
    }
}
