internal import FoundationEssentials
public import HunchModel

/// Hunch as the application by which the desktop opens links to places.
///
/// It is put before the defaults that the person's `mimeapps.list` names, which stay behind it; removing it therefore
/// brings the former one back, whatever that was and wherever it was set.
///
/// Source: MIME Applications Associations 1.0.1.
public struct LinkHandler: Sendable {
    /// Desktop identifier of Hunch's own entry.
    public static let application = "org.hunch.Hunch"
    /// The schemes of links that it opens.
    public static let schemes = ["geo", "maps", "directions"]
    /// Marks an entry that ``install(program:)`` has made.
    private static let mark = "X-Hunch-Handler"

    /// The handler of a scheme's links.
    public struct Standing: Hashable, Sendable {
        /// The scheme, without a colon.
        public let scheme: String
        /// Desktop identifier of the application that opens them; `nil` when none does.
        public let handler: String?
        /// Desktop identifier of the application that would without Hunch; `nil` when none would.
        public let other: String?

        /// Whether it is Hunch.
        public var isHunch: Bool { handler == LinkHandler.application }
    }

    private let environment: [String: String]
    private let folders: BaseDirectories

    /// Names a desktop; nothing is read yet.
    ///
    /// - Parameter environment: names and values, such as a process's own: the XDG folders and `XDG_CURRENT_DESKTOP`.
    public init(environment: [String: String]) {
        self.environment = environment
        folders = BaseDirectories(environment: environment)
    }

    /// The type of links of a scheme in lists of applications.
    public static func type(ofScheme scheme: String) -> String { "x-scheme-handler/\(scheme)" }

    /// The handlers of each of ``schemes``.
    public var standings: [Standing] {
        let installed = InstalledApplications(environment: environment)
        let defaults = DefaultApplications(environment: environment, installed: installed)
        return Self.schemes.map { scheme in
            let type = Self.type(ofScheme: scheme)
            return Standing(
                scheme: scheme, handler: defaults.handler(for: type),
                other: defaults.handler(for: type, except: [Self.application]))
        }
    }

    /// Makes Hunch the desktop's handler of places. If its own entry is not installed, creates one that starts
    /// `program`.
    ///
    /// - Parameter program: the absolute path of the program.
    /// - Throws: ``DirectionsError`` (`settingsFailed`) when no folder for settings is known or a file cannot be read or
    ///   written. Files that were changed before that stay changed.
    public func install(program: String) throws(DirectionsError) {
        guard let configHome = folders.configHome else {
            throw DirectionsError(.settingsFailed, "neither XDG_CONFIG_HOME nor HOME is set")
        }
        try makeEntry(program)
        let common = configHome + "/mimeapps.list"
        let ofDesktops = DefaultApplications.listNames(environment: environment).dropLast().map {
            configHome + "/" + $0
        }
        for file in [common] + ofDesktops {
            try edit(file) { list in
                for type in Self.schemes.map(Self.type) where file == common || list.names(type) {
                    list.putFirst(Self.application + ".desktop", for: type)
                }
            }
        }
        guard standings.allSatisfy(\.isHunch) else {
            throw DirectionsError(
                .settingsFailed, "\(common) names Hunch, but the desktop still opens places with another application")
        }
    }

    /// Restores the previous handler of places. Does nothing if Hunch is not the handler.
    ///
    /// - Returns: whether Hunch was named anywhere.
    /// - Throws: as ``install(program:)``.
    public func remove() throws(DirectionsError) -> Bool {
        var wasNamed = false
        for folder in [folders.configHome, folders.dataHome.map { $0 + "/applications" }].compactMap({ $0 }) {
            // Of all desktops, whichever this one is.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names.sorted() where name == "mimeapps.list" || name.hasSuffix("-mimeapps.list") {
                let isChanged = try edit(folder + "/" + name) { list in
                    for type in Self.schemes.map(Self.type) { list.remove(Self.application + ".desktop", for: type) }
                }
                wasNamed = wasNamed || isChanged
            }
        }
        if let file = ownFile, let text = InstalledApplications.text(ofFile: file),
            text.contains("\n\(Self.mark)=true\n")
        {
            try SettingsFile.remove(file)
        }
        return wasNamed
    }

    private var ownFile: String? { folders.dataHome.map { "\($0)/applications/\(Self.application).desktop" } }

    private func makeEntry(_ program: String) throws(DirectionsError) {
        let installed = InstalledApplications(environment: environment)
        if let entry = installed.entry(Self.application), entry.opensLinks, !entry.boolean(Self.mark) { return }
        guard let file = ownFile else {
            throw DirectionsError(.settingsFailed, "neither XDG_DATA_HOME nor HOME is set")
        }
        let text = """
            [Desktop Entry]
            Type=Application
            Name=Hunch
            Comment=Opens places in the map app that serves them
            Exec=\(DesktopEntry.quoted(program)) handler open %u
            MimeType=\(Self.schemes.map { Self.type(ofScheme: $0) + ";" }.joined())
            NoDisplay=true
            \(Self.mark)=true

            """
        try SettingsFile.write(text, to: file)
    }

    /// Changes a list, where the change makes one. Returns whether it did.
    @discardableResult
    private func edit(_ file: String, _ change: (inout MimeAppsList) -> Void) throws(DirectionsError) -> Bool {
        let text = try SettingsFile.text(of: file)
        var list = MimeAppsList(text ?? "")
        change(&list)
        guard list.text != MimeAppsList(text ?? "").text else { return false }
        if list.isBlank { try SettingsFile.remove(file) } else { try SettingsFile.write(list.text, to: file) }
        return true
    }
}
