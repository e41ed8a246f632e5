/// A travel mode that a routing app may support and a request may ask for.
///
/// The raw values are the words on the command line, in `directions:` links and in coverage files.
public enum TransportMode: String, CaseIterable, Hashable, Sendable, Codable {
    /// The user's own car.
    case car
    /// Buses and coaches.
    case bus
    /// Railways.
    case train
    /// Underground and metro.
    case subway
    /// Trams and light rail.
    case streetcar
    /// Aeroplanes.
    case plane
    /// Bicycles.
    case bike
    /// Boats.
    case ferry
    /// Taxis.
    case taxi
    /// Walking.
    case pedestrian
    /// A ride in another person's car, ordered through an app.
    case rideShare
    /// Any other travel mode.
    case other

    /// The modes of public transport.
    public static let transit: Set<TransportMode> = [.bus, .train, .subway, .streetcar, .ferry]
}
