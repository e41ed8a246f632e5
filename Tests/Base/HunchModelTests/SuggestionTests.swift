import FoundationEssentials
import HunchModel
import Testing

/// Tests of suggestions as values.
@Suite("Suggestion values") struct SuggestionTests {
    private func suggestion(_ action: Suggestion.Action, of application: AppID = "app") -> Suggestion {
        Suggestion(
            id: "s", title: "t", subtitle: "", application: application, applicationName: "", source: "", score: 1,
            explanation: [], context: Context(), expiry: .distantFuture, action: action)
    }

    private func donation(_ kind: Donation.Kind, _ item: String = "i", title: String = "") -> Donation {
        Donation(
            application: "app", kind: kind, parameters: ["item": item, "title": title], date: .distantPast,
            combination: ["item"])
    }

    @Test(
        "Each kind has a text form",
        arguments: [
            (.playMedia, "media"), (.getDirections, "directions"), (.startCall, "call"), (.sendMessage, "message"),
            (.openItem, "item"), (.getReservationDetails, "reservation"),
            (Donation.Kind(rawValue: "orderCoffee"), "orderCoffee"),
        ] as [(Donation.Kind, String)])
    func words(kind: Donation.Kind, word: String) {
        #expect(Suggestion.Kind(kind).rawValue == word)
        #expect(suggestion(.open(donation(kind))).kind.rawValue == word)
    }

    @Test("Suggestions are the same whatever their wording")
    func same() {
        let one = suggestion(.open(donation(.openItem, title: "One")))
        #expect(one.offersSame(as: suggestion(.open(donation(.openItem, title: "Two")))))
        #expect(!one.offersSame(as: suggestion(.open(donation(.openItem, "j")))))
        #expect(!one.offersSame(as: suggestion(.open(donation(.getReservationDetails)))))
        #expect(!one.offersSame(as: suggestion(.open(donation(.openItem)), of: "other")))
        #expect(!one.offersSame(as: suggestion(.call(uri: "tel:1"))))
        let play = suggestion(.play(item: "i", info: NowPlayingInfo(title: "a"), context: PlaybackContext()))
        let later = NowPlayingInfo(title: "a", position: 5)
        #expect(play.offersSame(as: suggestion(.play(item: "i", info: later, context: PlaybackContext()))))
        #expect(!play.offersSame(as: suggestion(.play(item: "j", info: later, context: PlaybackContext()))))
    }

    @Test("A place is restored from the parameters of its directions")
    func places() throws {
        let pool = MapItem(name: "Pool", coordinate: try Coordinate(latitude: 52.5, longitude: 13.4))
        #expect(MapItem(parameters: pool.parameters) == pool)
        #expect(MapItem(parameters: ["address": "Main St 1"]) == MapItem(query: "Main St 1"))
        #expect(MapItem(parameters: ["latitude": "91", "longitude": "0", "name": "x"]) == MapItem(name: "x"))
        #expect(MapItem(parameters: ["latitude": "nan", "longitude": "0"]) == nil)
        #expect(MapItem(parameters: ["latitude": "1", "mode": "car"]) == nil)
        #expect(MapItem(parameters: [:]) == nil)
    }

    @Test(
        "Each trigger is read back from its text",
        arguments: [
            ("device:00:11:22:33:44:55", .device("00:11:22:33:44:55")), ("login", .session(.sessionStarted)),
            ("unlock", .session(.unlocked)), ("resume", .session(.resumed)), ("arrive:home", .arrival("home")),
            ("leave:work", .departure("work")), ("arrive", .move), ("launch", .launch),
            ("activity:org.gnome.Maps", .activity("org.gnome.Maps")), ("coffee", .other("coffee")), ("", .other("")),
            ("device", .other("device")),
        ] as [(String, Trigger)])
    func triggers(text: String, trigger: Trigger) throws {
        #expect(Trigger(text) == trigger && trigger.description == text)
        let data = try JSONEncoder().encode([trigger])
        #expect(try JSONDecoder().decode([Trigger].self, from: data) == [trigger])
    }
}
