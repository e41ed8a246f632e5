import FoundationEssentials

/// The path of a program of this package, as built for this test run: `builtProduct("hunch")`.
///
/// - Throws: `BenchError` if it has not been built.
public func builtProduct(_ name: String) throws -> String {
    let path = "\(Surroundings.builtProducts)/\(name)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
        throw BenchError("\(path) has not been built; `swift build --build-tests` builds it")
    }
    return path
}
