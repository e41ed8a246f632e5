internal import HunchModel
internal import Localization

/// The words for travel modes.
enum ModeWords {
    /// Returns the name of a mode, as in a list.
    static func name(_ mode: String) -> String { (TransportMode(rawValue: mode) ?? .other).name }

    /// Returns the words for going by a mode; `nil` for a route without one.
    static func title(_ mode: String?) -> String {
        switch mode.flatMap(TransportMode.init(rawValue:)) {
        case .car: localized("By car")
        case .bus: localized("By bus")
        case .train: localized("By train")
        case .subway: localized("By subway")
        case .streetcar: localized("By tram")
        case .plane: localized("By plane")
        case .bike: localized("By bike")
        case .ferry: localized("By ferry")
        case .taxi: localized("By taxi")
        case .pedestrian: localized("On foot")
        case .rideShare: localized("By ride share")
        case .other, nil: localized("By any means")
        }
    }
}
