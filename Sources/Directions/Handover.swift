public import HunchModel

/// To whom a request was just handed, told to what is started for it by a variable of its environment.
///
/// An app that opens no places itself but hands links to the desktop would hand them to Hunch, where that is the desktop's
/// handler, and Hunch to the app again, for ever. A `hunch` that such an app starts finds the app named here and opens
/// another.
public struct Handover: Hashable, Sendable {
    /// Name of the variable: `SECONDS APP,APP…`.
    public static let variable = "HUNCH_HANDOVER"
    /// The time in seconds in which a returning request counts as the same.
    private static let time = 10
    /// The most apps that are remembered; more are not tried for one request.
    private static let limit = 16

    /// Identifiers of the apps that have it, the first one first; empty for a request that comes from the person.
    public let applications: [String]

    /// A request that apps were handed, the first one first.
    public init(applications: [String]) { self.applications = applications }

    /// Reads what an environment tells.
    ///
    /// - Parameters:
    ///   - environment: of a process.
    ///   - now: seconds since 1970.
    public init(environment: [String: String], now: Int) {
        let words = (environment[Self.variable] ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, let start = Int(words[0]), (0...Self.time).contains(now &- start) else {
            applications = []
            return
        }
        applications = words[1].split(separator: ",").prefix(Self.limit).map(String.init)
    }

    /// The variable's value for what is started when the request goes to one app more.
    ///
    /// - Parameters:
    ///   - application: desktop identifier of the app, or what stands for it.
    ///   - now: seconds since 1970.
    public func value(adding application: String, now: Int) -> String {
        "\(now) " + (applications + [application]).suffix(Self.limit).joined(separator: ",")
    }

    /// The variable's value for what is started by a launch.
    public static func variable(for launch: DirectionsLaunch, now: Int) -> String {
        Handover(applications: launch.tried).value(adding: launch.desktopID ?? "web", now: now)
    }
}
