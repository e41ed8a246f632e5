import AgentInterface
import Directions
import HunchModel

/// What was done as a person reads it: in the words of its kind, also where an app declared that itself.
struct DonationWords {
    private struct Key: Hashable {
        let application: String
        let kind: Donation.Kind
    }

    /// The words of the kinds that every app may donate.
    static var standardKinds: [String] { KindDeclaration.standard.keys.map(\.rawValue).sorted() }

    private let environment: [String: String]
    /// Listed when a kind is looked for that is not a standard one.
    private lazy var installed = InstalledApplications(environment: environment)
    private lazy var locales = DesktopEntry.localeNames(for: DesktopEntry.messageLocale(in: environment))
    /// Those that were looked for; `nil` for a kind that nobody declares, or not any more.
    private var declarations: [Key: KindDeclaration?] = [:]

    init(environment: [String: String]) { self.environment = environment }

    /// The summary of its kind, or the word of the kind with the values that tell the action from others.
    mutating func words(for donation: Donation) -> String {
        if let summary = declaration(of: donation)?.summary(of: donation.parameters) { return summary }
        let values = donation.identity.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return ([donation.kind.rawValue] + values).joined(separator: " ")
    }

    private mutating func declaration(of donation: Donation) -> KindDeclaration? {
        if let standard = KindDeclaration.standard[donation.kind] { return standard }
        let key = Key(application: donation.application, kind: donation.kind)
        if let known = declarations[key] { return known }
        // What an app declares wrongly now was right when it was donated; then its words are gone.
        let declared = try? KindDeclaration(donation.kind, of: installed.entry(donation.application), locales: locales)
        declarations[key] = .some(declared)
        return declared
    }
}
