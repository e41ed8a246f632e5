import MapLinks

/// A rule that finds a place somewhere in a text, next to other words.
protocol SearchingRule: PlaceRule {}
