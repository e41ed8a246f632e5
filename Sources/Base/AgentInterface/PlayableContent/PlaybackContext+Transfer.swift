public import HunchDBus
public import HunchModel

// Playback contexts as `a{sv}`; the keys are described in org.hunch.PlayableContent1.xml.

extension PlaybackContext {
    private enum Key {
        static let deviceKind = "device-kind"
        static let deviceTransport = "device-transport"
    }

    /// Reads a context. The device has neither a name nor an address. Unknown keys are ignored.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a key of the wrong type.
    public init(transfer map: VariantMap) throws(DBusError) {
        var device: AudioDevice?
        if let kind: String = try map.value(Key.deviceKind) {
            let transport: String = try map.value(Key.deviceTransport) ?? ""
            device = AudioDevice(
                id: "", name: "", kind: AudioDevice.Kind(rawValue: kind) ?? .other,
                transport: AudioDevice.Transport(rawValue: transport) ?? .other)
        }
        self.init(device: device, content: try PlayableContentContext(transfer: map))
    }

    /// The limits, and the device's kind and transport. Apps do not learn the device's name or address.
    public var transfer: VariantMap {
        var map = content.transfer
        map[Key.deviceKind] = device.map { .string($0.kind.rawValue) }
        map[Key.deviceTransport] = device.map { .string($0.transport.rawValue) }
        return map
    }
}

extension PlayableContentContext {
    private enum Key {
        static let itemCount = "enforced-item-count"
        static let treeDepth = "enforced-tree-depth"
        static let isEnforced = "limits-enforced"
        static let isAvailable = "endpoint-available"
    }

    /// Reads a context. Unknown keys are ignored, and absent keys have the default values.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a key of the wrong type.
    public init(transfer map: VariantMap) throws(DBusError) {
        let usual = PlayableContentContext()
        let (count, depth): (UInt32?, UInt32?) = (try map.value(Key.itemCount), try map.value(Key.treeDepth))
        self.init(
            enforcedItemCount: count.map(Int.init) ?? usual.enforcedItemCount,
            enforcedTreeDepth: depth.map(Int.init) ?? usual.enforcedTreeDepth,
            areLimitsEnforced: try map.value(Key.isEnforced) ?? usual.areLimitsEnforced,
            isEndpointAvailable: try map.value(Key.isAvailable) ?? usual.isEndpointAvailable)
    }

    /// The context with the same keys.
    public var transfer: VariantMap {
        [
            Key.itemCount: .uint32(UInt32(clamping: enforcedItemCount)),
            Key.treeDepth: .uint32(UInt32(clamping: enforcedTreeDepth)), Key.isEnforced: .boolean(areLimitsEnforced),
            Key.isAvailable: .boolean(isEndpointAvailable),
        ]
    }
}
