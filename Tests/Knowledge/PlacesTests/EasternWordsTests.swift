import HunchModel
import Testing

@testable import JourneyWords

/// Requests in Japanese and Chinese: compounds, deadlines, parts of days, and routes.
@Suite("Requests without spaces")
struct EasternWordsTests {
    @Test(
        "A time before まで is one of arrival, except with a verb for leaving",
        arguments: [
            ("箱根に夕方5時まで", "箱根 | 11-28 17:00 arriving"), ("9時まで横浜へ", "横浜 | 11-29 09:00 arriving"),
            ("明日の朝8時半まで新宿", "新宿 | 11-29 08:30 arriving"), ("東京駅に18:30まで", "東京駅 | 11-28 18:30 arriving"),
            ("横浜から箱根に夕方5時まで", "横浜 | 箱根 | 11-28 17:00 arriving"),
            ("箱根に5時までに出発したい", "箱根 | 11-29 05:00"), ("箱根へ夕方5時までに出たい", "箱根 | 11-28 17:00"),
            ("箱根まで夕方5時に", "箱根 | 11-28 17:00"), ("夕方5時に箱根まで", "箱根 | 11-28 17:00"),
        ])
    func arrival(_ text: String, reading: String) throws { #expect(try RequestWordsTests.reading(text) == reading) }

    @Test(
        "A travel mode may be the end of a compound",
        arguments: [
            ("夜行バスで大阪へ", "大阪 | bus"), ("高速バスで名古屋", "名古屋 | bus"), ("深夜バスで京都まで", "京都 | bus"),
            ("寝台列車で札幌へ", "札幌 | train"), ("電動自転車で鎌倉に", "鎌倉 | bike"), ("大阪 夜行バス", "大阪 | bus"),
            ("市営バスで二条城へ", "二条城 | bus"), ("東京から大阪まで夜行バスで", "東京 | 大阪 | bus"),
            ("終電で横浜へ", "横浜 | train | ignored: 終電で"), ("坐长途大巴去杭州", "杭州 | bus"),
            ("高速道路博物館", "高速道路博物館"), ("夜行バスターミナル", "夜行バスターミナル"), ("市役所", "市役所"),
        ])
    func compound(_ text: String, reading: String) throws { #expect(try RequestWordsTests.reading(text) == reading) }

    @Test(
        "A day and a part of one may be spans",
        arguments: [
            ("今日中に横浜", "横浜 | 11-28 10:00"), ("明日の午前中に新宿へ", "新宿 | 11-29 09:00"),
            ("午前中に新宿へ", "新宿 | 11-29 09:00"), ("明日中に京都へ", "京都 | 11-29 09:00"),
            ("夕方に新宿へ", "新宿 | 11-28 19:00"), ("午後に横浜へ", "横浜 | 11-28 15:00"),
            ("土曜日の午前中に鎌倉", "鎌倉 | 12-05 09:00"), ("月曜日の午前中に電車で鎌倉", "鎌倉 | train | 11-30 09:00"),
            ("今日中野へ", "中野 | 11-28 10:00"), ("朝に渋谷", "渋谷 | 11-29 09:00"), ("夕張へ", "夕張"),
        ])
    func span(_ text: String, reading: String) throws { #expect(try RequestWordsTests.reading(text) == reading) }

    @Test(
        "から between two places makes a route",
        arguments: [
            ("渋谷から横浜", "渋谷 | 横浜"), ("新宿から箱根湯本", "新宿 | 箱根湯本"), ("さいたまから横浜", "さいたま | 横浜"),
            ("成田空港から東京ディズニーランド", "成田空港 | 東京ディズニーランド"), ("渋谷駅から徒歩5分", "渋谷駅から徒歩5分"),
            ("駅から500m", "駅から500m"), ("鶏のから揚げ", "鶏のから揚げ"), ("中津から揚げもり山", "中津から揚げもり山"),
            ("からやま", "からやま"), ("渋谷駅からすぐ", "渋谷駅からすぐ"), ("駅から車で10分", "駅から車で10分"),
        ])
    func route(_ text: String, reading: String) throws { #expect(try RequestWordsTests.reading(text) == reading) }
}
