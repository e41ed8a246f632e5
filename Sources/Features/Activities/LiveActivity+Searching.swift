package import FoundationEssentials
package import HunchModel

extension LiveActivity {
    /// The content as an item of the search index; `nil` if it has no identifier, or has expired.
    ///
    /// - Parameters:
    ///   - now: the present date.
    ///   - limit: the date after which the item expires, unless the activity expires earlier.
    package func searchableItem(at now: Date, until limit: Date) -> SearchableItem? {
        guard let activity, activity.isValid(at: now), let id = storedIdentifier else { return nil }
        var attributes: [String: AttributeValue] = [
            "title": .text(activity.title), "activity": .text(activity.type),
            "modified": .number(date.timeIntervalSince1970),
        ]
        if !activity.keywords.isEmpty { attributes["keywords"] = .texts(activity.keywords) }
        attributes["url"] = page.map(AttributeValue.text)
        attributes["start"] = activity.start.map { .number($0.timeIntervalSince1970) }
        attributes["end"] = activity.end.map { .number($0.timeIntervalSince1970) }
        if let place = activity.place {
            attributes["placeName"] = place.name.map(AttributeValue.text)
            attributes["address"] = (place.address?.singleLine ?? place.query).map(AttributeValue.text)
            attributes["phone"] = place.phoneNumber.map(AttributeValue.text)
            attributes["latitude"] = place.coordinate.map { .number($0.latitude) }
            attributes["longitude"] = place.coordinate.map { .number($0.longitude) }
        }
        return SearchableItem(
            id: id, domain: activity.group.map(Self.searchDomain), attributes: attributes,
            expiry: min(activity.expiry ?? limit, limit))
    }

    /// Returns the domain in the search index for a group, whose name may contain dots but means no hierarchy.
    package static func searchDomain(ofGroup group: String) -> String {
        group.replacing("%", with: "%25").replacing(".", with: "%2E").cut(toBytes: SearchableItem.Limit.identifier)
    }
}
