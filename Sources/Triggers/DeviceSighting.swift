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
    var output = Output.none

    /// All devices that come and go. What is built in or made by software is none.
    ///
    /// A Bluetooth device and the sink that names its address are one. While BlueZ is there, a device whose sink names
    /// an address counts as linked only when BlueZ says so; while BlueZ is not, the sink alone decides.
    static func all(_ blueZ: BlueZState, _ audio: AudioState) -> [String: DeviceSighting] {
        var sightings: [String: DeviceSighting] = [:]
        var clues: [String: DeviceClues] = [:]
        var hasBlueZ = false
        if case .present(let devices) = blueZ {
            hasBlueZ = true
            for device in devices {
                clues[device.address] = device.clues
                sightings[device.address] = DeviceSighting(
                    device: AudioDevice(
                        id: device.address, name: device.name, kind: device.clues.kind, transport: .bluetooth),
                    link: device.isConnected)
            }
        }
        guard case .present(let outputs) = audio else { return sightings }
        for output in outputs where !output.isVirtual {
            for found in output.devices(clues: output.bluetoothAddress.flatMap { clues[$0] }) {
                var sighting = found
                let id = sighting.device.id
                if let known = sightings[id] {
                    // Of two sinks of one device the one that plays counts.
                    if known.output == .active { continue }
                    sighting.device.name = known.device.name
                    sighting.link = known.link
                } else if output.bluetoothAddress != nil, hasBlueZ {
                    sighting.link = false
                }
                sightings[id] = sighting
            }
        }
        return sightings
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
                return sockets.filter { $0.availability == .yes }.map { port in
                    let clues = DeviceClues(portType: port.type, portName: port.name)
                    let device = AudioDevice(
                        id: "\(name)#\(port.name)", name: port.description, kind: clues.kind,
                        transport: port.transport)
                    return DeviceSighting(device: device, output: isDefault && port.isActive ? .active : .idle)
                }
            }
            guard transport == .usb else { return [] }
        }
        var clues = known ?? DeviceClues()
        clues.formFactor = formFactor
        clues.portType = active?.type ?? 0
        clues.portName = active?.name ?? ""
        let device = AudioDevice(
            id: bluetoothAddress ?? name, name: description, kind: clues.kind, transport: transport)
        if active?.availability == .no { return [DeviceSighting(device: device, output: .unplugged)] }
        return [DeviceSighting(device: device, output: isDefault ? .active : .idle)]
    }
}
