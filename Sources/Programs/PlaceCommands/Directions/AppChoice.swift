import CommandSupport
import Directions
internal import HunchModel
import Localization

/// Finds the app that the user wants among those of a plan.
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
        let present = plan.omissions.filter { !$0.reasons.contains(.notInstalled) }
        let names = plan.offers.map(\.app.name) + present.map(\.app.name)
        guard let near = NearName.nearest(to: name, among: names) else {
            throw CommandError(
                localized("no app is called “%1”; “hunch directions … --all” lists the apps", name.cut(to: 60)),
                ExitStatus.badInput)
        }
        throw CommandError(
            localized("no app is called “%1”; did you mean “%2”?", name.cut(to: 60), near), ExitStatus.badInput)
    }

    /// Returns the app in a row of the list.
    ///
    /// - Throws: ``CommandError`` if the list has no such row.
    static func row(_ number: Int, of plan: DirectionsPlan) throws -> DirectionsPlan.Offer {
        guard plan.offers.indices.contains(number - 1) else {
            throw CommandError(
                localizedPlural(
                    "there is no row %2: the list has %1 app; “hunch directions … --all” shows it",
                    "there is no row %2: the list has %1 apps; “hunch directions … --all” shows them",
                    plan.offers.count, number), ExitStatus.badInput)
        }
        return plan.offers[number - 1]
    }

    /// Returns the app that the user chose at the terminal; `nil` if there is no terminal or nothing to choose.
    ///
    /// - Throws: ``CommandError`` if the user chose none.
    static func among(_ plan: DirectionsPlan) throws -> DirectionsPlan.Offer? {
        guard !plan.isDecided, Terminal.canAsk else { return nil }
        let offers = Array(plan.offers.prefix(DirectionsPlan.shownOffers))
        let rows = offers.map { offer in
            ([offer.app.name] + offer.cautions.map(\.description)).joined(separator: "; ")
        }
        guard let index = try TerminalQuestion.choice(localized("Which app do you want?"), among: rows) else {
            throw CommandError(localized("no app was chosen"), ExitStatus.nothingFound)
        }
        return offers[index]
    }
}
