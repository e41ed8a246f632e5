import Coordinates
import HunchModel

extension ChinaDatum {
    /// Returns the place with all its coordinates in WGS 84.
    func wgs84(_ place: ParsedPlace) throws(PlaceError) -> ParsedPlace {
        var place = place
        place.item.coordinate = try wgs84(place.item.coordinate)
        let start = place.source?.coordinate
        place.source?.coordinate = try wgs84(start)
        place.near = try wgs84(place.near)
        return place
    }
}
