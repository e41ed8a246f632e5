public import DesktopFiles
package import FoundationEssentials
import Glibc
public import HunchModel

/// The desktop entries of a machine, in `applications` below the data folders. Earlier folders override later ones.
///
/// File names are read at creation, contents on demand, without a cache.
public struct InstalledApps: Sendable {
    /// The maximum number of entries that are read.
    public static let maximumEntries = 20_000
    /// The maximum depth of folders.
    public static let maximumDepth = 8

    /// The path of the file for each desktop identifier.
    private let files: [AppID: String]
    /// The folders of `$PATH`.
    public let programFolders: [String]

    /// Lists the entries of a machine.
    ///
    /// - Parameter environment: the environment, with `XDG_DATA_HOME`, `XDG_DATA_DIRS` and `PATH`.
    public init(environment: [String: String]) {
        var files: [AppID: String] = [:]
        for folder in BaseDirectories(environment: environment).dataSearchPath {
            Self.list(folder + "/applications", below: "", depth: 0, into: &files)
        }
        self.files = files
        programFolders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
    }

    private static func list(_ root: String, below path: String, depth: Int, into files: inout [AppID: String]) {
        guard depth <= maximumDepth,
            let names = try? FileManager.default.contentsOfDirectory(atPath: root + "/" + path)
        else { return }
        for name in names.sorted() where !name.hasPrefix(".") && files.count < maximumEntries {
            let relative = path.isEmpty ? name : path + "/" + name
            if let id = DesktopEntry.identifier(ofFile: relative) {
                if files[id] == nil { files[id] = root + "/" + relative }
            } else if isFolder(root + "/" + relative) {
                list(root, below: relative, depth: depth + 1, into: &files)
            }
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// All desktop identifiers, in ascending order.
    public var identifiers: [AppID] { files.keys.sorted() }

    /// Returns the path of an entry's file.
    public func file(of id: AppID) -> String? { files[id] }

    /// Returns the entry of an application that can be started; `nil` if there is none, it is deleted (`Hidden`), its
    /// program is missing (`TryExec`), or its file is not a desktop entry.
    public func entry(_ id: AppID) -> DesktopEntry? {
        guard let file = files[id], let text = Self.text(ofFile: file),
            let entry = try? DesktopEntry(id: id, text: text), entry.isApplication
        else { return nil }
        if let program = entry.tryExec, path(ofProgram: program) == nil { return nil }
        return entry
    }

    /// Returns the entries whose files contain at least one of the texts, in ascending order of their identifiers.
    public func entries(mentioning texts: String...) -> [DesktopEntry] {
        identifiers.filter { id in
            guard let file = files[id].flatMap(Self.text) else { return false }
            return texts.contains { file.contains($0) }
        }.compactMap(entry)
    }

    /// Returns the desktop identifiers of the entries whose files contain a text, in ascending order. Reads all files
    /// without parsing them.
    public func identifiers(mentioning text: String) -> [AppID] {
        identifiers.filter { id in files[id].flatMap(Self.text)?.contains(text) ?? false }
    }

    /// The paths of the files of all entries, in any order.
    public var entryFiles: [String] { Array(files.values) }

    /// Returns the path of a program: itself if it contains a slash, otherwise the first executable of that name in
    /// `$PATH`; `nil` if there is none.
    public func path(ofProgram program: String) -> String? {
        if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
        return programFolders.lazy.map { $0 + "/" + program }.first { access($0, X_OK) == 0 }
    }

    package static func text(ofFile path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= DesktopEntry.maximumSize, let data = FileManager.default.contents(atPath: path)
        else { return nil }
        return String(validating: data, as: UTF8.self)
    }
}
