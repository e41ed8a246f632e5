import Foundation
import FoundationXML
import AgentInterface
import HunchDBus
import TestSupport

/// The methods of an interface's XML file, and the keys that its comments document as “KEY TYPE”.
struct InterfaceKeys: Sendable {
    struct Key: Hashable, Comparable, Sendable {
        let name: String
        let type: String

        static func < (left: Key, right: Key) -> Bool { (left.name, left.type) < (right.name, right.type) }
    }

    struct Member: Sendable {
        let name: MemberName
        /// The types of its arguments.
        var arguments: [String] = []
        /// Whether its last argument has only the name that every method without a dictionary gets.
        var endsInOptions = false
    }

    let interface: InterfaceName
    let methods: [Member]
    /// The properties that can be set, each with its type as the only argument.
    let settable: [Member]
    /// Every documented key, those of the interfaces that the comments mention included.
    let keys: [Key]

    /// The interfaces that apps and other programs serve, not the agent.
    static let foreign: Set<InterfaceName> = [
        HunchNames.playableContent, HunchNames.activityDelegate, HunchNames.continueActivity, HunchNames.indexDelegate,
        HunchNames.onlineGeocoderInterface, HunchNames.calendarReaderInterface,
    ]

    private static let folder = Surroundings.packageRoot + "/Sources/Base/AgentInterface/Interfaces"

    /// All interfaces that have a file.
    static func all() throws -> [InterfaceKeys] {
        var files: [String: InterfaceFile] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".xml") {
            files[String(name.dropLast(4))] = try InterfaceFile(path: "\(folder)/\(name)")
        }
        return try files.sorted { $0.key < $1.key }.map { name, file in
            let mentioned = files.filter { file.comments.contains($0.key) || $0.key == name }.values
            return InterfaceKeys(
                interface: try InterfaceName(name), methods: file.methods, settable: file.settable,
                keys: Set(mentioned.flatMap(\.keys)).sorted())
        }
    }
}

private final class InterfaceFile: NSObject, XMLParserDelegate {
    private(set) var methods: [InterfaceKeys.Member] = []
    private(set) var settable: [InterfaceKeys.Member] = []
    private(set) var comments = ""

    init(path: String) throws {
        super.init()
        let parser = XMLParser(data: try Data(contentsOf: URL(filePath: path)))
        parser.delegate = self
        guard parser.parse() else { throw BenchError("\(path) is malformed") }
    }

    /// Words of prose that look like “KEY TYPE” do no harm, since no value has these keys.
    var keys: [InterfaceKeys.Key] {
        let types: Set = [
            "b", "y", "n", "q", "i", "u", "x", "t", "d", "s", "o", "as", "ay", "a{sv}", "aa{sv}", "a{ss}",
        ]
        let words = comments.split { $0.isWhitespace || ",;.()".contains($0) }.map(String.init)
        return zip(words, words.dropFirst()).compactMap { name, type in
            guard types.contains(type), name.first?.isLetter == true, !name.hasSuffix(":") else { return nil }
            return InterfaceKeys.Key(name: name, type: type)
        }
    }

    func parser(_ parser: XMLParser, foundComment comment: String) { comments += comment + "\n" }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard let type = attributes["type"] ?? (element == "method" ? "" : nil) else { return }
        let name = attributes["name"].flatMap { try? MemberName($0) }
        switch element {
        case "method": if let name { methods.append(InterfaceKeys.Member(name: name)) }
        case "arg" where attributes["direction"] == "in":
            methods[methods.count - 1].arguments.append(type)
            methods[methods.count - 1].endsInOptions = attributes["name"] == "options"
        case "property" where attributes["access"] == "readwrite":
            if let name { settable.append(InterfaceKeys.Member(name: name, arguments: [type])) }
        default: break
        }
    }
}
