public import HunchDBus

extension ExportedInterface {
    /// Makes an interface of Hunch, which can grow while its version stays: it has the property `Version`, and the last argument
    /// of every method is a dictionary, `options` where the method has no other. A call may leave `options` out.
    public init(evolving name: InterfaceName, _ members: [ExportedMember]) {
        self.init(name, Self.evolving(members))
    }

    /// Makes an interface of Hunch whose members are created on first use.
    public init(evolving name: InterfaceName, lazily members: @escaping @Sendable () -> [ExportedMember]) {
        self.init(name, lazily: { Self.evolving(members()) })
    }

    private static func evolving(_ members: [ExportedMember]) -> [ExportedMember] {
        members.map { $0.takingOptions { try $0.checkKeys() } }
            + [.property("Version", notice: .constant) { HunchNames.version }]
    }
}
