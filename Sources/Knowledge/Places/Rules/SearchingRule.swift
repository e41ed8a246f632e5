import MapLinks

/// A rule that finds a place somewhere in a text, beside other words.
protocol SearchingRule: PlaceRule {}
