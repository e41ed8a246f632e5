internal import FoundationEssentials
internal import HunchModel
internal import Localization
import Glibc

/// A folder of coverage files (`*.geojson`, `*.json`).
public struct CoverageFolder: Hashable, Sendable {
    /// Path of the folder.
    public let path: String

    /// Creates a reference to a folder without reading anything.
    public init(path: String) { self.path = path }

    /// Returns the folders to search for coverage, most important first: `hunch/regions` in `$XDG_DATA_HOME` and each
    /// of `$XDG_DATA_DIRS`, then `../share/hunch/regions` next to the program. A program in a package's build folder
    /// (`.build…`) also searches the `Regions` of that package, last.
    ///
    /// - Parameters:
    ///   - environment: environment variables, such as those of the process.
    ///   - executableFolder: absolute path of the folder of the running program, or `nil` if unknown.
    public static func standard(environment: [String: String], executableFolder: String?) -> [CoverageFolder] {
        var paths = BaseDirectories(environment: environment).dataSearchPath.map { $0 + "/hunch/regions" }
        if let executableFolder {
            let parts = executableFolder.split(separator: "/")
            paths.append(("/" + parts.dropLast().joined(separator: "/")) + "/share/hunch/regions")
            if let build = parts.lastIndex(where: { $0.hasPrefix(".build") }) {
                paths.append("/" + parts[..<build].joined(separator: "/") + "/Regions")
            }
        }
        var seen: Set<String> = []
        return paths.filter { seen.insert($0).inserted }.map(CoverageFolder.init(path:))
    }

    /// Returns the paths of the coverage files, sorted by name.
    ///
    /// - Throws: ``RegionError`` (`unreadable`, `tooLarge`) if the folder is missing, cannot be listed, or has more
    ///   than ``CoverageLimits/filesPerFolder`` files.
    public func files() throws(RegionError) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw RegionError(.unreadable, localized("the folder cannot be listed"), file: path)
        }
        let files = names.filter { !$0.hasPrefix(".") && ($0.hasSuffix(".geojson") || $0.hasSuffix(".json")) }
        guard files.count <= CoverageLimits.filesPerFolder else {
            throw RegionError(
                .tooLarge,
                localized("the folder holds more than %1 coverage files", CoverageLimits.filesPerFolder), file: path)
        }
        return files.sorted().map { path + "/" + $0 }.filter(Self.isRegularFile)
    }

    /// Whether the folder exists.
    public var exists: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        // Keep a file that is gone by now, so that reading it reports the error.
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }
}
