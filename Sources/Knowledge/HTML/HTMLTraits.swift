/// The groups to which an element belongs, for the rules of the tree. Source: HTML Standard, section 13.2.
package struct HTMLTraits: OptionSet {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Elements without content.
    static let void = HTMLTraits(rawValue: 1 << 0)
    /// Elements whose content has no tags.
    static let raw = HTMLTraits(rawValue: 1 << 1)
    /// Elements whose content has no tags and does not count as text of the page.
    static let hidden = HTMLTraits(rawValue: 1 << 2)
    /// Elements of other languages.
    static let foreign = HTMLTraits(rawValue: 1 << 3)
    /// Elements that end SVG and MathML.
    static let leavesForeign = HTMLTraits(rawValue: 1 << 4)
    /// Elements that change how text looks.
    static let formatting = HTMLTraits(rawValue: 1 << 5)
    /// Elements that an end tag does not reach through.
    static let scope = HTMLTraits(rawValue: 1 << 6)
    /// Elements that begin a line of their own.
    package static let block = HTMLTraits(rawValue: 1 << 7)
    /// Elements before which a paragraph ends.
    static let endsParagraph = HTMLTraits(rawValue: 1 << 8)
    /// Elements that the end of an entry in a list does not reach through.
    static let special = HTMLTraits(rawValue: 1 << 9)
    static let paragraph = HTMLTraits(rawValue: 1 << 10)
    static let heading = HTMLTraits(rawValue: 1 << 11)
    static let item = HTMLTraits(rawValue: 1 << 12)
    static let term = HTMLTraits(rawValue: 1 << 13)
    static let option = HTMLTraits(rawValue: 1 << 14)
    static let optionGroup = HTMLTraits(rawValue: 1 << 15)
    static let ruby = HTMLTraits(rawValue: 1 << 16)
    static let cell = HTMLTraits(rawValue: 1 << 17)
    static let row = HTMLTraits(rawValue: 1 << 18)
    static let rowGroup = HTMLTraits(rawValue: 1 << 19)
    static let table = HTMLTraits(rawValue: 1 << 20)
    static let anchor = HTMLTraits(rawValue: 1 << 21)
    static let button = HTMLTraits(rawValue: 1 << 22)
    static let head = HTMLTraits(rawValue: 1 << 23)
    static let body = HTMLTraits(rawValue: 1 << 24)
    static let template = HTMLTraits(rawValue: 1 << 25)
    package static let lineBreak = HTMLTraits(rawValue: 1 << 26)
    /// Elements of which a page has one, whatever its end tags say.
    static let outermost = HTMLTraits(rawValue: 1 << 27)

    /// The parts of a table.
    static let tableParts: HTMLTraits = [.table, .rowGroup, .row, .cell]

    /// Returns the groups of an element; empty for one that the standard does not know.
    package static func of(_ name: HTMLName) -> HTMLTraits { names[name] ?? [] }

    private static let names: HTMLNameTable<HTMLTraits> = {
        var traits: [String: HTMLTraits] = [:]
        for (group, members) in [
            (
                void,
                "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"
            ),
            (raw, "title textarea"),
            (hidden, "script style xmp iframe noembed noframes plaintext"),
            (foreign, "svg math"),
            (
                leavesForeign,
                """
                b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu
                meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
                """
            ),
            (formatting, "a b big code em font i nobr s small strike strong tt u"),
            (scope, "applet caption html table td th marquee object template svg math"),
            (
                block,
                """
                address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption
                figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li legend listing main menu nav ol optgroup option p
                pre search section select summary table tbody td tfoot th thead title tr ul
                """
            ),
            (
                endsParagraph,
                """
                address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer
                form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary
                table ul xmp
                """
            ),
            (
                special,
                """
                article aside blockquote body center details dir dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
                header hgroup listing main menu nav ol pre search section select summary table tbody td tfoot th thead tr ul
                """
            ),
            (paragraph, "p"), (heading, "h1 h2 h3 h4 h5 h6"), (item, "li"), (term, "dd dt"), (option, "option"),
            (optionGroup, "optgroup"), (ruby, "rb rp rt rtc"), (cell, "td th"), (row, "tr"),
            (rowGroup, "tbody thead tfoot caption colgroup"), (table, "table"), (anchor, "a"), (button, "button"),
            (head, "head"), (body, "body"), (template, "template"), (lineBreak, "br"), (outermost, "html body"),
        ] as [(HTMLTraits, String)] {
            for name in members.split(whereSeparator: \.isWhitespace) {
                traits[String(name), default: []].insert(group)
            }
        }
        return HTMLNameTable(traits)
    }()

    /// The open elements that end where another element begins.
    struct Implied {
        let ends: HTMLTraits
        /// The elements beyond which none ends.
        let bounds: HTMLTraits
        /// Whether several end.
        var repeats = false
    }

    /// The elements that end where an element of these groups begins, as their end tags are optional; `nil` if none does.
    var implied: Implied? {
        // Most elements are of none of these groups.
        guard !isDisjoint(with: Self.implying) else { return nil }
        if contains(.item) { return Implied(ends: .item, bounds: [.scope, .special]) }
        if contains(.term) { return Implied(ends: .term, bounds: [.scope, .special]) }
        if contains(.cell) { return Implied(ends: .cell, bounds: [.row, .rowGroup, .table, .template]) }
        if contains(.row) {
            return Implied(ends: [.cell, .row], bounds: [.rowGroup, .table, .template], repeats: true)
        }
        if contains(.rowGroup) {
            return Implied(ends: [.cell, .row, .rowGroup], bounds: [.table, .template], repeats: true)
        }
        if contains(.anchor) { return Implied(ends: .anchor, bounds: [.scope, .block]) }
        if contains(.heading) { return Implied(ends: .heading, bounds: HTMLTraits(rawValue: .max)) }
        if contains(.option) { return Implied(ends: .option, bounds: [.scope, .optionGroup]) }
        if contains(.optionGroup) { return Implied(ends: [.option, .optionGroup], bounds: .scope, repeats: true) }
        if contains(.ruby) { return Implied(ends: .ruby, bounds: [.scope, .block]) }
        if contains(.button) { return Implied(ends: .button, bounds: .scope) }
        return Implied(ends: .head, bounds: [.table, .template])
    }

    private static let implying: HTMLTraits = [
        .item, .term, .cell, .row, .rowGroup, .anchor, .heading, .option, .optionGroup, .ruby, .button, .body,
    ]
}
