internal import HunchDBus
public import HunchModel

extension KindDeclaration {
    /// A standard kind, or one that an app declares in its desktop entry; `nil` for another one.
    ///
    /// - Parameters:
    ///   - entry: the app's; `nil` where it has none, as a script.
    ///   - locales: for the summary of a declared one, best first.
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
