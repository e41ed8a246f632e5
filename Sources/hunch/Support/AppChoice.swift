import CommandSupport
import Directions
internal import HunchModel
import Localization

/// Finds the app that the person wants among those of a plan.
enum AppChoice {
    /// Returns the app with a name or an identifier.
    ///
    /// - Throws: ``CommandError`` if the plan does not have it, with the reason if known.
    static func named(_ name: String, in plan: DirectionsPlan) throws -> DirectionsPlan.Offer {
        func bears(_ app: RoutingApp, _ desktopID: AppID?) -> Bool {
            [app.id.rawValue, app.name, desktopID?.rawValue].contains { $0?.lowercased() == name.lowercased() }
        }
        if let offer = plan.offers.first(where: { bears($0.app, $0.launch.desktopID) }) { return offer }
        if let omission = plan.omissions.first(where: { bears($0.app, nil) || $0.app.desktopIDs.contains(AppID(name)) })
        {
            let reasons = omission.reasons.map(\.description).joined(separator: "; ")
            throw CommandError(localized("%1 is not offered: %2", omission.app.name, reasons), ExitStatus.nothingFound)
        }
        let names = plan.offers.map(\.app.name) + plan.omissions.map(\.app.name)
        guard let near = NearName.nearest(to: name, among: names) else {
            throw CommandError(
                localized("no app is called “%1”; “hunch directions … --all” lists the apps", name.cut(to: 60)),
                ExitStatus.badInput)
        }
        throw CommandError(
            localized("no app is called “%1”; did you mean “%2”?", name.cut(to: 60), near), ExitStatus.badInput)
    }

    /// Returns the app that the person chose at the terminal; `nil` if there is no terminal or nothing to choose.
    ///
    /// - Throws: ``CommandError`` if the person chose none.
    static func among(_ plan: DirectionsPlan, defaultApplication: AppID?) throws -> DirectionsPlan.Offer? {
        guard !plan.isDecided, Terminal.canAsk, let first = plan.offers.first else { return nil }
        if let defaultApplication, first.launch.desktopID == defaultApplication { return nil }
        let offers = Array(plan.offers.prefix(DirectionsPlan.shownOffers))
        let rows = offers.map { offer in
            ([offer.app.name] + offer.cautions.map(\.description)).joined(separator: "; ")
        }
        guard let index = try TerminalQuestion.choice(localized("Which app is it to open in?"), among: rows) else {
            throw CommandError(localized("no app was chosen"), ExitStatus.nothingFound)
        }
        return offers[index]
    }
}
