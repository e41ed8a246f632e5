internal import FoundationEssentials
public import HunchDBus
public import HunchModel

// An activity as `a{sv}`; the keys are described in org.hunch.Activities1.xml.

extension Activity {
    /// Reads an activity. Unknown keys are ignored.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for a value of the wrong type, `InvalidInput` for a missing or invalid
    ///   value, `…LimitsExceeded` for one that is too large. The message names the key.
    public init(transfer map: VariantMap) throws(DBusError) {
        self.init(type: "", title: "")
        for key in ["type", "title"] where map[key] == nil {
            throw DBusError(.invalidInput, "“\(key)” is missing")
        }
        try update(transfer: map)
    }

    /// Applies changes. Absent keys leave their properties unchanged. An empty text clears an optional property.
    ///
    /// - Throws: like ``init(transfer:)``. The activity is then unchanged.
    public mutating func update(transfer map: VariantMap) throws(DBusError) {
        var changed = self
        if let type = try map.bounded("type", Limit.type) {
            guard (try? InterfaceName(type)) != nil else {
                throw DBusError(.invalidInput, "“type” must be a reverse-DNS name such as org.example.App.page")
            }
            changed.type = type
        }
        if let title = try map.bounded("title", Limit.title) {
            guard !title.isEmpty else { throw DBusError(.invalidInput, "“title” is empty") }
            changed.title = title
        }
        if let keywords = try map.value("keywords", as: [String].self) {
            guard keywords.count <= Limit.keywords, keywords.allSatisfy({ $0.utf8.count <= Limit.keyword }) else {
                throw DBusError(
                    .limitsExceeded,
                    "“keywords” must be at most \(Limit.keywords) words of at most \(Limit.keyword) bytes")
            }
            changed.keywords = keywords
        }
        if let payload = try map.value("payload", as: [UInt8].self) {
            guard payload.count <= Limit.payload else {
                throw DBusError(
                    .limitsExceeded, "“payload” has \(payload.count) bytes; the limit is \(Limit.payload) (64 KiB)")
            }
            changed.payload = payload
        }
        if let url = try map.bounded("url", Limit.url) {
            guard url.isEmpty || WebAddress.host(of: url) != nil, url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            else {
                throw DBusError(.invalidInput, "“url” must begin with https:// or http:// and name a host")
            }
            changed.webPageURL = url.isEmpty ? nil : url
        }
        if let place = try map.value("place", as: VariantMap.self) {
            let item = try MapItem(transfer: place)
            changed.place = item == MapItem() ? nil : item
        }
        if let media = try map.value("media", as: VariantMap.self) {
            changed.media = media.isEmpty ? nil : try NowPlayingInfo(transfer: media)
        }
        try changed.updateIdentifiers(map)
        if let isEligible = try map.value("search", as: Bool.self) { changed.isEligibleForSearch = isEligible }
        if let isEligible = try map.value("suggestion", as: Bool.self) { changed.isEligibleForSuggestion = isEligible }
        if let needsSave = try map.value("needs-save", as: Bool.self) { changed.needsSave = needsSave }
        try changed.updateDates(map)
        self = changed
    }

    private mutating func updateIdentifiers(_ map: VariantMap) throws(DBusError) {
        let keys: [(String, WritableKeyPath<Activity, String?>)] = [
            ("content", \.contentIdentifier), ("group", \.group), ("related", \.relatedIdentifier),
            ("reservation", \.reservation), ("booking", \.booking),
        ]
        for (key, path) in keys {
            if let text = try map.bounded(key, Limit.identifier) { self[keyPath: path] = text.isEmpty ? nil : text }
        }
    }

    private mutating func updateDates(_ map: VariantMap) throws(DBusError) {
        let keys: [(String, WritableKeyPath<Activity, Date?>)] = [
            ("start", \.start), ("end", \.end), ("expiry", \.expiry),
        ]
        for (key, path) in keys {
            if let date = try map.date(microseconds: key) {
                self[keyPath: path] = date.timeIntervalSince1970 == 0 ? nil : date
            }
        }
        if let start, let end, end < start { throw DBusError(.invalidInput, "“end” is before “start”") }
    }

    /// The activity with the same keys. Unknown and empty values are left out.
    public var transfer: VariantMap {
        var map: VariantMap = [
            "type": .string(type), "title": .string(title), "search": .boolean(isEligibleForSearch),
            "suggestion": .boolean(isEligibleForSuggestion), "needs-save": .boolean(needsSave),
        ]
        if !keywords.isEmpty { map["keywords"] = keywords.dbusValue }
        if !payload.isEmpty { map["payload"] = payload.dbusValue }
        map["url"] = webPageURL.map(Value.string)
        map["place"] = place?.transfer.dbusValue
        map["content"] = contentIdentifier.map(Value.string)
        map["group"] = group.map(Value.string)
        map["related"] = relatedIdentifier.map(Value.string)
        map["reservation"] = reservation.map(Value.string)
        map["booking"] = booking.map(Value.string)
        map["media"] = media?.transfer.dbusValue
        map["start"] = start.map { .uint64($0.microseconds) }
        map["end"] = end.map { .uint64($0.microseconds) }
        map["expiry"] = expiry.map { .uint64($0.microseconds) }
        return map
    }
}

extension VariantMap {
    /// Returns the text under a key, of at most `limit` bytes of UTF-8; `nil` if the key is absent.
    fileprivate func bounded(_ key: String, _ limit: Int) throws(DBusError) -> String? {
        guard let text = try value(key, as: String.self) else { return nil }
        guard text.utf8.count <= limit else {
            throw DBusError(.limitsExceeded, "“\(key)” has \(text.utf8.count) bytes; the limit is \(limit)")
        }
        return text
    }
}
