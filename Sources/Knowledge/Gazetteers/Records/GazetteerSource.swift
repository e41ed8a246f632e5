public import FoundationEssentials

/// A source of gazetteer entries.
public struct GazetteerSource: Hashable, Sendable, Codable {
    /// The name of the source. Importing a source of the same name replaces it.
    public var name: String
    /// The path of the imported file.
    public var file: String
    /// The modification date of the file.
    public var fileDate: Date
    /// The date of the import.
    public var importDate: Date
    /// The licence of the entries.
    public var licence: String
    /// The attribution to show with the entries.
    public var attribution: String
    /// The number of places and streets.
    public var placeCount: Int
    /// The number of houses.
    public var houseCount: Int

    /// Creates a source. The counts are known after the import.
    public init(
        name: String, file: String, fileDate: Date, importDate: Date, licence: String, attribution: String,
        placeCount: Int = 0, houseCount: Int = 0
    ) {
        self.name = name
        self.file = file
        self.fileDate = fileDate
        self.importDate = importDate
        self.licence = licence
        self.attribution = attribution
        self.placeCount = placeCount
        self.houseCount = houseCount
    }
}
