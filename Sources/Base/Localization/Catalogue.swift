internal import CLinux
internal import Glibc

/// The catalogue of translations, which gettext reads.
public enum Catalogue {
    static let domain = "hunch"

    /// The folder of the compiled catalogues: `$TEXTDOMAINDIR`, else `../share/locale` next to the folder of the
    /// program.
    public static var folder: String {
        if let folder = getenv("TEXTDOMAINDIR") { return String(cString: folder) }
        // It fails if /proc is not mounted.
        let program = realpath("/proc/self/exe", nil).map { path in
            defer { free(path) }
            return String(cString: path)
        }
        let prefix = (program ?? "").split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return prefix.joined(separator: "/") + "/share/locale"
    }

    /// Chooses the language of the user and reads the catalogue. Call it once, before the first text and before other
    /// threads run.
    ///
    /// Numbers keep the C locale, because C libraries parse and print values of files and protocols with it.
    ///
    /// - Parameter folder: the folder of the compiled catalogues, `LANGUAGE/LC_MESSAGES/hunch.mo`.
    public static func open(in folder: String = folder) {
        for category in [LC_CTYPE, LC_MESSAGES, LC_TIME] { setlocale(category, "") }
        bindtextdomain(domain, folder)
        bind_textdomain_codeset(domain, "UTF-8")
        // gettext reads the file with the first text. Later, threads may be confined to other files.
        _ = localized("just now")
        LocalArea.open()
    }
}
