internal import AgentInterface
internal import HunchDBus
internal import HunchModel

extension KindDeclaration {
    /// A standard kind, or one that an app declares in its desktop entry; `nil` for another one.
    ///
    /// - Parameter locales: for the summary of a declared one, best first.
    /// - Throws: ``KindError`` for a malformed declaration.
    init?(_ kind: Donation.Kind, of entry: DesktopEntry?, locales: [String] = []) throws(KindError) {
        if let standard = Self.standard[kind] {
            self = standard
            return
        }
        guard let entry else { return nil }
        try self.init(kind, declaredIn: entry, interface: HunchNames.donations.text, locales: locales)
    }
}
