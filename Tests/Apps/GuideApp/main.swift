import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel

let loop = try EventLoop()
try loop.start()
let hunch = try await HunchAgent(on: loop)

let results = try await hunch.donate([
    Donation(
        application: "org.example.Podcasts", kind: .playMedia,
        parameters: ["item": "night-bus/41", "title": "Episode 41", "artist": "The Night Bus"],
        date: Date(), identifier: "play-1", group: "night-bus"),
    Donation(
        application: "org.example.Podcasts", kind: .playMedia,
        parameters: ["item": "night-bus/42", "startTime": "17:30"], date: Date()),
])
for result in results {
    print(result.isAccepted ? "accepted" : "\(result.code): \(result.message)")
}

let visit = Donation(
    application: "org.example.Podcasts", kind: Donation.Kind(rawValue: "joinLiveShow"),
    parameters: ["show": "night-bus", "room": "main"], date: Date())
print(try await hunch.donate([visit]).allSatisfy(\.isAccepted) ? "joined" : "refused")

try await hunch.setUpcoming([
    Announcement(item: "night-bus/42", title: "Episode 42", isExclusive: true),
    Announcement(item: "night-bus/43", title: "Episode 43"),
])
try await hunch.setRelevant([
    Announcement(item: "traffic-now", title: "Traffic, this minute", trigger: .device(.car))
])

print(try await hunch.deleteDonations(groups: ["night-bus"]), "removed")
loop.stop()
