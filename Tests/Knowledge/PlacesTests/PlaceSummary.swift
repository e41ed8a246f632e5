import HunchModel
import MapLinks
import Places

/// Returns the result of an input as one line of a golden file.
///
/// `RULE | LATITUDE,LONGITUDE | NAME | QUERY | ZOOM`, "-" for what there is not, then ` | from: …`, ` | by: …`,
/// ` | near: …`, ` | address: …`, ` | phone: …` where there is such; or `error: CODE`.
func summary(of input: String, by parser: PlaceParser = PlaceParser()) -> String {
    do {
        return summary(try parser.parse(input))
    } catch {
        return "error: \(error.code)"
    }
}

/// The same of a place.
func summary(_ place: ParsedPlace) -> String {
    let item = place.item
    var parts = [
        place.rule, text(item.coordinate), item.name ?? "-", item.query ?? "-", place.zoom.map { "\($0)" } ?? "-",
    ]
    if let source = place.source { parts.append("from: " + end(source)) }
    if !place.modes.isEmpty { parts.append("by: " + place.modes.map(\.rawValue).sorted().joined(separator: ",")) }
    if let near = place.near { parts.append("near: " + text(near)) }
    if let address = item.address { parts.append("address: " + address.singleLine) }
    if let phone = item.phoneNumber { parts.append("phone: " + phone) }
    return parts.joined(separator: " | ")
}

/// Seven decimals are a centimetre.
private func text(_ coordinate: Coordinate?) -> String {
    guard let coordinate else { return "-" }
    return [coordinate.latitude, coordinate.longitude].map { "\(($0 * 1e7).rounded() / 1e7)" }.joined(separator: ",")
}

private func end(_ item: MapItem) -> String {
    [item.coordinate.map(text), item.name, item.query].compactMap { $0 }.joined(separator: " ")
}
