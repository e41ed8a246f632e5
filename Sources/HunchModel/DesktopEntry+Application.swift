/// The keys of an application.
extension DesktopEntry {
    /// Whether the entry is an application and not deleted (`Hidden`).
    public var isApplication: Bool {
        raw("Type") == "Application" && !boolean("Hidden") && (raw("Exec") != nil || isDBusActivatable)
    }

    /// Returns the name for people; the identifier if there is no name.
    public func name(locales: [String] = []) -> String { string("Name", locales: locales) ?? id }

    /// The name of the icon, or the path of a picture.
    public var icon: String? { string("Icon") }

    /// The program that must exist for the application to count as installed: a path, or a name to look up in
    /// `$PATH`.
    public var tryExec: String? { string("TryExec") }

    /// The names of the D-Bus interfaces that it declares.
    public var implements: [String] { strings("Implements") }

    /// The MIME types that it opens. Links are `x-scheme-handler/SCHEME`.
    public var mimeTypes: [String] { strings("MimeType") }

    /// Whether it is started through D-Bus by `org.freedesktop.Application`.
    public var isDBusActivatable: Bool { boolean("DBusActivatable") }

    /// Whether it can open a link: it is activated over D-Bus, or its command has a field for one.
    public var opensLinks: Bool {
        if isDBusActivatable { return true }
        return (try? DesktopCommand(string("Exec") ?? "").takesLinks) ?? false
    }

    /// Returns the command line that opens the application, with a link if one is given. No shell is involved.
    ///
    /// - Parameters:
    ///   - link: URI for `%u` or `%U`; a `file:` URI of this machine also fills `%f` and `%F`, as a path.
    ///   - file: the path of the entry's file, for `%k`.
    ///   - locales: the locales for the name in `%c`.
    /// - Returns: the program and its arguments; never empty.
    /// - Throws: ``DesktopEntryError`` when there is no command or it breaks the rules of quoting and field codes.
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

    /// An argument as it stands in the command (`Exec`) of an entry's text: quoted where it has characters that mean
    /// something there, and with the escapes of a string value.
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
        return PercentDecoding.decode(link.dropFirst("file://".count)).flatMap { $0.utf8.contains(0) ? nil : $0 }
    }
}
