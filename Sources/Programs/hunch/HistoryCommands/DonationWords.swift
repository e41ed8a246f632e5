import CommandSupport
import AgentInterface
import HunchModel

/// Describes donations in the words of their kinds, including kinds that apps declare.
struct DonationWords {
    private struct Key: Hashable {
        let application: AppID
        let kind: Donation.Kind
    }

    /// The words of the kinds that every app may donate.
    static var standardKinds: [String] { KindDeclaration.standard.keys.map(\.rawValue).sorted() }

    private var apps: AppNames
    /// The declarations that were looked up; `nil` for a kind that no app declares.
    private var declarations: [Key: KindDeclaration?] = [:]

    init(environment: [String: String]) { apps = AppNames(environment: environment) }

    /// Returns the name of an app, or its identifier if it is not installed.
    mutating func name(of application: AppID) -> String { apps.name(of: application) }

    /// Returns the summary of the donation's kind, or the kind with the values that identify the action.
    mutating func words(for donation: Donation) -> String {
        if let summary = declaration(of: donation)?.summary(of: donation.parameters) { return summary }
        let values = donation.identity.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return ([donation.kind.rawValue] + values).joined(separator: " ")
    }

    private mutating func declaration(of donation: Donation) -> KindDeclaration? {
        if let standard = KindDeclaration.standard[donation.kind] { return standard }
        let key = Key(application: donation.application, kind: donation.kind)
        if let known = declarations[key] { return known }
        // The declaration may have become invalid since the donation.
        let declared = try? KindDeclaration(
            donation.kind, of: apps.entry(of: donation.application), locales: apps.locales)
        declarations[key] = .some(declared)
        return declared
    }
}
