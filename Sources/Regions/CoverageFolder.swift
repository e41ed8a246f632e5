internal import FoundationEssentials
internal import HunchModel
import Glibc

/// A folder of coverage files (`*.geojson`, `*.json`).
public struct CoverageFolder: Hashable, Sendable {
    /// Path of the folder.
    public let path: String

    /// Names a folder; nothing is read yet.
    public init(path: String) { self.path = path }

    /// The folders where coverage is looked for, most important first: `hunch/regions` in `$XDG_DATA_HOME` and each of
    /// `$XDG_DATA_DIRS`, then `../share/hunch/regions` beside the program. A program that runs from a package's build
    /// folder (`.build…`) finds the `Regions` of that package last.
    ///
    /// - Parameters:
    ///   - environment: names and values, such as a process's own.
    ///   - executableFolder: absolute path of the folder that holds the running program; `nil` when not known.
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

    /// Paths of its coverage files, in the order of their names.
    ///
    /// - Throws: ``RegionError`` (`unreadable`, `tooLarge`) when the folder is missing, cannot be listed, or holds more
    ///   than ``CoverageLimits/filesPerFolder`` files.
    public func files() throws(RegionError) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw RegionError(.unreadable, "the folder cannot be listed", file: path)
        }
        let files = names.filter { !$0.hasPrefix(".") && ($0.hasSuffix(".geojson") || $0.hasSuffix(".json")) }
        guard files.count <= CoverageLimits.filesPerFolder else {
            throw RegionError(
                .tooLarge, "the folder holds more than \(CoverageLimits.filesPerFolder) coverage files", file: path)
        }
        return files.sorted().map { path + "/" + $0 }.filter(Self.isRegularFile)
    }

    /// Whether the folder is there.
    public var exists: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        // A file that is not there any more is left for the reader to tell.
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }
}
