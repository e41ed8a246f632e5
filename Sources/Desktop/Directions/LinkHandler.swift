internal import DesktopFiles
public import Apps
internal import FoundationEssentials
public import HunchModel
internal import Localization

/// Registers Hunch as the desktop's handler of links to places.
///
/// It inserts Hunch before the defaults in the user's `mimeapps.list` and keeps them. So removing Hunch restores the
/// previous handler, wherever that was set. Where no other application opens such links, the desktop would still choose
/// Hunch, because Hunch's entry declares them. So the list then says that Hunch does not open them.
///
/// Source: MIME Applications Associations 1.0.1.
public struct LinkHandler: Sendable {
    /// The desktop identifier of Hunch's own entry.
    public static let application: AppID = "org.hunch.Hunch"
    /// The schemes of the links that Hunch opens.
    public static let schemes = ["geo", "maps", "directions"]
    /// The key that marks an entry created by ``install(program:)``.
    private static let mark = "X-Hunch-Handler"

    /// The handler of a scheme's links.
    public struct Registration: Hashable, Sendable {
        /// The scheme, without a colon.
        public let scheme: String
        /// The desktop identifier of the application that opens them; `nil` if none does.
        public let handler: AppID?
        /// The desktop identifier of the application that would open them without Hunch; `nil` if none would.
        public let other: AppID?

        /// Whether it is Hunch.
        public var isHunch: Bool { handler == LinkHandler.application }
    }

    private let environment: [String: String]
    private let folders: BaseDirectories

    /// Creates a handler for a desktop, without reading anything.
    ///
    /// - Parameter environment: the environment, with the XDG folders and `XDG_CURRENT_DESKTOP`.
    public init(environment: [String: String]) {
        self.environment = environment
        folders = BaseDirectories(environment: environment)
    }

    /// Returns the MIME type of a scheme's links.
    public static func type(ofScheme scheme: String) -> String { "x-scheme-handler/\(scheme)" }

    /// The handlers of each of ``schemes``.
    public var registrations: [Registration] {
        let installed = InstalledApps(environment: environment)
        let defaults = DefaultApps(environment: environment, installed: installed)
        return Self.schemes.map { scheme in
            let type = Self.type(ofScheme: scheme)
            return Registration(
                scheme: scheme, handler: defaults.handler(for: type),
                other: defaults.handler(for: type, except: [Self.application]))
        }
    }

    /// Makes Hunch the desktop's handler of places. If its own entry is not installed, creates one that starts
    /// `program`.
    ///
    /// - Parameter program: the absolute path of the program.
    /// - Throws: ``DirectionsError`` (`settingsFailed`) if no folder for settings is known, or a file cannot be read
    ///   or written. Files changed before the failure stay changed.
    public func install(program: String) throws(DirectionsError) {
        guard let configHome = folders.configHome else { throw Self.noConfigHome }
        try makeEntry(program)
        let common = configHome + "/mimeapps.list"
        let ofDesktops = DefaultApps.listNames(environment: environment).dropLast().map {
            configHome + "/" + $0
        }
        for file in [common] + ofDesktops {
            try edit(file) { list in
                for type in Self.schemes.map(Self.type) {
                    list.remove(Self.application.entryName, for: type, in: .removed)
                    guard file == common || list.names(type) else { continue }
                    list.putFirst(Self.application.entryName, for: type)
                }
            }
        }
        guard registrations.allSatisfy(\.isHunch) else {
            throw DirectionsError(
                .settingsFailed,
                localized("%1 names Hunch, but the desktop still opens places with another application", common))
        }
    }

    /// Restores the previous handler of places, or none. Does nothing if Hunch is not the handler.
    ///
    /// - Returns: whether Hunch was the handler of any links, or registered anywhere.
    /// - Throws: like ``install(program:)``.
    public func remove() throws(DirectionsError) -> Bool {
        let wasNamed = try remove(from: [.defaults])
        let remaining = registrations.filter(\.isHunch).map { Self.type(ofScheme: $0.scheme) }
        guard !remaining.isEmpty else { return wasNamed }
        guard let configHome = folders.configHome else { throw Self.noConfigHome }
        try edit(configHome + "/mimeapps.list") { list in
            for type in remaining { list.putFirst(Self.application.entryName, for: type, in: .removed) }
        }
        return true
    }

