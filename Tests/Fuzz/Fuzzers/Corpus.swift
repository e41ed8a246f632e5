import FoundationEssentials

/// The inputs that are committed: files with one on each line, in which `\n` stands for a line end and `\xHH` for a byte.
public struct Corpus: Sendable {
    private let inputs: [String: [[UInt8]]]

    /// Reads the corpus of a package.
    ///
    /// - Parameter root: the package's folder.
    /// - Throws: an error of the file system.
    public init(ofPackage root: String) throws {
        var inputs: [String: [[UInt8]]] = [:]
        let folder = "\(root)/Tests/Fuzz/Corpus"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".txt") {
            inputs[String(name.dropLast(4))] = try Self.lines("\(folder)/\(name)").map(Self.bytes)
        }
        // Inputs of other tests are worth mutating, too.
        for (name, folder) in [
            ("links", "Tests/Knowledge/PlacesTests/Links"), ("directions", "Tests/Desktop/DirectionsTests/Requests"),
        ] {
            for file in try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)").sorted() {
                inputs[name, default: []] += try Self.lines("\(root)/\(folder)/\(file)").compactMap { line in
                    line.split(separator: UInt8(ascii: "\t")).first.map(Self.bytes)
                }
            }
        }
        let places = "\(root)/Tests/Programs/PlaceFilesTests/Files"
        for file in try FileManager.default.contentsOfDirectory(atPath: places).sorted() {
            inputs["placefile", default: []].append(try Self.content("\(places)/\(file)"))
        }
        let traces = "\(root)/Tests/Programs/TraceTests/Traces"
        for file in try FileManager.default.contentsOfDirectory(atPath: traces).sorted() where file.hasSuffix(".jsonl")
        {
            inputs["trace", default: []].append(try Self.content("\(traces)/\(file)"))
        }
        self.inputs = inputs
    }

    /// The inputs of a fuzzer.
    public func inputs(for name: String) -> [[UInt8]] { inputs[name] ?? [] }

    private static func content(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    private static func lines(_ path: String) throws -> [[UInt8]] {
        try content(path).split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }

    private static func bytes(_ line: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(line)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let code = rest.first else {
                result.append(byte)
                continue
            }
            let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
            switch code {
            case UInt8(ascii: "n"):
                result.append(0x0A)
                rest.removeFirst()
            case UInt8(ascii: "x"):
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return Array(line) }
                result.append(value)
                rest.removeFirst(3)
            default: result.append(byte)
            }
        }
        return result
    }
}
