// An app that has places on the screen, in a process of its own: it shows one after the other, turns away from the last when
// told to, and stays until it is ended.
//
//     activity-app [--lazily] [--resign] NAME LATITUDE LONGITUDE …
import Glibc
import HunchDBus
import HunchKit
import HunchModel

/// Knows where the user stands when that is asked for.
final class Reader: ActivityDelegate {
    func save(_ activity: inout Activity) async { activity.payload = Array("line=41".utf8) }
}

func fail(_ text: String) -> Never {
    let line = Array("activity-app: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(2)
}

func place(_ words: ArraySlice<String>) -> MapItem {
    let words = Array(words)
    guard words.count == 3, let latitude = Double(words[1]), let longitude = Double(words[2]),
        let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
    else { fail("“\(words.joined(separator: " "))” is not a place; give NAME LATITUDE LONGITUDE") }
    return MapItem(name: words[0], coordinate: coordinate)
}

let arguments = CommandLine.arguments.dropFirst()
let words = Array(arguments.filter { !$0.hasPrefix("--") })
let places = stride(from: 0, to: words.count, by: 3).map { place(words[$0..<min($0 + 3, words.count)]) }
let loop = try EventLoop()
try loop.start()
do {
    let activities = try await AppActivities(on: HunchAgent(on: loop))
    let reader = Reader()
    for (number, place) in places.enumerated() {
        // The app keeps no reference: the current activity is kept alive for it.
        let page = AppActivity(
            Activity(type: "org.hunch.Test.page", title: place.name ?? "", place: place), in: activities,
            delegate: reader)
        try await page.becomeCurrent()
        if arguments.contains("--lazily") { try await page.setNeedsSave() }
        if arguments.contains("--resign"), number == places.count - 1 { try await page.resign() }
    }
    print("shown")
    fflush(nil)
    try await loop.sleep(for: .seconds(3_600))
    withExtendedLifetime((activities, reader)) {}
} catch {
    fail("\(error)")
}
