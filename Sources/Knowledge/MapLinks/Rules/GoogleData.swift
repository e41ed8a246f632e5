import Coordinates
import HunchModel

/// The `!1m2!3d4.5` fields of Google's web links. Each has a number, a letter for its type and a value. A field of type
/// `m` is a message: its value is the number of the following fields that it contains.
struct GoogleData {
    /// A field with its children.
    struct Node {
        let field: Substring
        let type: Character
        let value: Substring
        fileprivate(set) var children: [Node]

        /// Returns the child messages with a number.
        func messages(_ field: String) -> [Node] { children.filter { $0.type == "m" && $0.field == field } }

        /// Returns the first message at a path of numbers.
        func message(_ path: String...) -> Node? {
            var node: Node? = self
            for field in path { node = node?.messages(field).first }
            return node
        }

        /// Returns the value of the first child field with a number and type.
        func value(_ field: String, _ type: Character) -> Substring? {
            children.first { $0.field == field && $0.type == type }?.value
        }

        /// Returns the text of the first child field with a number.
        func text(_ field: String) -> String? { value(field, "s").map { String($0).singleSpaced } }

        /// Returns the coordinate of two fields of type `d`; `nil` if one is missing.
        func coordinate(latitude: String, longitude: String) throws(PlaceError) -> Coordinate? {
            guard let latitude = value(latitude, "d"), let longitude = value(longitude, "d") else { return nil }
            return try PlaceText.coordinate(latitude: latitude, longitude: longitude)
        }
    }

    private typealias Field = (field: Substring, type: Character, value: Substring)

    private static let maximumDepth = 16

    /// The root message.
    let root: Node
    /// The place's own coordinate, after its identifiers: `!3dLAT!4dLON`.
    let placePosition: (latitude: Substring, longitude: Substring)?

    /// Parses the data, skipping anything that is not a field.
    ///
    /// - Parameter text: the decoded text after `data=` or `pb=`.
    init(_ text: some StringProtocol) {
        let fields: [Field] = String(text).split(separator: "!").compactMap { part in
            let field = part.prefix { $0.isASCII && $0.isNumber }
            let rest = part.dropFirst(field.count)
            guard !field.isEmpty, let type = rest.first else { return nil }
            return (field, type, rest.dropFirst())
        }
        var rest = fields[...]
        root = Node(field: "", type: "m", value: "", children: Self.nodes(&rest, fields.count, depth: 0))
        var position: (Substring, Substring)?
        for (first, second) in zip(fields, fields.dropFirst()) where first.type == "d" && second.type == "d" {
            if first.field == "3", second.field == "4" { position = (first.value, second.value) }
        }
        placePosition = position
    }

    private static func nodes(_ rest: inout ArraySlice<Field>, _ count: Int, depth: Int) -> [Node] {
        var nodes: [Node] = []
        let end = rest.startIndex + min(count, rest.count)
        while rest.startIndex < end, let (field, type, value) = rest.popFirst() {
            var children: [Node] = []
            if type == "m", let size = Int(value), size > 0, depth < maximumDepth {
                children = Self.nodes(&rest, min(size, end - rest.startIndex), depth: depth + 1)
            }
            nodes.append(Node(field: field, type: type, value: value, children: children))
        }
        return nodes
    }

    /// Returns the travel modes of Google's number.
    static func modes(_ number: Substring?) -> Set<TransportMode> {
        switch number {
        case "0": [.car]
        case "1": [.bike]
        case "2": [.pedestrian]
        case "3": TransportMode.transit
        case "4": [.plane]
        default: []
        }
    }
}
