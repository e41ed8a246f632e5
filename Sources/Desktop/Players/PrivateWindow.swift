internal import HunchModel

/// Detects what browsers report about media in a private window: a sentence in place of the title, and nothing else.
///
/// Sources: Firefox 153 ESR and Chromium 156, run headless; `dom/media.ftl` (`mediastatus-fallback-title`) of Firefox in
/// 15 languages; `IDS` 11791 (“A site is playing media”) in all locales of Chromium 156. Both are shared by the forks:
/// LibreWolf, Waterfox, Floorp, Zen, Tor Browser; Chrome, Brave, Edge, Vivaldi, Opera. Chromium before 121 reports
/// the page's own title, which cannot be told from any other.
enum PrivateWindow {
    /// The track that Firefox and its forks report for anything.
    private static let firefoxTrack = "/org/mpris/MediaPlayer2/firefox"

    /// The short names of Firefox and its forks, in lower case. Translations keep the name as it is.
    private static let brands: Set<String> = [
        "firefox", "nightly", "librewolf", "waterfox", "floorp", "zen", "tor", "mullvad", "icecat", "iceweasel",
        "abrowser", "mercury", "midori", "zotero", "betterbird",
    ]

    /// The sentences of Firefox without the name, for a fork with another name.
    private static let phrases = [
        "is playing media", "spielt Medien ab", "lit un contenu multimédia", "právě přehrává média",
        "воспроизводит медиа", "がメディアを再生しています", "medya oynatıyor", "toistaa mediaa",
        "médialejátszást folytat", "odtwarza multimedia", "正在播放媒体", "está reproduciendo contenido multimedia",
        "αναπαράγει πολυμέσα", "يشغّل", "відтворює медіа",
    ]

    /// The sentences of Chromium.
    private static let chromiumTitles: Set<String> = [
        "'n Werf speel tans media",
        "A site is playing media",
        "Az egyik webhely médiatartalmat játszik le",
        "Bir site medya oynatıyor",
        "Een site speelt media af",
        "Eine Website gibt Medien wieder",
        "Et nettsted spiller av medier",
        "Et website afspiller medier",
        "May site na nagpe-play ng media",
        "Media spelas upp på en webbplats",
        "Một trang web đang phát nội dung đa phương tiện",
        "Sait esitab meediasisu",
        "Sebuah situs sedang memutar media",
        "Sivusto toistaa mediaa",
        "Spletno mesto predvaja predstavnost",
        "Strona odtwarza multimedia",
        "Svetainėje leidžiama medija",
        "Tapak sedang memainkan media",
        "Tovuti inacheza maudhui",
        "Um site está a reproduzir multimédia.",
        "Um site está com mídia aberta",
        "Un lloc web està reproduint contingut multimèdia",
        "Un site est en train de lire un contenu multimédia",
        "Un site redă fișiere media",
        "Un sitio está reproduciendo contenido multimedia",
        "Un sitio web está reproduciendo elementos multimedia",
        "Un sito sta riproducendo contenuti multimediali",
        "Vietne atskaņo multivides saturu",
        "Web prehráva médiá",
        "Web přehrává média",
        "Web-lokacija reproducira medije",
        "Ένας ιστότοπος κάνει αναπαραγωγή μέσων",
        "На сайте воспроизводятся медиафайлы",
        "Сайт възпроизвежда мултимедийно съдържание",
        "Сайт відтворює медіа-вміст",
        "Сајт пушта медијски садржај",
        "אתר מסוים מפעיל מדיה",
        "تفعيل موقع إلكتروني للوسائط",
        "سائٹ پر میڈیا چل رہا ہے",
        "سایتی درحال پخش رسانه است",
        "किसी साइट पर मीडिया चल रहा है",
        "साइट मीडिया प्ले करत आहे",
        "একটি সাইট মিডিয়া চালাচ্ছে",
        "સાઇટ મીડિયા ચલાવી રહી છે",
        "ஒரு தளம் மீடியாவை இயக்குகிறது",
        "ఒక సైట్‌లో మీడియా ప్లే చేయబడుతోంది",
        "ಒಂದು ಸೈಟ್, ಮಾಧ್ಯಮವನ್ನು ಪ್ಲೇ ಮಾಡುತ್ತಿದೆ",
        "സൈറ്റ്, മീഡിയ പ്ലേ ചെയ്യുന്നു",
        "เว็บไซต์กำลังเล่นสื่อ",
        "አንድ ጣቢያ ሚዲያን በማጫወት ላይ ነው",
        "サイトでメディアが再生されています",
        "一個網站正在播放媒體內容",
        "某个网站正在播放媒体内容",
        "사이트에서 미디어 재생 중",
    ]

    /// Returns whether an item is that of a private window. The real title is not known then.
    ///
    /// - Parameter identity: the player's name, which the sentence contains.
    static func matches(_ info: NowPlayingInfo, of kind: PlayerKind, identity: String = "") -> Bool {
        guard info.artists.isEmpty, info.album == nil, info.contentURL == nil else { return false }
        if chromiumTitles.contains(info.title) { return true }
        let isFirefox = info.trackIdentifier == firefoxTrack
        guard isFirefox || kind == .browser && info.trackIdentifier == nil else { return false }
        if phrases.contains(where: info.title.contains) { return true }
        let own = words(in: identity).intersection(brands)
        return !words(in: info.title).isDisjoint(with: own.isEmpty ? brands : own)
    }

    private static func words(in text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isASCII || !$0.isLetter }.map(String.init))
    }
}
