package import AgentInterface
import FoundationEssentials
import History
import HunchKit
package import HunchModel
import Localization

/// The devices that a user may name: those of “hunch devices”, and ones in the history or the settings.
package enum KnownDevices {
    /// Returns the device with an identifier, else the only one with a name, ignoring case; `nil` if there is none.
    ///
    /// - Throws: ``CommandError`` if several devices have the name.
    package static func find(_ text: String, in devices: [DeviceReport]) throws -> DeviceReport? {
        if let device = devices.first(where: { $0.id.rawValue == text }) { return device }
        let named = devices.filter {
            $0.name.lowercased() == text.lowercased() || $0.id.rawValue.lowercased() == text.lowercased()
        }
        guard named.count < 2 else {
            let identifiers = named.map(\.id.rawValue).joined(separator: ", ")
            throw CommandError(
                localized("several devices are called “%1”: name one of %2", text, identifiers), ExitStatus.badInput)
        }
        return named.first
    }

    /// Returns the identifier of the device that a user named. Does not start the agent, which knows the names.
    ///
    /// - Throws: ``CommandError`` for an unknown name, with the most similar one.
    package static func identifier(_ name: String, environment: [String: String]) async throws -> AudioDevice.ID {
        let answer = try? await AgentSession.run { try await $0.isRunning() ? $0.devices() : [] }
        let devices = answer ?? []
        if let device = try find(name, in: devices) { return device.id }
        let recorded: Set<AudioDevice.ID>
        do {
            let store = try HistoryStore.openReadOnly(at: HistoryStore.defaultPath(environment: environment))
            defer { try? store?.close() }
            recorded = try store?.devices() ?? []
        } catch {
            // An unreadable history may contain it.
            return AudioDevice.ID(name)
        }
        if let device = recorded.first(where: { $0.rawValue.lowercased() == name.lowercased() }) { return device }
        let known = devices.flatMap { [$0.name, $0.id.rawValue] } + recorded.map(\.rawValue).sorted()
        let sentence = localized("no device “%1” is known", name.cut(to: 60))
        let advice =
            NearName.nearest(to: name, among: known).map { localized("did you mean “%1”?", $0) }
            ?? localized("“hunch devices” lists those that are")
        throw CommandError("\(sentence); \(advice)", ExitStatus.nothingFound, code: "unknownDevice")
    }
}
