import AgentInterface
import CommandSupport
import FoundationEssentials
import HunchModel
import Localization

extension OfferedSuggestion {
    /// Whether it plays something.
    var isMedia: Bool { kind == Suggestion.Kind.media.rawValue }

    /// Returns the device that led to it, if that has disconnected. Unless it comes back within seconds, the suggestion ends.
    func absentDevice(_ devices: [DeviceReport]) -> DeviceReport? {
        devices.first { $0.id == device && !$0.isConnected }
    }

    /// Returns the words for its state.
    func stateWords(_ devices: [DeviceReport]) -> String {
        guard let absent = absentDevice(devices) else { return CodeWords.suggestion(state) }
        return state == "accepted"
            ? localizedIn("suggestion", "accepted, waits for %1", absent.name)
            : localizedIn("suggestion", "ends unless %1 comes back within seconds", absent.name)
    }

    /// Returns the title of each suggestion. If several of an app have the same one, it says how they differ.
    static func titles(of suggestions: [OfferedSuggestion], _ devices: [DeviceReport]) -> [String: String] {
        let details: [(OfferedSuggestion) -> String] = [
            \.subtitle,
            { one in devices.first { $0.id == one.device }?.name ?? "" },
            { LocalDate.time(Date(timeIntervalSince1970: Double($0.offered) / 1_000_000)) },
        ]
        var titles: [String: String] = [:]
        for same in Dictionary(grouping: suggestions, by: { [$0.title, $0.applicationName] }).values {
            let sufficient = details.first { Set(same.map($0)).count == same.count }
            let differing = sufficient.map { [$0] } ?? details.filter { Set(same.map($0)).count > 1 }
            let ordered = same.sorted { ($0.offered, $0.id) < ($1.offered, $1.id) }
            for (index, one) in ordered.enumerated() {
                var words = same.count > 1 ? differing.map { $0(one) }.filter { !$0.isEmpty } : []
                // The bus reports nothing else that differs.
                if sufficient == nil { words.append("\(index + 1)") }
                titles[one.id] = ([one.title] + words).joined(separator: " · ")
            }
        }
        return titles
    }
}
