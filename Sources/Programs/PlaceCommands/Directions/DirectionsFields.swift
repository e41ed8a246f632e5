import CommandSupport
import Directions
import HunchModel

/// A plan in the output of `hunch directions --json`. Every key is always present.
struct DirectionsFields: Encodable {
    let resolved: ResolvedDirections
    let plan: DirectionsPlan
    /// The only app that is listed; `nil` for all.
    let only: DirectionsPlan.Offer?
    let opened: DirectionsPlan.Offer?
    /// The error with which the command ends.
    let error: ErrorField?

    private enum Key: String, CodingKey {
        case request, destination, source, certain, candidates, suggestions, excluded, opened, error
    }

    private struct Suggestion: Encodable {
        let app: AppID
        let name: String
        let kind: String
        let modes: [String]
        let title: String
        let desktopID: AppID?
        let uri: String
        let score: Double
        let opens: String
        let mayNotServe: Bool
        let missing: [String]
        let explanation: ExplanationFields

        private enum Key: String, CodingKey {
            case app, name, kind, modes, title, desktopID, uri, score, opens, mayNotServe, missing
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(app, forKey: .app)
            try container.encode(name, forKey: .name)
            try container.encode(kind, forKey: .kind)
            try container.encode(modes, forKey: .modes)
            try container.encode(title, forKey: .title)
            try container.encode(desktopID, forKey: .desktopID)
            try container.encode(uri, forKey: .uri)
            try container.encode(score, forKey: .score)
            try container.encode(opens, forKey: .opens)
            try container.encode(mayNotServe, forKey: .mayNotServe)
            try container.encode(missing, forKey: .missing)
            try explanation.encode(to: encoder)
        }
    }

    private struct Excluded: Encodable {
        let app: AppID
        let name: String
        let reasons: [Reason]
    }

    private struct Reason: Encodable {
        let code: String
        let message: String
        let ends: [String]?
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(plan.request.uri, forKey: .request)
        try container.encode(MapItemFields(plan.request.destination), forKey: .destination)
        switch plan.request.source {
        case .unknown: try container.encodeNil(forKey: .source)
        case .currentLocation: try container.encode("here", forKey: .source)
        case .place(let item): try container.encode(MapItemFields(item), forKey: .source)
        }
        try container.encode(resolved.isCertain, forKey: .certain)
        let candidates = resolved.destination?.candidates ?? []
        try container.encode(candidates.map { CandidateFields($0) }, forKey: .candidates)
        let suggestions = (only.map { [$0] } ?? plan.offers).map { offer in
            Suggestion(
                app: offer.app.id, name: offer.app.name, kind: offer.app.kind.rawValue,
                modes: offer.modes.map(\.rawValue), title: offer.title, desktopID: offer.launch.desktopID,
                uri: offer.launch.uri, score: offer.score, opens: offer.app.opening.rawValue,
                mayNotServe: offer.cautions.contains(.mayNotServe), missing: offer.missing.map(\.rawValue),
                explanation: ExplanationFields(offer.explanation))
        }
        try container.encode(suggestions, forKey: .suggestions)
        let excluded = plan.omissions.map { omission in
            Excluded(app: omission.app.id, name: omission.app.name, reasons: omission.reasons.map(Self.reason))
        }
        try container.encode(excluded, forKey: .excluded)
        try container.encode(opened?.app.id, forKey: .opened)
        try container.encode(error, forKey: .error)
    }

    private static func reason(_ exclusion: Exclusion) -> Reason {
        let ends: [String]? =
            if case .outsideCoverage(let ends) = exclusion { ends.map(\.rawValue) } else { nil }
        return Reason(code: exclusion.code, message: exclusion.description, ends: ends)
    }
}
