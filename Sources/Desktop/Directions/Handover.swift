public import FoundationEssentials
public import HunchModel

/// The apps to which a request was just handed, in an environment variable of the started programs.
///
/// It prevents a loop. Some apps do not open places themselves but hand links to the desktop. If Hunch is the desktop's
/// handler, it would get the link back and hand it to the same app again. But the `hunch` that such an app starts finds
/// the app in this variable and opens another one.
public struct Handover: Hashable, Sendable {
    /// The name of the variable, whose value is `SECONDS APP,APP…`.
    public static let variableName = "HUNCH_HANDOVER"
    /// The time in seconds within which a returning request counts as the same.
    private static let time = 10
    /// The maximum number of apps that are remembered for a request.
    private static let limit = 16

    /// The identifiers of the apps, in the order of the handovers; empty for a request from the user.
    public let applications: [AppID]

    /// Creates a handover to apps, in order.
    public init(applications: [AppID]) { self.applications = applications }

    /// Reads the variable of an environment.
    ///
    /// - Parameters:
    ///   - environment: the environment of a process.
    ///   - now: the current time.
    public init(environment: [String: String], now: Date) {
        let words = (environment[Self.variableName] ?? "").split(separator: " ", maxSplits: 1)
        guard words.count == 2, let start = Int(words[0]), (0...Self.time).contains(Self.seconds(now) &- start) else {
            applications = []
            return
        }
        applications = words[1].split(separator: ",").prefix(Self.limit).map { AppID(String($0)) }
    }

    /// Returns the variable's value for handing the request to another app.
    ///
    /// - Parameters:
    ///   - application: the desktop identifier of the app, or `web` for a web service.
    ///   - now: the current time.
    public func value(adding application: AppID, now: Date) -> String {
        "\(Self.seconds(now)) "
            + (applications + [application]).suffix(Self.limit).map(\.rawValue).joined(separator: ",")
    }

    /// Returns the variable's value for a launch.
    public static func value(for launch: DirectionsLaunch, now: Date) -> String {
        Handover(applications: launch.tried).value(adding: launch.desktopID ?? "web", now: now)
    }

    private static func seconds(_ date: Date) -> Int { Int(clamping: date.timeIntervalSince1970, .down) }
}
