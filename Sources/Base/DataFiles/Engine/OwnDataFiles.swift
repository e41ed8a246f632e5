package import HunchModel
internal import FoundationEssentials
internal import Glibc

/// The data files of the user and of packages: `hunch/*.conf` in `$XDG_DATA_HOME` and in each of `$XDG_DATA_DIRS`.
package struct OwnDataFiles: Sendable {
    /// The maximum number of files in a folder, and of bytes of each.
    private static let maximumFiles = 64
    static let maximumBytes = 65_536

    package struct File: Sendable {
        package let path: String
        /// The contents; `nil` if it cannot be read.
        let text: String?

        package init(path: String, text: String?) { (self.path, self.text) = (path, text) }

        var name: Substring { path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...] }
    }

    /// The files, those of the user first.
    let files: [File]

    /// The files of the folders of this process, read once. The agent reads them at its start on its thread for blocking work.
    package static let ofThisProcess = OwnDataFiles(
        BaseDirectories(environment: ProcessInfo.processInfo.environment))

    /// Uses files, most important first.
    package init(_ files: [File] = []) { self.files = files }

    /// Reads the files of folders.
    package init(_ directories: BaseDirectories) {
        files = directories.dataSearchPath.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/hunch")) ?? [])
                .filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }.sorted().prefix(Self.maximumFiles)
                .map { File(path: "\(folder)/hunch/\($0)", text: Self.text(ofFile: "\(folder)/hunch/\($0)")) }
        }
    }

    private static func text(ofFile path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumBytes,
            let data = FileManager.default.contents(atPath: path)
        else { return nil }
        return String(validating: data, as: UTF8.self)
    }
}
