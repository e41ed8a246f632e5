import ArgumentParser
import HunchModel

/// A kind of app that takes part in Hunch, with a small program in Python that does.
enum AppTemplate: String, CaseIterable, ExpressibleByArgument {
    /// Offers playable content.
    case media
    /// Reports what it shows, and continues it.
    case activity
    /// Puts its content into the search index.
    case index
    /// Donates what the user did.
    case donor
    /// Shows routes.
    case routing

    /// Whether the bus starts the program.
    var isActivatable: Bool { self == .activity || self == .index }

    /// The lines of the desktop entry besides those that every entry has.
    var entry: String {
        switch self {
        case .media: "Categories=AudioVideo;Audio;Player;\nImplements=org.hunch.PlayableContent1;\n"
        case .activity: "DBusActivatable=true\nImplements=org.hunch.ContinueActivity1;\n"
        case .index: "DBusActivatable=true\nImplements=org.hunch.IndexDelegate1;org.hunch.ContinueActivity1;\n"
        case .donor: "MimeType=x-scheme-handler/http;x-scheme-handler/https;\nNoDisplay=true\n"
        case .routing:
            """
            MimeType=x-scheme-handler/geo;
            Implements=org.hunch.RoutingApp1;

            [X-org.hunch.RoutingApp1]
            Modes=car;pedestrian;
            Uri=geo:{lat},{lon}

            """
        }
    }

    /// The field codes of `Exec`.
    var fieldCode: String { self == .routing || self == .donor ? " %u" : "" }

    /// Returns the program.
    func program(of app: AppID) -> String {
        let body =
            switch self {
            case .media:
                #"""
                EPISODES = {
                    "episode-1": {"xesam:title": "Episode 1", "progress": 0.5},
                    "episode-2": {"xesam:title": "Episode 2"},
                }


                class Content(hunch.Content):
                    def children(self, parent):
                        return EPISODES if parent == "" else {}

                    def prepare(self, items, context):
                        item = items[0] if items else "episode-1"
                        return {"xesam:title": self.episode(item)["xesam:title"], "item": item}

                    def play(self, item):
                        print("playing", self.episode(item)["xesam:title"])  # Start your player here.
                        self.now_playing(item)

                    def episode(self, item):
                        if item not in EPISODES:
                            raise hunch.Error(f"there is no episode {item}")
                        return EPISODES[item]


                hunch.serve("ID", content=Content())
                hunch.upcoming([{"item": "episode-1", "title": "Episode 1"}])
                hunch.run()
                """#
            case .activity:
                #"""
                def show(activity=None):
                    if activity:
                        print("going on with", activity["title"])  # Show it in your window.


                hunch.serve("ID", open=show, activate=show)
                place = {"name": "Yank Sing", "latitude": 37.7922, "longitude": -122.3931, "phone": "+1 415 555 0123"}
                page = hunch.Activity("ID.restaurant", "Yank Sing", content="yank-sing", place=place, search=True).show()
                # page.hide() when the user turns away: then Hunch suggests directions.
                hunch.run()
                """#
            case .index:
                #"""
                NOTES = [
                    {"id": "1", "title": "Dim sum", "text": "Yank Sing on Stevenson Street, with Ann"},
                    {"id": "2", "title": "Jazz club", "text": "Ask Ann for the address"},
                ]
                index = hunch.Index("notes")


                def reindex(name, identifiers):
                    if identifiers is None:
                        index.replace(NOTES, state="1")
                    else:
                        index.add(*(note for note in NOTES if note["id"] in identifiers))


                def show(activity=None):
                    if activity:
                        print("showing note", activity.get("content"))  # Show it in your window.


                hunch.serve("ID", reindex=reindex, open=show, activate=show)
                if not index.state:
                    reindex("", None)
                hunch.run()
                """#
            case .donor:
                #"""
                # The user opened a page. Hunch passes the address again when it suggests the page.
                address = sys.argv[1] if len(sys.argv) > 1 else "https://example.org/forecast"
                hunch.donate("openItem", {"uri": address, "title": "Forecast"}, id=address)
                print("opened", address)
                """#
            case .routing:
                #"""
                # Hunch fills in the template of the desktop entry: geo:LATITUDE,LONGITUDE.
                print("routing to", sys.argv[1] if len(sys.argv) > 1 else "nowhere")
                """#
            }
        let imports =
            switch self {
            case .donor: "import sys\n\nimport hunch"
            case .routing: "import sys"
            case .media, .activity, .index: "import hunch"
            }
        return "#!/usr/bin/python3\n\(imports)\n\n" + body.replacing("ID", with: app.rawValue) + "\n"
    }

    /// Commands that show that it works, with what they show.
    func steps(_ program: String, _ app: AppID) -> [(command: String, effect: String)] {
        let start = (command: program, effect: "start the app")
        let further: [(command: String, effect: String)] =
            switch self {
            case .media:
                [
                    ("hunch-dev conformance \(app)", "in another terminal: check every requirement"),
                    ("hunch-dev trigger headphones", "let Hunch act as if headphones had connected"),
                ]
            case .activity:
                [
                    ("hunch activity", "in another terminal: see what the app shows"),
                    ("hunch activity continue ID", "have the app continue it"),
                ]
            case .index: [("hunch find dim sum", "in another terminal: find a note")]
            case .donor: [("hunch history", "see what was recorded")]
            case .routing: [("hunch directions 48.85,2.35 --all", "see the app in the list")]
            }
        return (self == .routing ? [] : [start]) + further
    }
}