    /// The user's files that name Hunch as the handler, or refuse it.
    public var traces: [String] {
        let lists = lists.filter { file in
            InstalledApps.text(ofFile: file).map { text in
                var list = MimeAppsList(text)
                Self.remove(from: &list, [.defaults, .removed])
                return list.text != MimeAppsList(text).text
            } ?? false
        }
        return lists + [markedFile].compactMap { $0 }
    }

    /// Removes Hunch from all of the user's files, also where they refuse it, as before the first
    /// ``install(program:)``.
    ///
    /// - Throws: like ``install(program:)``.
    public func removeTraces() throws(DirectionsError) { _ = try remove(from: [.defaults, .removed]) }

    /// Removes Hunch from groups of all lists, and the entry that ``install(program:)`` created. Returns whether a list
    /// named Hunch.
    private func remove(from groups: [MimeAppsList.Group]) throws(DirectionsError) -> Bool {
        var wasNamed = false
        for file in lists {
            let isChanged = try edit(file) { Self.remove(from: &$0, groups) }
            wasNamed = wasNamed || isChanged
        }
        if let file = markedFile { try SettingsFile.remove(file) }
        return wasNamed
    }

    private static func remove(from list: inout MimeAppsList, _ groups: [MimeAppsList.Group]) {
        for type in schemes.map(type) {
            for group in groups { list.remove(application.entryName, for: type, in: group) }
        }
    }

    /// The user's lists for all desktops.
    private var lists: [String] {
        [folders.configHome, folders.dataHome.map { $0 + "/applications" }].compactMap { $0 }.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().filter { $0 == "mimeapps.list" || $0.hasSuffix("-mimeapps.list") }
                .map { "\(folder)/\($0)" }
        }
    }

    /// The entry that ``install(program:)`` created; `nil` if there is none.
    private var markedFile: String? {
        guard let file = ownFile, let text = InstalledApps.text(ofFile: file), text.contains("\n\(Self.mark)=true\n")
        else { return nil }
        return file
    }

    private static var noConfigHome: DirectionsError {
        DirectionsError(.settingsFailed, localized("neither XDG_CONFIG_HOME nor HOME is set; set one of them"))
    }

    private var ownFile: String? { folders.dataHome.map { "\($0)/applications/\(Self.application.entryName)" } }

    private func makeEntry(_ program: String) throws(DirectionsError) {
        let installed = InstalledApps(environment: environment)
        if let entry = installed.entry(Self.application), entry.opensLinks, !entry.boolean(Self.mark) { return }
        guard let file = ownFile else {
            throw DirectionsError(.settingsFailed, localized("neither XDG_DATA_HOME nor HOME is set; set one of them"))
        }
        let comment = localized("Opens places in the map app that serves them")
        let text = """
            [Desktop Entry]
            Type=Application
            Name=Hunch
            Comment=\(comment)
            Exec=\(DesktopEntry.quoted(program)) handler open %u
            MimeType=\(Self.schemes.map { Self.type(ofScheme: $0) + ";" }.joined())
            NoDisplay=true
            \(Self.mark)=true

            """
        try SettingsFile.write(text, to: file)
    }

    /// Changes a list. Returns whether the file changed.
    @discardableResult
    private func edit(_ file: String, _ change: (inout MimeAppsList) -> Void) throws(DirectionsError) -> Bool {
        let text = try SettingsFile.text(of: file)
        var list = MimeAppsList(text ?? "")
        change(&list)
        guard list.text != MimeAppsList(text ?? "").text else { return false }
        // A link is kept, because the user made it.
        if list.isBlank, (try? FileManager.default.destinationOfSymbolicLink(atPath: file)) == nil {
            try SettingsFile.remove(file)
        } else {
            try SettingsFile.write(list.text, to: file)
        }
        return true
    }
}

extension DefaultApps {
    /// The desktop identifier of the application that opens `geo:` links, or would without Hunch.
    public var mapApplication: AppID? {
        handler(for: LinkHandler.type(ofScheme: "geo"), except: [LinkHandler.application])
    }
}
