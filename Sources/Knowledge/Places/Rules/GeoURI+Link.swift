public import Coordinates
public import HunchModel
internal import Localization
internal import MapLinks

extension GeoURI {
    /// Reads a URI, scheme included.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate`, `unsupportedDatum` or `malformedLink`; `tooLong` beyond
    ///   ``PlaceParser/maximumLinkLength`` bytes.
    public init(_ uri: String) throws(PlaceError) {
        let input = try PlaceInput(checking: uri)
        try input.checkLinkLength()
        guard input.scheme == "geo" else {
            throw PlaceError(.malformedLink, localized("the link does not begin with geo:"))
        }
        try self.init(path: input.body)
    }
}
