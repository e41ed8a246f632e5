import HunchModel

/// One physical device as BlueZ and the audio server together show it at one moment.
struct DeviceSighting: Hashable, Sendable {
    /// What the audio server says of it.
    enum Output: Hashable, Sendable {
        /// It has no sink, or the server cannot be reached.
        case none
        /// It has a sink that plays into nothing.
        case unplugged
        /// It has a sink, and sound goes elsewhere.
        case idle
        /// Sound goes to it.
        case active
    }

    var device: AudioDevice
    /// What BlueZ says of the link; nil when it says nothing, or the device is none of BlueZ's.
    var link: Bool?
    /// Whether BlueZ lists it, so that name and kind are BlueZ's.
    var isListed = false
    var output = Output.none

    /// All devices that come and go. What is built in or made by software is none.
    ///
    /// A Bluetooth device and the sink that names its address are one. While BlueZ is there, a device whose sink names
    /// an address counts as linked only when BlueZ says so; while BlueZ is not, the sink alone decides. The sink of two earbuds
    /// names one of them, now this and now that. A Bluetooth sink that names no address belongs to the connected device of its name, or to the only connected one without a sink.
    static func all(_ blueZ: BlueZState, _ audio: AudioState) -> [String: DeviceSighting] {
        var sightings: [String: DeviceSighting] = [:]
        var clues: [String: DeviceClues] = [:]
        var leaders: [String: String] = [:]
        var hasBlueZ = false
        if case .present(let devices) = blueZ {
            hasBlueZ = true
            for device in devices {
                clues[device.address] = device.clues
                for other in device.others { leaders[other] = device.address }
                sightings[device.address] = DeviceSighting(
                    device: AudioDevice(
                        id: device.address, name: device.name, kind: device.clues.kind, transport: .bluetooth),
                    link: device.isConnected, isListed: true)
            }
        }
        guard case .present(let outputs) = audio else { return sightings }
        // Sinks that name an address come first: what they leave is for those that do not.
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
                        id: owner, name: found.device.name, kind: found.device.kind, transport: .bluetooth)
                }
                let id = sighting.device.id
                if let known = sightings[id] {
                    // Of two sinks of one device the one that plays counts.
                    if known.output == .active { continue }
                    sighting.device.name = known.device.name
                    sighting.link = known.link
                    sighting.isListed = known.isListed
                } else if hasBlueZ, output.transport == .bluetooth {
                    // With several connected devices it is one of them, and with none it is nobody's.
                    sighting.link = isNameless && sightings.values.contains { $0.link == true && $0.output == .none }
                }
                sightings[id] = sighting
            }
        }
        return sightings
    }

    /// The connected device that a Bluetooth sink belongs to that names none.
    private static func owner(ofSink description: String, among sightings: [String: DeviceSighting]) -> String? {
        let waiting = sightings.filter { $1.link == true && $1.output == .none }
        let named = waiting.filter { $1.device.name == description }
        return (named.isEmpty ? waiting : named).count == 1 ? (named.isEmpty ? waiting : named).keys.first : nil
    }
}

extension AudioOutput {
    /// The devices behind this sink: one for Bluetooth and USB, one per socket with something in it elsewhere.
    ///
    /// - Parameter clues: what BlueZ knows of it.
    fileprivate func devices(clues known: DeviceClues?) -> [DeviceSighting] {
        let active = ports.first { $0.isActive }
        if transport != .bluetooth {
            let sockets = ports.filter { $0.isSocket && $0.availability != .unknown }
            if !sockets.isEmpty {
                return plugged(into: sockets).map { socket, port in
                    let device = AudioDevice(
                        id: "\(deviceName)#\(socket.name)", name: port.description, kind: port.kind,
                        transport: transport == .usb ? .usb : port.transport)
                    return DeviceSighting(device: device, output: isDefault && port.isActive ? .active : .idle)
                }
            }
            guard transport == .usb else { return [] }
        }
        var clues = known ?? DeviceClues()
        clues.formFactor = formFactor
        // Bluetooth devices are called by the person, who may call anything a dock.
        if transport == .usb { clues.productName = properties["device.product.name"] ?? description }
        clues.portType = active?.type ?? 0
        clues.portName = active?.name ?? ""
        let device = AudioDevice(
            id: bluetoothAddress ?? deviceName, name: description, kind: clues.kind, transport: transport)
        if active?.availability == .no { return [DeviceSighting(device: device, output: .unplugged)] }
        return [DeviceSighting(device: device, output: isDefault ? .active : .idle)]
    }

    /// What is plugged in: the socket, and the port for it. A plug that may be headphones or a headset makes both ports
    /// available, and the person is asked which it is: it is one thing in one socket, whatever the answer.
    private func plugged(into sockets: [AudioPort]) -> [(socket: AudioPort, port: AudioPort)] {
        let plugged = sockets.filter { $0.availability == .yes }
        guard let shared = plugged.first(where: { $0.kind == .headphones }) else { return plugged.map { ($0, $0) } }
        let chosen = plugged.first { $0.kind == .headset && $0.isActive }
        return plugged.filter { $0.kind != .headset }.map { ($0, $0 == shared ? chosen ?? $0 : $0) }
    }
}
