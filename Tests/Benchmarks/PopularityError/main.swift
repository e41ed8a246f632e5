// Reads the number of the item that each user opened, one a line, and estimates the numbers of people from random reports.
// usage: popularity-error EPSILON ITEMS SEED < OPENED     prints for each item: the unbiased estimate, and the lowered one
import Popularity

import SeededRandom

let arguments = CommandLine.arguments.dropFirst().compactMap(Double.init)
guard arguments.count == 3, let encoding = UnaryEncoding(epsilon: arguments[0]) else {
    fatalError("usage: popularity-error EPSILON ITEMS SEED")
}
var random = SplitMix64(seed: UInt64(arguments[2]))
func key(_ item: Int) -> PopularityKey {
    PopularityKey(address: "https://example.org/\(item)", application: "", index: "", item: "")
}
var sketch = PopularitySketch(encoding: encoding)
while let line = readLine() {
    try sketch.add(PopularityReport(about: Int(line).map(key), encoding: encoding, using: &random))
}
let estimator = sketch.estimator()
for item in 0..<Int(arguments[1]) {
    print(estimator.estimate(of: key(item)), estimator.share(of: key(item)) * sketch.total)
}
