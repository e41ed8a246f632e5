public import HunchModel

/// The keys of an application.
extension DesktopEntry {
    /// Whether the entry is an application that can be started and is not deleted (`Hidden`).
    public var isApplication: Bool {
        raw("Type") == "Application" && !boolean("Hidden") && (raw("Exec") != nil || isDBusActivatable)
    }

    /// Returns the app's name, or the identifier if it has none.
    public func name(locales: [String] = []) -> String { string("Name", locales: locales) ?? id.rawValue }

    /// The name of the icon, or the path of an image.
    public var icon: String? { string("Icon") }

    /// The program that must exist for the app to count as installed: a path, or a name to look up in `$PATH`.
    public var tryExec: String? { string("TryExec") }

    /// The D-Bus interfaces that the app declares.
    public var implements: [String] { strings("Implements") }

    /// The MIME types that the app opens. Link schemes are `x-scheme-handler/SCHEME`.
    public var mimeTypes: [String] { strings("MimeType") }

    /// Whether the app is started over D-Bus, by `org.freedesktop.Application`.
    public var isDBusActivatable: Bool { boolean("DBusActivatable") }

    /// Whether the app accepts a link: it is activated over D-Bus, or its command has a field code for URIs.
    public var opensLinks: Bool {
        if isDBusActivatable { return true }
        return (try? DesktopCommand(string("Exec") ?? "").takesLinks) ?? false
    }

    /// Whether the app accepts this URI: a link, or a file of this machine for which its command has a field code.
    public func opens(_ uri: String) -> Bool {
        if opensLinks { return true }
        guard Self.localPath(uri) != nil else { return false }
        return (try? DesktopCommand(string("Exec") ?? "").takesFiles) ?? false
    }

    /// Returns the command line that starts the app, with a link if one is given. No shell is involved.
    ///
    /// - Parameters:
    ///   - link: the URI for `%u` or `%U`. A `file:` URI of this machine also fills `%f` and `%F`, as a path.
    ///   - file: the path of the entry's file, for `%k`.
    ///   - locales: the locales for the name in `%c`, best first.
    /// - Returns: the program and its arguments; never empty.
    /// - Throws: ``DesktopEntryError`` if the command is missing, or breaks the rules of quoting and field codes.
    public func command(
        opening link: String? = nil, file: String? = nil, locales: [String] = []
    ) throws(DesktopEntryError) -> [String] {
        guard let exec = string("Exec") else {
            throw DesktopEntryError(line: 0, message: "the entry has no command (Exec)")
        }
        let command = try DesktopCommand(exec)
        let arguments = command.arguments { code in
            switch code {
            case "u", "U": link.map { [$0] } ?? []
            case "f", "F": link.flatMap(Self.localPath).map { [$0] } ?? []
            case "i": icon.map { ["--icon", $0] } ?? []
            case "c": [name(locales: locales)]
            case "k": [file ?? ""]
            default: []
            }
        }
        guard let program = arguments.first, !program.isEmpty else {
            throw DesktopEntryError(line: 0, message: "the entry's command (Exec) names no program")
        }
        return arguments
    }

    /// Returns an argument as a word of an `Exec` value: quoted and escaped if it has reserved characters.
    public static func quoted(_ argument: String) -> String {
        let reserved = " \t\n\"'\\><~|&;$*?#()`"
        let argument = argument.replacing("%", with: "%%")
        guard argument.isEmpty || argument.contains(where: reserved.contains) else { return argument }
        var text = ""
        for character in argument {
            if "\"`$\\".contains(character) { text.append("\\") }
            text.append(character)
        }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\t", with: "\\t")
        return "\"\(escaped)\""
    }

    private static func localPath(_ link: String) -> String? {
        guard link.hasPrefix("file:///") else { return nil }
        return PercentCoding.decode(link.dropFirst("file://".count)).flatMap { $0.utf8.contains(0) ? nil : $0 }
    }
}
