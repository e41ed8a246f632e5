internal import TextEncodings
internal import FoundationEssentials
internal import Glibc
internal import HunchModel
internal import Localization

/// The iCalendar files of the user: those of khal, vdirsyncer, KDE and Evolution, and those in the usual folders.
package struct CalendarFiles: Sendable {
    /// The maximum number of files.
    private static let maximumFiles = 20_000
    /// The maximum size of all files together in bytes.
    private static let maximumBytes = 64 << 20
    /// The maximum depth of folders within a calendar folder, and the maximum number of all folders.
    private static let maximumDepth = 4
    private static let maximumFolders = 2_000
    private static let maximumSettingsSize = 1 << 20

    /// The files and folders that exist.
    package struct Listing: Sendable {
        /// The iCalendar files.
        package var files: [String] = []
        /// The folders that contain them, and the empty ones among the calendar folders.
        package var folders: [String] = []
        /// The paths where calendars, and settings that name them, may appear. The last may be the beginning of a name.
        package var awaited: [String] = []
        /// The sentences about files that are left out.
        package var problems: [String] = []
    }

    private let directories: BaseDirectories
    private let home: String?

    /// - Parameter environment: the environment variables, which say where the files are.
    package init(environment: [String: String]) {
        directories = BaseDirectories(environment: environment)
        home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Lists the files. Files that other settings name twice are listed once.
    ///
    /// - Parameter isServed: whether Evolution Data Server reports the content of its own files.
    package func listing(isServed: Bool = true) -> Listing {
        let roots = roots(isServed: isServed)
        var listing = Listing(awaited: roots + awaitedSettings)
        var seen: Set<String> = []
        for root in roots { add(root, depth: 0, to: &listing, &seen) }
        if listing.files.count >= Self.maximumFiles {
            listing.problems.append(localized("only the first %1 calendar files are read", Self.maximumFiles))
        }
        return listing
    }

    private func add(_ path: String, depth: Int, to listing: inout Listing, _ seen: inout Set<String>) {
        // A link may lead to a folder that contains it.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        guard listing.files.count < Self.maximumFiles, seen.insert(target).inserted else { return }
        let manager = FileManager.default
        var isFolder = false
        guard manager.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        guard isFolder else {
            if path.lowercased().hasSuffix(".ics") { listing.files.append(path) }
            return
        }
        guard depth < Self.maximumDepth, listing.folders.count < Self.maximumFolders else { return }
        listing.folders.append(path)
        guard let names = try? manager.contentsOfDirectory(atPath: path), access(path, X_OK) == 0 else {
            return listing.problems.append(
                localized("the calendar folder %1 cannot be opened; “chmod u+rx %2” allows it", path, ShellWord(path)))
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            add(path + "/" + name, depth: depth + 1, to: &listing, &seen)
        }
    }

    /// Reads files. Those that cannot be read, and those that are too large, are left out.
    func texts(_ listing: inout Listing) -> [CalendarText] {
        var texts: [CalendarText] = []
        var bytes = 0
        for file in listing.files {
            guard let content = Self.content(of: file, limit: ICalendarReader.maximumSize) else {
                listing.problems.append(
                    // −1: no permission, if the file exists.
                    access(file, R_OK) == 0
                        ? localized(
                            "%1 cannot be read as a calendar: it is not a regular file, or longer than 10 MB", file)
                        : localized("%1 cannot be read; “chmod u+r %2” allows it", file, ShellWord(file)))
                continue
            }
            bytes += content.count
            guard bytes <= Self.maximumBytes else {
                listing.problems.append(
                    localized(
                        "the calendar files have more than %1 bytes; %2 and others are left out", Self.maximumBytes,
                        file))
                break
            }
            let text = String(decoding: TextEncoding.utf8(card: content), as: UTF8.self)
            if let fault = ICalendarFault(in: text) {
                listing.problems.append(
                    localized("%1 is damaged: %2; download or export it again, or remove it", file, fault.words))
            }
            texts.append(
                CalendarText(
                    text: text, folder: String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex))))
        }
        return texts
    }

    /// Returns the bytes of a regular file; `nil` if it cannot be read or is too long. A pipe never blocks.
    private static func content(of file: String, limit: Int) -> [UInt8]? {
        // −1: no such file, or no access.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
        return nil
    }

    /// The files and folders where calendars may be.
    private func roots(isServed: Bool) -> [String] {
        var roots: [String] = []
        if let home { roots.append(home + "/.calendars") }
        if let data = directories.dataHome {
            let names =
                ["calendars", "khal/calendars", "korganizer/std.ics"] + (isServed ? [] : ["evolution/calendar"])
            roots += names.map { "\(data)/\($0)" }
        }
        for file in settingsFiles { roots += paths(inSettings: file) }
        // A setting that names the whole home directory means no calendars.
        return roots.filter { $0 != "/" && $0 != home }
    }

    /// The settings that may appear, the last as the beginning of the names of those of Akonadi's resources.
    private var awaitedSettings: [String] {
        directories.configHome.map { config in
            ["khal/config", "vdirsyncer/config", "akonadi_ical"].map { "\(config)/\($0)" }
        } ?? []
    }

    /// The settings of khal and vdirsyncer, and those of Akonadi's resources for iCalendar files and folders.
    private var settingsFiles: [String] {
        guard let config = directories.configHome else { return [] }
        let resources = ((try? FileManager.default.contentsOfDirectory(atPath: config)) ?? []).sorted().filter {
            ($0.hasPrefix("akonadi_ical_resource_") || $0.hasPrefix("akonadi_icaldir_resource_")) && $0.hasSuffix("rc")
        }
        return (["khal/config", "vdirsyncer/config"] + resources).map { "\(config)/\($0)" }
    }

    /// Returns the paths of the lines `path = …` (khal), `path = "…"` (vdirsyncer) and `Path[$e]=…` (KDE).
    private func paths(inSettings file: String) -> [String] {
        guard let data = FileManager.default.contents(atPath: file), data.count <= Self.maximumSettingsSize else {
            return []
        }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            guard let equals = line.firstIndex(of: "=") else { return nil }
            let key = line[..<equals].filter { !$0.isWhitespace }.lowercased()
            guard key == "path" || key == "path[$e]" else { return nil }
            let value = line[line.index(after: equals)...].filter { $0 != "\"" && $0 != "'" }
            return expanded(value.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        }
    }

    /// Returns an absolute path; `nil` for another path. `*` at the end of a path of khal means the folders within.
    private func expanded(_ path: String) -> String? {
        var path = path.hasPrefix("file://") ? String(path.dropFirst(7)) : path
        for prefix in ["~/", "$HOME/"] where path.hasPrefix(prefix) {
            guard let home else { return nil }
            path = home + "/" + path.dropFirst(prefix.count)
        }
        while path.hasSuffix("*") || path.hasSuffix("/") { path.removeLast() }
        return path.hasPrefix("/") && path.utf8.count > 1 ? path : nil
    }
}
