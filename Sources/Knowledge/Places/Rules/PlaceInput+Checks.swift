public import Coordinates
public import HunchModel
internal import Localization
public import MapLinks

extension PlaceInput {
    /// Creates an input for a rule's own use.
    ///
    /// - Throws: ``PlaceError`` with `notAPlace` if the text is blank, `tooLong` beyond ``PlaceParser/maximumLength``
    ///   bytes.
    public init(checking text: String) throws(PlaceError) {
        guard text.utf8.count <= PlaceLimits.input else {
            throw PlaceError(
                .tooLong, localized("the input is longer than %1 bytes; give only the place", PlaceLimits.input))
        }
        let trimmed = text.trimmed
        guard !trimmed.isEmpty else { throw PlaceError(.notAPlace, localized("the input is empty; give a place")) }
        self.init(trimmed)
    }

    /// Checks the length of a link.
    ///
    /// - Throws: ``PlaceError`` with `tooLong` beyond ``PlaceParser/maximumLinkLength`` bytes.
    public func checkLinkLength() throws(PlaceError) {
        guard text.utf8.count <= PlaceLimits.link else {
            throw PlaceError(
                .tooLong, localized("the link is longer than %1 bytes; give a shorter one", PlaceLimits.link))
        }
    }
}
