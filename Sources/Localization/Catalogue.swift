internal import CLinux
internal import Glibc

/// The catalogue of translations, which gettext reads.
public enum Catalogue {
    static let domain = "hunch"

    /// Chooses the language of the person. Call it once, before the first text and before other threads run.
    ///
    /// - Parameter folder: the folder of the compiled catalogues, `LANGUAGE/LC_MESSAGES/hunch.mo`.
    public static func open(in folder: String) {
        setlocale(LC_ALL, "")
        bindtextdomain(domain, folder)
        bind_textdomain_codeset(domain, "UTF-8")
    }
}
