import Testing

@testable import JourneyWords

/// Destinations of several words such as “to”, none of which is a start.
@Suite("Words before destinations")
struct DestinationWordsTests {
    @Test(
        "A person or a place before its town is one destination with it",
        arguments: [
            ("zu Oma nach Cottbus", "Oma in Cottbus"), ("zum Arzt nach Spandau", "Arzt in Spandau"),
            ("zur Schule nach Bernau", "Schule in Bernau"), ("Ins Kino nach Potsdam", "Kino in Potsdam"),
            ("nach Cottbus zu Oma", "Oma in Cottbus"), ("bei den Großeltern nach Celle", "Großeltern in Celle"),
            ("zu Oma um 9 nach Cottbus", "Oma in Cottbus | 11-29 09:00"),
            ("mit dem Zug zu Oma nach Cottbus", "Oma in Cottbus | train"),
            ("wie komme ich morgen um 9 zum Zoo nach Leipzig", "Zoo in Leipzig | 11-29 09:00"),
            ("naar oma naar Utrecht", "oma in Utrecht"), ("naar de dokter naar Gent", "de dokter in Gent"),
            ("till mormor till Uppsala", "mormor, Uppsala"), ("til farmor til Aarhus", "farmor, Aarhus"),
            ("do babci do Krakowa", "babci, Krakowa"), ("k babičce do Brna", "babičce, Brna"),
            ("к бабушке до Тулы", "бабушке, Тулы"), ("до бабусі до Львова", "бабусі, Львова"),
            ("dalla nonna a Milano", "nonna, Milano"), ("dal medico a Roma", "medico, Roma"),
            ("von Potsdam zu Oma nach Cottbus", "Potsdam | Oma in Cottbus"),
            ("zum Arzt nach Spandau von Potsdam", "Potsdam | Arzt in Spandau"),
            ("van Gent naar oma naar Utrecht", "Gent | oma in Utrecht"),
        ])
    func placeInTown(_ text: String, reading: String) throws {
        #expect(try RequestWordsTests.reading(text) == reading)
    }

    @Test(
        "Words for going somewhere begin no start",
        arguments: [
            "zu Oma nach Cottbus", "zum Arzt nach Spandau", "ins Kino nach Potsdam", "zur Uni um 9 nach Jena",
            "chez mamie à Lyon", "au musée à Lyon", "à la plage à Nice", "al médico a Sevilla",
            "a la playa a Málaga", "para a escola para Lisboa", "naar oma naar Utrecht", "hos mormor till Uppsala",
            "to grandma to Leeds", "do babci do Krakowa", "до бабусі до Львова",
        ])
    func noStart(_ text: String) {
        #expect(RouteWords(text) == nil)
        #expect(RouteWords.possible(in: text) == [])
    }

    @Test(
        "A place of a town or a square of that name is no route from there",
        arguments: [
            ("au musée de Lille", "musée de Lille"), ("à la gare de Lyon", "la gare de Lyon"),
            ("vers la place de la Bastille", "la place de la Bastille"),
            ("aux Halles d'Avignon", "Halles d'Avignon"), ("al museo de Málaga", "museo de Málaga"),
            ("hasta la plaza de España", "la plaza de España"), ("para casa da avó", "casa da avó"),
            ("para o museu do Porto", "museu do Porto"),
        ])
    func genitive(_ text: String, place: String) throws {
        #expect(RouteWords(text) == nil)
        #expect(RequestWords(text).destination.joined(separator: " ") == place)
    }

    @Test(
        "Starts with such a word as a part of their names and ends in both orders are kept",
        arguments: [
            ("zu Hause nach Potsdam", "zu Hause | Potsdam"), ("de Paris à Lyon", "Paris | Lyon"),
            ("à Lyon depuis Paris", "Paris | Lyon"), ("hacia Madrid desde Sevilla", "Sevilla | Madrid"),
            ("dalla stazione a Roma", "stazione | Roma"),
            ("para Lisboa desde Braga", "Braga | Lisboa"), ("nach Potsdam von Berlin", "Berlin | Potsdam"),
        ])
    func route(_ text: String, reading: String) throws { #expect(try RequestWordsTests.reading(text) == reading) }

    @Test("A town that is called like such a word may be a start", arguments: ["Ins nach Bern", "Au à Zürich"])
    func townLikeWord(_ text: String) { #expect(RouteWords.possible(in: text).count == 1) }

    @Test(
        "Both orders of a genitive may be a route if they are towns",
        arguments: ["à Paris de Lyon", "para Lisboa do Porto"])
    func possibleGenitive(_ text: String) {
        #expect(RouteWords.possible(in: text).contains { ["Lyon", "Porto"].contains($0.source) })
    }
}
