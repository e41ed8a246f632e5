internal import HunchDBus
public import HunchModel

/// A routing app, as `org.hunch.Directions1.RoutingApps` reports it.
public struct RoutingAppReport: BusValue {
    /// The identifier of its coverage feature.
    public var id: AppID = ""
    /// The name of the app.
    public var name = ""
    /// The travel modes that it supports; empty if unknown.
    public var modes: [String] = []
    /// Whether it can be opened: it is installed or a web service.
    public var isInstalled = false
    /// Whether it is a web service.
    public var isWeb = false
    /// The installed desktop entry, without `.desktop`.
    public var desktopID: AppID?
    /// Whether its coverage is the whole world.
    public var isEverywhere = false
    /// Whether its coverage is only an estimate, so that it may serve places outside it.
    public var isEstimate = false
    /// `route`, or `place` if its link only shows the destination.
    public var opens = "route"

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("id", \.id), .key("name", \.name), .key("modes", \.modes), .key("installed", \.isInstalled),
        .key("web", \.isWeb), .key("desktop-id", \.desktopID), .key("everywhere", \.isEverywhere),
        .key("estimate", \.isEstimate), .key("opens", \.opens),
    ]
}
