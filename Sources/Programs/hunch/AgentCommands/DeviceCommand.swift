import CommandSupport
internal import AgentInterface
import ArgumentParser
import HunchDBus
import HunchKit
import HunchModel
import Localization

/// `hunch device`.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: localized("Set what happens when a device connects or disconnects."),
        discussion: localized(
            """
            Nothing plays or pauses by itself unless you switch it on here, for this device. While WirePlumber pauses \
            playback on outputs that disappear (its setting linking.pause-playback), Hunch leaves pausing to it. Wired \
            headphones usually do not remove an output when they are unplugged, so WirePlumber keeps playing through the \
            speakers. To let Hunch pause there, and everywhere, switch that setting off:
              wpctl settings --save linking.pause-playback false

            A disconnected device is known if it is paired, has settings here, was played on, or connected since Hunch started.

            Exit code 1: there is no such device.

            Example:
              hunch device WH-1000XM4
              hunch device WH-1000XM4 --resume on --pause on
              hunch device "Living room TV" --suggest off --json
            """))

    /// The value of a switch.
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    @Argument(
        help: .localized("The name of the device, or its identifier from “hunch devices --json”."),
        completion: .shellCommand("hunch devices 2>/dev/null | cut -f1"))
    var device: String
    @Option(help: .localized("Suggest something when the device is ready: on or off."))
    var suggest: Switch?
    @Option(help: .localized("Continue playback when the device becomes ready: on or off."))
    var resume: Switch?
    @Option(help: .localized("Pause playback when the device disconnects: on or off."))
    var pause: Switch?
    @Flag(help: .localized("Write one JSON object."))
    var json = false

    private struct Fields: Encodable {
        let id: AudioDevice.ID
        let name: String
        let transport: AudioDevice.Transport
        var suggest, resume, pause: Bool
        /// The program that pauses instead of Hunch.
        let pausedBy: String?

        init(_ device: DeviceReport) {
            (id, name) = (device.id, device.name)
            transport = AudioDevice.Transport(rawValue: device.transport) ?? .other
            (suggest, resume, pause) = (device.suggests, device.resumes, device.pauses)
            pausedBy = device.pausedBy
        }

        func changed(by change: DevicePolicyChange) -> Fields {
            var changed = self
            changed.suggest = change.suggests ?? suggest
            changed.resume = change.resumes ?? resume
            changed.pause = change.pauses ?? pause
            return changed
        }
    }

    func run() async throws {
        let wanted = DevicePolicyChange(
            suggests: suggest.map { $0 == .on }, resumes: resume.map { $0 == .on }, pauses: pause.map { $0 == .on })
        let named = device
        let fields = try await AgentSession.run { agent in
            let devices = try await agent.devices()
            guard let found = try KnownDevices.find(named, in: devices).map(Fields.init) else {
                let names = devices.flatMap { [$0.name, $0.id.rawValue] }
                let meant = NearName.nearest(to: named, among: names).map { localized("did you mean “%1”?", $0) }
                throw CommandError(
                    try await agent.reasonForNothing(
                        localized("no device “%1” is known", named),
                        orElse: meant ?? localized("“hunch devices” lists those that are")),
                    ExitStatus.nothingFound)
            }
            guard wanted != DevicePolicyChange() else { return found }
            try await agent.setDevicePolicy(wanted, of: found.id)
            if let changed = try KnownDevices.find(found.id.rawValue, in: try await agent.devices()) {
                return Fields(changed)
            }
            // The removed setting was the only record of the device.
            return found.changed(by: wanted)
        }
        if json { return try Output.raw(Output.json(fields)) }
        var table = Table(fields.name, "")
        table.add(localized("something is suggested when it is ready"), CodeWords.setting(fields.suggest))
        table.add(localized("continues playback when ready"), CodeWords.setting(fields.resume))
        table.add(
            localized("pauses playback when disconnected"),
            fields.pause ? Self.words(ofPausing: fields) : CodeWords.setting(false))
        try table.print()
    }

    /// Returns “on”, and the program that pauses instead of Hunch.
    private static func words(ofPausing fields: Fields) -> String {
        guard let other = fields.pausedBy else { return CodeWords.setting(true) }
        // The sink of a socket stays when headphones are unplugged.
        return fields.id.rawValue.contains("#")
            ? localized("on, but left to %1, which acts only where an output goes (see --help)", other)
            : localized("on, by %1, so Hunch does not", other)
    }
}
