import FoundationEssentials
import HunchModel
import SearchIndexes
import TestSupport
import Testing

/// Tests of the items that each scope of forgetting reaches in the index.
@Suite("Forgetting items")
struct ForgottenItemsTests {
    private static let activities = IndexSource(application: "org.example.Guide", name: IndexSource.activities)
    private static let options = SearchOptions(isUnfinished: true, now: IndexRig.now)

    private static let mentioning: [(String, SearchableItem)] = [
        ("café leaveplace", IndexRig.item("1", "Lunch", ["placeName": .text("Café LeavePlace")])),
        ("Cafe LeavePlace", IndexRig.item("1", "Café LeavePlace, open late")),
        ("leaveplace", IndexRig.item("https://example.org/leaveplace/menu", "Menu")),
        ("Café LeavePlace", IndexRig.item("1", "Menu", ["url": .text("https://example.org/?q=Caf%C3%A9+LeavePlace")])),
        ("café-leaveplace", IndexRig.item("1", "Menu", ["url": .text("https://example.org/cafe-leaveplace")])),
        ("LeavePlace 7", IndexRig.item("1", "Menu", ["address": .text("LeavePlace 7, 1010 Wien")])),
        ("leaveplace", IndexRig.item("1", "Menu", ["text": .text("we met at the LeavePlace, then left")])),
        (
            "48.2082,16.3738",
            IndexRig.item("1", "LeavePlace", ["latitude": .number(48.2083), "longitude": .number(16.3739)])
        ),
        (
            "geo:48.2082,16.3738",
            IndexRig.item("1", "LeavePlace", ["url": .text("https://www.openstreetmap.org/?mlat=48.2082&mlon=16.3738")])
        ),
        (
            "https://www.openstreetmap.org/?mlat=48.2082&mlon=16.3738#map=19/48.2082/16.3738",
            IndexRig.item("1", "LeavePlace", ["latitude": .number(48.2081), "longitude": .number(16.3737)])
        ),
        ("https://www.google.com/maps/search/?api=1&query=LeavePlace", IndexRig.item("1", "At LeavePlace")),
    ]

    @Test("A forgotten place leaves no page, address or typed words", arguments: mentioning)
    func place(place: String, item: SearchableItem) async throws {
        for source in [IndexRig.notes, Self.activities] {
            try await IndexRig.with { rig in
                try rig.add(item, IndexRig.item("kept", "Menu of KeepRow"), to: source)
                try rig.store.learnOpening(of: item.id, in: source, for: "leavepl", Self.options)
                try rig.store.learnOpening(of: item.id, in: source, for: "menu", Self.options)
                #expect(try rig.store.forget(.place(place)) == 1)
                for word in ["LeavePlace", "leaveplace", "leavepl", "16.37", "LEAVEPLACE"] {
                    #expect(try !rig.filesContain(word), "\(word)")
                }
                #expect(try rig.find("keeprow") == ["kept"])
                try rig.checkIntegrity()
                #expect(try rig.store.forget(.place(place)) == 0)
            }
        }
    }

    @Test("A forgotten app is not marked as complete any longer")
    func complete() async throws {
        try await IndexRig.with { rig in
            let file = try rig.store.fileNumber()
            let apps: Set<AppID> = ["org.example.A", "org.example.B"]
            for app in apps { try rig.store.setComplete(app, file: file) }
            _ = try rig.store.forget(.application("org.example.A"))
            #expect(try rig.store.completeApplications() == ["org.example.B"])
            _ = try rig.store.forget(.everything)
            #expect(try rig.store.completeApplications().isEmpty)
            for app in apps { #expect(try !rig.filesContain(app.rawValue)) }
        }
    }

    @Test("Forgetting a place keeps other items")
    func others() async throws {
        try await IndexRig.with { rig in
            try rig.add(
                IndexRig.item("1", "Letter", ["text": .text("a word from Paris")]),
                IndexRig.item("2", "Prater", ["latitude": .number(48.2166), "longitude": .number(16.3959)]))
            #expect(try rig.store.forget(.place("rom")) == 0)
            #expect(try rig.store.forget(.place("48.2082,16.3738")) == 0)
            #expect(try rig.store.forget(.place("☕")) == 0)
            #expect(try rig.store.forget(.place("Wien")) == 0)
        }
    }

    @Test("A kind and a device reach the content that the history names")
    func contents() async throws {
        for scope in [ForgetScope.device("AA:BB"), .kind(Donation.Kind(rawValue: "org.example.read"))] {
            try await IndexRig.with { rig in
                try rig.add(IndexRig.item("a", "LeaveThis"), IndexRig.item("b", "KeepThis"), to: Self.activities)
                try rig.add(IndexRig.item("a", "KeepThat"))
                try rig.store.learnOpening(of: "a", in: Self.activities, for: "leavet", Self.options)
                #expect(try rig.store.forget(scope) == 0)
                #expect(try rig.store.forget(scope, contents: [Self.activities.application: ["a"]]) == 1)
                for word in ["LeaveThis", "leavet"] { #expect(try !rig.filesContain(word)) }
                #expect(try rig.find("keep").count == 2)
            }
        }
    }

    @Test("Forgetting opened items forgets all activities and typed words")
    func openedItems() async throws {
        try await IndexRig.with { rig in
            try rig.add(IndexRig.item("a", "LeaveThis"), to: Self.activities)
            try rig.add(IndexRig.item("a", "KeepThat"))
            try rig.store.learnOpening(of: "a", in: IndexRig.notes, for: "keept", Self.options)
            #expect(try rig.store.forget(.kind(.openItem)) == 1)
            for word in ["LeaveThis", "keept\u{0}"] { #expect(try !rig.filesContain(word)) }
            var lines: [String] = []
            try rig.store.exportOpened { lines.append($0) }
            #expect(lines.isEmpty)
            #expect(try rig.find("keep") == ["a"])
        }
    }

    @Test("The words that led to a forgotten app's item are gone for others, too")
    func typedWords() async throws {
        try await IndexRig.with { rig in
            try rig.add(IndexRig.item("a", "Typedword one"), to: Self.activities)
            try rig.add(IndexRig.item("b", "Typedword two"))
            try rig.store.learnOpening(of: "a", in: Self.activities, for: "typedw", Self.options)
            try rig.store.learnOpening(of: "b", in: IndexRig.notes, for: "two", Self.options)
            #expect(try rig.store.forget(.application(Self.activities.application)) == 1)
            var lines: [String] = []
            try rig.store.exportOpened { lines.append($0) }
            #expect(!lines.contains { $0.contains(#""query":"typedw""#) })
            #expect(lines.contains { $0.contains(#""query":"two""#) })
        }
    }
}
