import HunchModel

/// One physical device at one moment, combined from BlueZ and the audio server.
struct DeviceSighting: Hashable, Sendable {
    /// The state of the device's sink.
    enum Output: Hashable, Sendable {
        /// The device has no sink, or the server cannot be reached.
        case none
        /// The device has a sink, but nothing is plugged into its port.
        case unplugged
        /// The device has a sink, but sound goes elsewhere.
        case idle
        /// Sound goes to the device.
        case active
    }

    var device: AudioDevice
    /// Whether BlueZ reports a connection; `nil` if BlueZ is absent or the device is not a Bluetooth device.
    var link: Bool?
    /// Whether BlueZ lists the device, so that name and kind are BlueZ's.
    var isListed = false
    var output = Output.none

    /// Returns all devices that can be connected or plugged in, without built-in and virtual outputs.
    ///
    /// A Bluetooth device and the sink with its address are one device. It counts as connected only if BlueZ says so.
    /// Without BlueZ, the sink alone decides. The sink of two earbuds may name either one at any time. A Bluetooth
    /// sink without an address belongs to the connected device of the same name, or else to the only connected device
    /// without a sink.
    static func all(_ blueZ: BlueZState, _ audio: AudioState) -> [AudioDevice.ID: DeviceSighting] {
        var sightings: [AudioDevice.ID: DeviceSighting] = [:]
        var clues: [String: DeviceClues] = [:]
        var leaders: [String: String] = [:]
        var hasBlueZ = false
        if case .present(let devices) = blueZ {
            hasBlueZ = true
            for device in devices {
                clues[device.address] = device.clues
                for other in device.others { leaders[other] = device.address }
                sightings[AudioDevice.ID(device.address)] = DeviceSighting(
                    device: AudioDevice(
                        id: AudioDevice.ID(device.address), name: device.name, kind: device.clues.kind,
                        transport: .bluetooth),
                    link: device.isConnected, isListed: true)
            }
        }
        guard case .present(let outputs) = audio else { return sightings }
        // Sinks with an address come first. The remaining devices can then match the sinks without one.
        let named = outputs.filter { !$0.isVirtual && $0.bluetoothAddress != nil }
        for output in named + outputs.filter({ !$0.isVirtual && $0.bluetoothAddress == nil }) {
            let isNameless = output.transport == .bluetooth && output.bluetoothAddress == nil
            let owner =
                isNameless
                ? owner(ofSink: output.description, among: sightings) : output.bluetoothAddress.flatMap { leaders[$0] }
            for found in output.devices(clues: (owner ?? output.bluetoothAddress).flatMap { clues[$0] }) {
                var sighting = found
                if let owner {
                    sighting.device = AudioDevice(
                        id: AudioDevice.ID(owner), name: found.device.name, kind: found.device.kind,
                        transport: .bluetooth)
                }
                let id = sighting.device.id
                if let known = sightings[id] {
                    // If a device has two sinks, the one that plays counts.
                    if known.output == .active { continue }
                    sighting.device.name = known.device.name
                    sighting.link = known.link
                    sighting.isListed = known.isListed
                } else if hasBlueZ, output.transport == .bluetooth {
                    // The sink belongs to one of several connected devices, or to none if none is connected.
                    sighting.link = isNameless && sightings.values.contains { $0.link == true && $0.output == .none }
                }
                sightings[id] = sighting
            }
        }
        return sightings
    }

    /// Returns the connected device that owns a Bluetooth sink without an address.
    private static func owner(ofSink description: String, among sightings: [AudioDevice.ID: DeviceSighting]) -> String?
    {
        let waiting = sightings.filter { $1.link == true && $1.output == .none }
        let named = waiting.filter { $1.device.name == description }
        return (named.isEmpty ? waiting : named).count == 1
            ? (named.isEmpty ? waiting : named).keys.first?.rawValue : nil
    }
}

extension AudioOutput {
    /// Returns the devices behind this sink: one for Bluetooth and USB, otherwise one per occupied socket.
    fileprivate func devices(clues known: DeviceClues?) -> [DeviceSighting] {
        let active = ports.first { $0.isActive }
        if transport != .bluetooth {
            let sockets = ports.filter { $0.isSocket && $0.availability != .unknown }
            if !sockets.isEmpty {
                return plugged(into: sockets).map { socket, port in
                    let device = AudioDevice(
                        id: AudioDevice.ID("\(deviceName)#\(socket.name)"), name: port.description, kind: port.kind,
                        transport: transport == .usb ? .usb : port.transport)
                    return DeviceSighting(device: device, output: isDefault && port.isActive ? .active : .idle)
                }
            }
            guard transport == .usb else { return [] }
        }
        var clues = known ?? DeviceClues()
        clues.formFactor = formFactor
        // Only for USB: people name their Bluetooth devices, and may name anything “dock”.
        if transport == .usb {
            clues.productName = properties["device.product.name"] ?? description
            clues.isJoystick = isJoystick
            if clues.isGamepad { return [] }
        }
        // The headphone socket of a USB sound card says nothing about what is plugged into it, unless it is watched.
        if transport != .usb || active?.availability != .unknown {
            clues.portType = active?.type ?? 0
            clues.portName = active?.name ?? ""
        }
        let device = AudioDevice(
            id: AudioDevice.ID(bluetoothAddress ?? deviceName), name: description, kind: clues.kind,
            transport: transport)
        if active?.availability == .no { return [DeviceSighting(device: device, output: .unplugged)] }
        return [DeviceSighting(device: device, output: isDefault ? .active : .idle)]
    }

    /// Returns the occupied sockets and the port that describes each. A plug that may be headphones or a headset makes
    /// both ports available, and the desktop asks the user which it is. Either way it is one device.
    private func plugged(into sockets: [AudioPort]) -> [(socket: AudioPort, port: AudioPort)] {
        let plugged = sockets.filter { $0.availability == .yes }
        guard let shared = plugged.first(where: { $0.kind == .headphones }) else { return plugged.map { ($0, $0) } }
        let chosen = plugged.first { $0.kind == .headset && $0.isActive }
        return plugged.filter { $0.kind != .headset }.map { ($0, $0 == shared ? chosen ?? $0 : $0) }
    }
}
