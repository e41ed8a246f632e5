/// A table of a report with a caption, in a box that scrolls.
struct ReportTable {
    /// A column.
    struct Column {
        let heading: String
        var isNumber = false
    }

    /// The width of the box around a table.
    enum Width: String {
        /// That of its place.
        case full
        /// At most about half a page, for few columns.
        case slim
        /// At least that of many columns. A narrow page scrolls the box sideways.
        case wide
    }

    /// The identifier in the page.
    let id: String
    let caption: String
    let columns: [Column]
    /// The cells of each row. The first cell is the row's heading.
    let rows: [[HTML]]
    /// The width of the box.
    var width = Width.full

    /// The number of rows above which the box scrolls.
    private static let mostRows = 12

    /// The table as markup.
    var html: HTML {
        func style(_ index: Int) -> HTML { columns[index].isNumber ? " class=\"number\"" : "" }
        let head: [HTML] = columns.indices.map { "<th scope=\"col\"\(style($0))>\(columns[$0].heading)</th>" }
        let body: [HTML] = rows.map { cells in
            let marked: [HTML] = zip(columns.indices, cells).map { index, cell in
                index == 0 ? "<th scope=\"row\"\(style(index))>\(cell)</th>" : "<td\(style(index))>\(cell)</td>"
            }
            return "<tr>\(marked)</tr>\n"
        }
        let isLong = rows.count > Self.mostRows
        // A box that scrolls is reached with the keyboard.
        let box: HTML =
            switch (isLong, width) {
            case (true, _): " long\" role=\"region\" aria-labelledby=\"\(id)\" tabindex=\"0\""
            case (false, .wide): "\" role=\"region\" aria-labelledby=\"\(id)\" tabindex=\"0\""
            case (false, .full), (false, .slim): "\""
            }
        return """
            <div class="scroll \(width.rawValue)\(box)>
            <table><caption id="\(id)">\(sentence: caption)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)</tbody></table>
            </div>

            """
    }
}
