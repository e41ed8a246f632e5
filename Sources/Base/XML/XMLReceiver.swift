/// The start of an XML element.
package struct XMLElement {
    /// The name without the prefix of its namespace.
    package let name: String
    /// The attributes by their names without prefixes.
    package let attributes: [String: String]
}

/// The end of an XML element.
package struct XMLText {
    /// The name without the prefix of its namespace.
    package let name: String
    /// The element's own characters, up to the requested number.
    package let text: String
    /// Whether it has more characters than requested.
    package let isCut: Bool
}

/// A receiver of the elements of an XML document.
package protocol XMLReceiver: AnyObject {
    /// Whether the receiver is done. Then the scan stops.
    var isDone: Bool { get }

    /// Receives the start of an element.
    ///
    /// - Parameter path: the names of the enclosing elements, outermost first.
    /// - Returns: the maximum number of bytes of the element's own text to collect, 0 for none.
    func start(_ element: XMLElement, in path: [String]) -> Int

    /// Receives the end of an element.
    ///
    /// - Parameter path: the names of the enclosing elements, outermost first.
    func end(_ element: XMLText, in path: [String])

    /// Returns the text of an entity that the document uses without declaring it; `nil` to keep the reference.
    func text(ofEntity name: String) -> String?

    /// Whether the receiver wants comments.
    var wantsComments: Bool { get }

    /// Receives a comment.
    ///
    /// - Parameter path: the names of the enclosing elements, outermost first.
    func comment(_ text: String, in path: [String])
}

extension XMLReceiver {
    package func text(ofEntity name: String) -> String? { nil }
    package var wantsComments: Bool { false }
    package func comment(_ text: String, in path: [String]) {}
}
