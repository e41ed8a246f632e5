internal import HunchModel
internal import Localization

extension Page {
    /// The places that the user names on the page. The command `hunch places` takes other names, too.
    private static let ownNames = ["home", "work"]

    /// Returns the section of home, work and other places that the user named.
    static func own(_ state: SettingsState) -> Section? {
        guard let places = state.ownPlaces else { return nil }
        let others = places.keys.filter { !ownNames.contains($0) }.sorted()
        return Section(
            "own", title: localized("Your Places"),
            text: localized(
                "“From work to home” then means these, and Hunch suggests the route there. Kept on this computer."),
            (ownNames + others).flatMap { name in
                guard let place = places[name] else {
                    let entry = Row(
                        name, localized("%1: address, name or coordinates", title(of: name)), icon: icon(of: name),
                        [.entry(.setPlace(named: name))])
                    return [learned(name, state), entry].compactMap(\.self)
                }
                return [
                    Row(
                        name, title(of: name), words(for: place), icon: icon(of: name),
                        [.button(Button(localizedIn("place", "Remove"), .removePlace(name)))])
                ]
            })
    }

    /// Returns the row of a place that Hunch learned and the user may confirm; `nil` if there is none.
    private static func learned(_ name: String, _ state: SettingsState) -> Row? {
        state.learnedPlaces[name].map { coordinate in
            let position = words(for: MapItem(coordinate: coordinate))
            return Row(
                "learned-\(name)", title(of: name),
                (localized("learned from your stays") + " · " + position).withCapital,
                icon: icon(of: name),
                [
                    .button(
                        Button(
                            localizedIn("place", "Confirm"),
                            .setPlace("\(coordinate.latitude),\(coordinate.longitude)", named: name)))
                ])
        }
    }

    private static func title(of name: String) -> String {
        switch name {
        case "home": localizedIn("place", "Home")
        case "work": localizedIn("place", "Work")
        default: name
        }
    }

    private static func icon(of name: String) -> Row.Icon {
        .symbol(name == "home" ? "go-home-symbolic" : "mark-location-symbolic")
    }

    /// Returns the place as it was understood.
    private static func words(for place: MapItem) -> String {
        let address = place.address?.singleLine
        let known = [place.name, address == place.name ? nil : address, place.query].compactMap(\.self)
            .filter { !$0.isEmpty }.joined(separator: ", ")
        guard let coordinate = place.coordinate else {
            return localized(
                "“%1” is not known here. Apps that search get these words. Set it anew after importing places with streets.",
                known)
        }
        let position = "\(coordinate.latitude), \(coordinate.longitude)"
        return known.isEmpty ? position : "\(known) · \(position)"
    }
}
