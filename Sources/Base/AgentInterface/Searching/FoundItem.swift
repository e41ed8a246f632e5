public import FoundationEssentials
public import HunchDBus
public import HunchModel

/// An item that a search found, as `org.hunch.Search1.Next` returns it.
public struct FoundItem: MapValue, Hashable, Sendable {
    /// The identifier that the app gave it.
    public var id: String
    /// The app that indexed it, or `script:NAME`.
    public var application: AppID
    /// The name of its index.
    public var index: String
    /// Its domain; `nil` without one.
    public var domain: String?
    /// Its title.
    public var title: String
    /// Its other attributes but the text.
    public var attributes: [String: AttributeValue]
    /// The fit with the words; greater is better. 1 for all items of a query.
    public var score: Double
    /// The date of its content, else that of its indexing; `nil` if it is unknown.
    public var date: Date?
    /// A line of its text around the words that were found; empty without one.
    public var excerpt: String

    /// Creates an item.
    public init(
        id: String, application: AppID, index: String, domain: String? = nil, title: String,
        attributes: [String: AttributeValue] = [:], score: Double = 1, date: Date? = nil, excerpt: String = ""
    ) {
        self.id = id
        self.application = application
        self.index = index
        self.domain = domain
        self.title = title
        self.attributes = attributes
        self.score = score
        self.date = date
        self.excerpt = excerpt
    }

    /// Whether it can be opened: items of scripts only if they have a `url`.
    public var isOpenable: Bool {
        application.scriptName == nil || attributes["url"]?.texts.first?.isEmpty == false
    }

    /// The name of its script, or the identifier of its app.
    public var ownerName: String { application.scriptName ?? application.rawValue }

    /// Reads an item. Unknown keys are ignored.
    ///
    /// - Throws: ``HunchDBus/DBusError`` `…InvalidArgs` for a value of the wrong type.
    public init(transfer map: VariantMap) throws(DBusError) {
        self.init(
            id: try map.value("id") ?? "", application: AppID(try map.value("app", as: String.self) ?? ""),
            index: try map.value("index") ?? "", domain: try map.value("domain"), title: try map.value("title") ?? "",
            score: try map.value("score") ?? 1,
            date: try map.value("date", as: Double.self).flatMap { Date(checkedSeconds: $0) },
            excerpt: try map.value("excerpt") ?? "")
        for (name, value) in try map.value("attributes", as: VariantMap.self) ?? [:] {
            attributes[name] = try AttributeValue(dbusValue: value, of: name)
        }
    }

    /// The item with its keys.
    public var transfer: VariantMap {
        var map: VariantMap = [
            "id": .string(id), "app": .string(application.rawValue), "index": .string(index),
            "title": .string(title), "score": .double(score), "attributes": attributes.transfer.dbusValue,
        ]
        map["domain"] = domain.map(Value.string)
        map["date"] = date.map { .double($0.timeIntervalSince1970) }
        if !excerpt.isEmpty { map["excerpt"] = .string(excerpt) }
        return map
    }
}
