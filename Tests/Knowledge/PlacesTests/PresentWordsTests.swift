import HunchModel
import Testing

@testable import JourneyWords

/// Words for leaving now, which are no part of the destination.
@Suite("Words for now")
struct PresentWordsTests {
    @Test(
        "Words for now are no part of the destination",
        arguments: [
            "to Foobar House now", "to Foobar House right now", "to Foobar House right away", "now to Foobar House",
            "Foobar House now", "Foobar House, asap", "get me to Foobar House immediately", "now Foobar House",
            "nach Foobar House jetzt gleich", "jetzt sofort nach Foobar House", "sofort los nach Foobar House",
            "nach Foobar House so schnell wie möglich", "jetzt Foobar House", "ab sofort nach Foobar House",
            "à Foobar House maintenant", "maintenant à Foobar House", "tout de suite à Foobar House",
            "a Foobar House ahora mismo", "ahora a Foobar House", "adesso a Foobar House", "para Foobar House agora",
            "nu naar Foobar House", "naar Foobar House meteen", "nu till Foobar House", "teraz do Foobar House",
            "do Foobar House hned", "сейчас в Foobar House", "зараз до Foobar House", "şimdi Foobar House",
        ])
    func destination(_ text: String) {
        let request = RequestWords(text)
        #expect(request.destination.joined(separator: " ").hasSuffix("Foobar House"))
        #expect(request.time?.isNow == true)
    }

    @Test(
        "Words for now may be next to a mode or a start",
        arguments: [
            ("Potsdam now by bike", "Potsdam | bike | 11-28 10:00"),
            ("mit dem Rad jetzt gleich nach Potsdam", "Potsdam | bike | 11-28 10:00"),
            ("from Berlin to Potsdam right away", "Berlin | Potsdam | 11-28 10:00"),
            ("de Paris à Lyon maintenant", "Paris | Lyon | 11-28 10:00"),
            ("de Sevilla a Madrid ahora mismo en tren", "Sevilla | Madrid | train | 11-28 10:00"),
            ("jetzt von Berlin nach Potsdam", "Berlin | Potsdam | 11-28 10:00"),
            ("横浜へ今すぐ", "横浜 | 11-28 10:00"), ("大至急横浜に行きたい", "横浜 | 11-28 10:00"),
            ("马上去上海", "上海 | 11-28 10:00"), ("今すぐに電車で横浜まで", "横浜 | train | 11-28 10:00"),
        ])
    func beside(_ text: String, reading: String) throws { #expect(try RequestWordsTests.reading(text) == reading) }

    @Test(
        "A name that contains such a word stays whole",
        arguments: [
            "Apocalypse Now", "Now Museum", "to the agora", "Agora", "Ya Ya Bar", "Café Jetzt", "今治", "nach Ora",
        ])
    func name(_ name: String) { #expect(RequestWords(name).time == nil) }
}
