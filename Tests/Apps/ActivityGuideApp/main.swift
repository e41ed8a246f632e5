import HunchDBus
import HunchKit
import HunchModel

let loop = try EventLoop()
try loop.start()
let hunch = try await HunchAgent(on: loop)
let activities = try await AppActivities(on: hunch)

let page = AppActivity(
    Activity(
        type: "org.example.Guide.restaurant", title: "Yank Sing", keywords: ["dim sum"],
        webPageURL: "https://guide.example.org/yank-sing",
        place: MapItem(
            name: "Yank Sing", coordinate: try Coordinate(latitude: 37.7922, longitude: -122.3931),
            address: PostalAddress(street: "49 Stevenson Street", city: "San Francisco"),
            phoneNumber: "+1 415 555 0123"),
        contentIdentifier: "yank-sing", group: "san-francisco"),
    in: activities)
try await page.becomeCurrent()
print(try await hunch.currentActivity()?.activity.title ?? "nothing")

final class Reader: ActivityDelegate {
    func save(_ activity: inout Activity) async {
        activity.payload = Array("line=41".utf8)
    }
}

let reader = Reader()
let menu = AppActivity(
    Activity(type: "org.example.Guide.menu", title: "Menu", contentIdentifier: "menu"),
    in: activities, delegate: reader)
try await menu.becomeCurrent()
try await menu.setNeedsSave()
print(String(decoding: try await hunch.currentActivity()?.activity.payload ?? [], as: UTF8.self))

try await activities.serveContinuation(of: "org.example.Guide") { state in
    print("going on with", state.activity.title)
}
for shown in try await hunch.recentActivities(limit: 1) {
    print(try await hunch.continueActivity(shown.id))
}

try await menu.resign()
try await menu.invalidate()
print(try await hunch.deleteActivities(groups: ["san-francisco"]), "removed")
loop.stop()
