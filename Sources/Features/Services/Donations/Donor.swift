internal import Agent
internal import AgentInterface
internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Learning

/// The reason why the caller may not donate an item.
struct DonorRefusal: Error {
    let code: String
    let message: String
}

extension CallerPermission {
    private static let scriptPrefix = "script:"

    /// Returns the key under which an item counts for rate limits: the calling app, or the script. All unknown
    /// callers share one, since a new connection is not a new caller.
    func measured(_ item: VariantMap, scripts: Set<String>) -> String {
        if let application { return application.rawValue }
        guard case .string(let claimed) = item["app"], let donor = try? donor(AppID(claimed), scripts: scripts)
        else {
            return ""
        }
        return donor.rawValue
    }

    /// Returns the app or script for which the caller donates.
    ///
    /// - Parameter claimed: the app that the item names; `nil` for the caller itself.
    /// - Throws: ``DonorRefusal`` if it may not.
    func donor(_ claimed: AppID?, scripts: Set<String>) throws(DonorRefusal) -> AppID {
        if let own = application, claimed == nil || claimed == own { return own }
        if claimed?.isEmpty == true { throw DonorRefusal(code: "invalidInput", message: "“app” is empty") }
        if self == .person, let claimed { return claimed }
        if let claimed, claimed.rawValue.hasPrefix(Self.scriptPrefix) {
            let name = String(claimed.rawValue.dropFirst(Self.scriptPrefix.count))
            if case .confined = self {
                throw DonorRefusal(code: "notAllowed", message: "an app in a sandbox donates as itself alone")
            }
            guard scripts.contains(name) else {
                throw DonorRefusal(
                    code: "notAllowed",
                    message: "the script “\(name.cut(to: 64))” may not donate; use “hunch allow NAME” first")
            }
            return claimed
        }
        guard let claimed else {
            throw DonorRefusal(
                code: "notAllowed",
                message:
                    "\(unidentified); a script donates as “script:NAME” after “hunch allow NAME”"
            )
        }
        throw DonorRefusal(
            code: "notAllowed",
            message: "this program may not donate for \(claimed.rawValue.cut(to: 255)); apps donate for themselves")
    }
}

extension DonorRefusal {
    /// Throws ``DonorRefusal`` for an action that no person did.
    static func checkInitiator(of item: VariantMap) throws {
        let initiator = try item.text("initiator") ?? "person"
        guard initiator == "person" else {
            throw DonorRefusal(
                code: "initiator",
                message: initiator == "system"
                    ? "only what a person did counts" : "“initiator” is “person” or “system”")
        }
    }
}

extension Donation {
    /// The donation with the local time of its date on this machine. Imported donations keep theirs.
    var withLocalTime: Donation {
        guard combination == nil else { return self }
        let local = Context(at: date)
        var donation = self
        donation.context.hour = context.hour ?? local.hour
        donation.context.weekday = context.weekday ?? local.weekday
        return donation
    }

    /// Throws ``DonorRefusal`` for keys that only an imported donation may have.
    func checkIsOwn() throws(DonorRefusal) {
        if combination != nil {
            throw DonorRefusal(
                code: "notAllowed", message: "the kind says the combination; leave “combination” out")
        }
        if !context.further.isEmpty {
            throw DonorRefusal(
                code: "notAllowed", message: "Hunch knows the circumstances itself; leave “further” out")
        }
    }
}
