package import Geocoding
import HunchModel
import Localization

/// The words for codes of the agent and of the history, in the user's language. JSON has the codes.
package enum CodeWords {
    /// Returns the words for a setting.
    package static func setting(_ isOn: Bool) -> String { isOn ? localized("on") : localized("off") }

    /// Returns the words for a part of the context: its name and its value.
    package static func context(_ name: String, _ value: String) -> (name: String, value: String) {
        switch (name, value) {
        case ("power", "battery"): (localized("power"), localized("battery"))
        case ("power", "mains"): (localized("power"), localized("mains"))
        case ("power", _): (localized("power"), value)
        case ("place", _):
            switch NamedPlace(value) {
            case .home: (localized("place"), localized("at home"))
            case .work: (localized("place"), localized("at work"))
            case .usual: (localized("place"), localized("a place where you often are"))
            case .other(let place): (localized("place"), place)
            }
        default: (name, value)
        }
    }

    /// Returns the words for a kind of audio device.
    package static func device(_ kind: String) -> String {
        switch AudioDevice.Kind(rawValue: kind) {
        case .headphones?: localized("headphones")
        case .headset?: localized("headset")
        case .earbuds?: localized("earbuds")
        case .hearingAid?: localized("hearing aid")
        case .speaker?: localized("speaker")
        case .car?: localized("car")
        case .display?: localized("display")
        case .dock?: localized("docking station")
        case .other?: localized("other")
        case nil: kind
        }
    }

    /// Returns the words for a kind of connection.
    package static func transport(_ code: String) -> String {
        switch AudioDevice.Transport(rawValue: code) {
        case .bluetooth?: "Bluetooth"
        case .wired?: localized("jack")
        case .usb?: "USB"
        case .hdmi?: "HDMI"
        case .other?: localized("other")
        case nil: code
        }
    }

    /// Returns the words for the state of a player.
    package static func playback(_ code: String) -> String {
        switch code.lowercased() {
        case "playing": localized("playing")
        case "paused": localized("paused")
        case "stopped": localized("stopped")
        default: code
        }
    }

    /// Returns the words for the state of a suggestion.
    package static func suggestion(_ code: String) -> String {
        switch code {
        case "offered": localized("suggested")
        case "shown": localized("shown")
        case "accepted": localized("accepted")
        case "failed": localized("failed")
        default: code
        }
    }

    /// Returns the words for the kind of a place.
    package static func place(_ kind: PlaceKind) -> String {
        switch kind {
        case .country: localized("country")
        case .state: localizedIn("place", "state")
        case .district: localized("district")
        case .city: localized("city")
        case .suburb: localized("suburb")
        case .airport: localized("airport")
        case .weatherStation: localized("weather station")
        case .street: localized("street")
        case .house: localized("house")
        case .postalCode: localized("postal code")
        case .transport: localized("transport")
        case .spot: localized("spot")
        case .park: localized("park")
        case .water: localized("water")
        case .terrain: localized("terrain")
        case .seen: localized("seen")
        case .own: localized("own")
        case .other: localized("other")
        default: kind.rawValue
        }
    }
}
