/// The start of an XML element.
struct XMLElement {
    /// The name without the prefix of its namespace.
    let name: String
    /// The attributes by their names without prefixes.
    let attributes: [String: String]
}

/// The end of an XML element.
struct XMLText {
    /// The name without the prefix of its namespace.
    let name: String
    /// The element's own characters, as many as were asked for.
    let text: String
    /// Whether it has more characters than were asked for.
    let isCut: Bool
}

/// A reader of an XML document, told of its elements one after the other.
protocol XMLReceiver: AnyObject {
    /// Whether it has learned what it wants. It is told of nothing further then.
    var isDone: Bool { get }

    /// Learns that an element starts.
    ///
    /// - Parameter path: the names of the elements around it, outermost first.
    /// - Returns: the most bytes of the element's own text that it wants, 0 for none.
    func start(_ element: XMLElement, in path: [String]) -> Int

    /// Learns that an element ends.
    ///
    /// - Parameter path: the names of the elements around it, outermost first.
    func end(_ element: XMLText, in path: [String])
}
