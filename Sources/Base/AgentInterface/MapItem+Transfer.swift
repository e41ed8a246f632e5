public import HunchDBus
public import HunchModel

// A map item as `a{sv}`. Keys: `name` s, `query` s, `phone` s, `latitude` d and `longitude` d (degrees, both or none),
// `street`, `city`, `state`, `postal-code`, `country`, `country-code` s.

extension MapItem: MapValue {
    /// Reads a map item. Unknown keys are ignored.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for a value of the wrong type or half a coordinate, `InvalidInput` for a
    ///   latitude out of range or text of more than 4,096 bytes.
    public init(transfer: VariantMap) throws(DBusError) {
        let coordinate = try transfer.coordinate()
        let address = PostalAddress(
            street: try transfer.text("street"), city: try transfer.text("city"), state: try transfer.text("state"),
            postalCode: try transfer.text("postal-code"), country: try transfer.text("country"),
            countryCode: try transfer.text("country-code"))
        self.init(
            name: try transfer.text("name"), coordinate: coordinate,
            address: address == PostalAddress() ? nil : address, query: try transfer.text("query"),
            phoneNumber: try transfer.text("phone"))
    }

    /// The map item with the keys above. Unknown values are left out.
    public var transfer: VariantMap {
        var map: VariantMap = [:]
        map["latitude"] = (coordinate?.latitude).map(Value.double)
        map["longitude"] = (coordinate?.longitude).map(Value.double)
        let texts: KeyValuePairs<String, String?> = [
            "name": name, "query": query, "phone": phoneNumber, "street": address?.street, "city": address?.city,
            "state": address?.state, "postal-code": address?.postalCode, "country": address?.country,
            "country-code": address?.countryCode,
        ]
        for (key, text) in texts { map[key] = text.map(Value.string) }
        return map
    }
}
