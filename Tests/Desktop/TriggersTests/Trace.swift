import HunchModel

@testable import Triggers

/// A sequence of inputs of the gate, and its decisions.
struct Trace {
    private(set) var gate: RouteReadyGate
    private(set) var now = Duration.zero
    /// The decisions without holds: `2.0 ready Phones`.
    private(set) var log: [String] = []
    /// The decisions that sound goes to a device again: `2.0 Phones`.
    private(set) var regained: [String] = []
    /// The reasons why devices were held: `Phones: settling`.
    private(set) var holds: [String] = []

    /// Everything is available from the start: BlueZ with devices that are not connected, the audio server with
    /// speakers, and its warm-up has ended.
    static func settled(
        known devices: [BluetoothDevice] = [.phones], timing: GateTiming = GateTiming(rejoin: .seconds(10))
    ) -> Trace {
        var trace = Trace(timing: timing)
        trace.blueZ(.present(devices))
        trace.audio([.speakers])
        trace.wait(5)
        return trace
    }

    init(timing: GateTiming = GateTiming(rejoin: .seconds(10))) { gate = RouteReadyGate(timing: timing) }

    mutating func blueZ(_ state: BlueZState) { record(gate.receive(state, at: now)) }

    mutating func blueZ(_ devices: BluetoothDevice...) { blueZ(.present(devices)) }

    /// The first sink is the default.
    ///
    /// - Parameter age: the time since the server started, in seconds; `nil` if unknown.
    mutating func audio(_ outputs: [AudioOutput], age: Double? = nil) {
        let state = AudioState.present(AudioOutput.mark(default: outputs.first?.name ?? "", in: outputs))
        record(gate.receive(state, age: age.map { .seconds($0) }, at: now))
    }

    /// Connects a device, lets sound go to it, and disconnects it.
    mutating func visit(_ device: BluetoothDevice, on: Double, off: Double) {
        blueZ(device.connected)
        audio([device.sink])
        wait(on)
        blueZ(device)
        audio([.speakers])
        wait(off)
    }

    /// Outputs of which the default ones are marked.
    mutating func audio(marked outputs: [AudioOutput]) { record(gate.receive(.present(outputs), at: now)) }

    mutating func audioGone() { record(gate.receive(AudioState.unreachable("gone"), at: now)) }

    /// Advances the time, and stops at each deadline of the gate.
    mutating func wait(_ seconds: Double) {
        let end = now + .seconds(seconds)
        while let deadline = gate.nextDeadline, deadline <= end {
            now = max(now, deadline)
            record(gate.advance(to: now))
        }
        now = end
        record(gate.advance(to: now))
    }

    func status(of id: String) -> DeviceStatus? { gate.devices.first { $0.device.id.rawValue == id } }

    private mutating func record(_ decisions: [GateDecision]) {
        for decision in decisions {
            let time = Double(now.components.seconds) + Double(now.components.attoseconds) / 1e18
            switch decision {
            case .ready(let device): log.append("\(time) ready \(device.name)")
            case .returned(let device, let away): log.append("\(time) returned \(device.name) \(away)")
            case .regained(let device): regained.append("\(time) \(device.name)")
            case .lost(let device): log.append("\(time) lost \(device.name)")
            case .held(let device, let reason): holds.append("\(device.name): \(reason)")
            }
        }
    }
}

extension BluetoothDevice {
    static let phones = BluetoothDevice(
        address: "00:11:22:33:44:55", name: "Phones",
        clues: DeviceClues(services: [0x110b, 0x111e], deviceClass: 0x24_0404), isConnected: false)
    static let car = BluetoothDevice(
        address: "00:11:22:33:44:77", name: "Car", clues: DeviceClues(services: [0x110b], deviceClass: 0x24_0420),
        isConnected: false)

    var connected: BluetoothDevice {
        var device = self
        device.isConnected = true
        return device
    }

    func named(_ name: String) -> BluetoothDevice {
        var device = self
        device.name = name
        return device
    }

    /// The sink that PipeWire creates for it.
    var sink: AudioOutput {
        AudioOutput(
            name: "bluez_output.\(address.split(separator: ":").joined(separator: "_")).1", description: name,
            properties: ["api.bluez5.address": address, "device.api": "bluez5"])
    }
}

extension AudioOutput {
    /// A sound card with a socket for headphones.
    static let speakers = card(headphones: .no)

    static func card(headphones: AudioPort.Availability, active: String? = nil) -> AudioOutput {
        let name = active ?? (headphones == .yes ? "analog-output-headphones" : "analog-output-speaker")
        return AudioOutput(
            name: "alsa_output.pci-0000_00_1f.3.analog-stereo", description: "Built-in Audio",
            properties: ["device.bus": "pci", "device.form_factor": "internal"],
            ports: [
                AudioPort(
                    name: "analog-output-speaker", description: "Speakers", type: 2,
                    isActive: name == "analog-output-speaker"),
                AudioPort(
                    name: "analog-output-headphones", description: "Headphones", type: 3, availability: headphones,
                    isActive: name == "analog-output-headphones"),
            ])
    }

    static let usb = AudioOutput(
        name: "alsa_output.usb-Maker_Headset_01-00.analog-stereo", description: "USB Headset",
        properties: ["device.bus": "usb", "device.form_factor": "headset"])

    static let nothing = AudioOutput(
        name: "auto_null", description: "Dummy Output", properties: ["device.class": "abstract"])

    static let filter = AudioOutput(
        name: "echo-cancel", description: "Echo Cancel", properties: ["device.class": "filter"])

    /// A filter that names the sink it plays into.
    static func filter(before sink: AudioOutput) -> AudioOutput {
        var output = filter
        output.properties["device.master_device"] = sink.name
        return output
    }
}
