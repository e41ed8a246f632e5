internal import HunchModel
internal import Localization

extension Page {
    /// The places that the person names on the page. The command `hunch places` takes other names, too.
    private static let ownNames = ["home", "work"]

    /// Returns the section of home, work and other places that the person named.
    static func own(_ state: SettingsState) -> Section? {
        guard let places = state.ownPlaces else { return nil }
        let others = places.keys.filter { !ownNames.contains($0) }.sorted()
        return Section(
            "own", title: localized("Your Places"),
            text: localized(
                "“From work to home” then means these, and Hunch suggests the way there. Kept on this computer."),
            (ownNames + others).map { name in
                guard let place = places[name] else {
                    return Row(
                        name, localized("%1: address, name or coordinates", title(of: name)), icon: icon(of: name),
                        [.entry(.setPlace(named: name))])
                }
                return Row(
                    name, title(of: name), words(for: place), icon: icon(of: name),
                    [.button(Button(localizedIn("place", "Remove"), .removePlace(name)))])
            })
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
            return localized("“%1” is not known here. Apps that search get these words.", known)
        }
        let position = "\(coordinate.latitude), \(coordinate.longitude)"
        return known.isEmpty ? position : "\(known) · \(position)"
    }
}
