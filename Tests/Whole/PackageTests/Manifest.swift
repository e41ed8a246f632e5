import FoundationEssentials
import TestSupport

/// The package as SwiftPM understands it.
struct Manifest: Decodable {
    struct Target: Decodable {
        let name: String
        let path: String?
        /// One kind ("byName", "product", "target") to its names; the first one is the module.
        private let dependencies: [[String: [Name]]]

        var dependencyNames: [String] { dependencies.flatMap(\.values).compactMap(\.first?.text) }

        /// A name, or a condition, which is something else.
        private struct Name: Decodable {
            let text: String?

            init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
        }
    }

    let targets: [Target]

    /// The modules that are shipped: those outside the folder of tests.
    var shipped: [Target] {
        targets.filter { !($0.path ?? "").hasPrefix("Tests/") }
    }

    /// The names of everything in this package that `name` is built from, itself included.
    func closure(of name: String) -> Set<String> {
        var found: Set<String> = []
        var next = [name]
        while let name = next.popLast() {
            guard let target = targets.first(where: { $0.name == name }), found.insert(name).inserted else { continue }
            next += target.dependencyNames
        }
        return found
    }

    /// Asks SwiftPM, in folders of its own: the run of the tests holds the lock of the package's build folder.
    static func read() async throws -> Manifest {
        try await withTemporaryDirectory { directory in
            let answer = try await run(
                "swift",
                [
                    "package", "--package-path", Surroundings.packageRoot, "--scratch-path", directory.file("build"),
                    "--cache-path", directory.file("cache"), "--manifest-cache", "none", "dump-package",
                ], environment: ["HOME": directory.path], within: .seconds(300))
            return try JSONDecoder().decode(Manifest.self, from: Data(answer.output().utf8))
        }
    }
}
