import HunchDBus
import HunchModel
import Testing

@testable import Agent
@testable import Services

/// A kind of caller.
enum CallerKind: CaseIterable, CustomTestStringConvertible {
    /// `hunch`, identified by its executable.
    case person
    case unsandboxed
    /// A sandboxed app without suggestions.
    case sandboxed
    /// A sandboxed app that claims to be another one, whose bus name it owns.
    case pretender
    /// The sandboxed app that is suggested.
    case suggested
    /// In a sandbox of an unknown app.
    case nameless
    /// An unknown program that claims to be the script “backup”.
    case script
    case unknown

    var testDescription: String { "\(self)" }

    static let maps: AppID = "org.example.Maps"

    /// The credentials from the bus; `nil` for the test itself, which is the user.
    var identity: CallerIdentity? {
        switch self {
        case .person: return nil
        case .unsandboxed: return Callers.unsandboxed
        case .sandboxed, .pretender: return Callers.sandboxed
        case .suggested:
            var caller = Callers.sandboxed
            caller.application = Self.maps.rawValue
            return caller
        case .nameless: return Callers.nameless
        case .script, .unknown: return Callers.unknown
        }
    }

    /// The donor that it claims to be; `nil` for itself.
    var claim: String? {
        switch self {
        case .pretender: CallerKind.maps.rawValue
        case .script: "script:backup"
        case .unknown: "script:other"
        case .person: "org.example.Other"
        case .unsandboxed, .sandboxed, .suggested, .nameless: nil
        }
    }
}
