public import DesktopFiles
internal import HunchDBus
public import HunchModel

extension KindDeclaration {
    /// Finds a standard kind, or a kind that an app declares in its desktop entry; `nil` for any other kind.
    ///
    /// - Parameters:
    ///   - entry: the app's desktop entry; `nil` for a script, which has none.
    ///   - locales: the locales for the summary of a declared kind, best first.
    /// - Throws: ``KindError`` for a malformed declaration.
    public init?(_ kind: Donation.Kind, of entry: DesktopEntry?, locales: [String] = []) throws(KindError) {
        if let standard = Self.standard[kind] {
            self = standard
            return
        }
        guard let entry else { return nil }
        try self.init(kind, declaredIn: entry, interface: HunchNames.donations.text, locales: locales)
    }
}
