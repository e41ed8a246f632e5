extension String {
    /// The key of a dictionary on the bus for a Swift name: `seen-places` for `seenPlaces`.
    public var busKey: String {
        reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// The Swift name for a key of a dictionary on the bus: `seenPlaces` for `seen-places`.
    public var swiftName: String {
        var isWordStart = false
        return reduce(into: "") {
            if $1 != "-" { $0 += isWordStart ? $1.uppercased() : String($1) }
            isWordStart = $1 == "-"
        }
    }
}
