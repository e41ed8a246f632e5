/// Rows of text: aligned under headings on a terminal, tab-separated without headings elsewhere.
struct Table {
    private let headings: [String]
    private var rows: [[String]] = []

    init(_ headings: String...) { self.headings = headings }

    private init(headings: [String]) { self.headings = headings }

    /// Writes a list to standard output: with JSON an object a line, else a table with a row for each.
    static func list<Item: Encodable>(
        _ items: [Item], json: Bool, _ headings: String..., cells: (Item) -> [String]
    ) throws {
        if json { return try items.forEach { try Output.raw(Output.json($0)) } }
        var table = Table(headings: headings)
        table.rows = items.map { cells($0).map(Output.plain) }
        try table.print()
    }

    /// Adds a row of as many cells as there are headings, as ``Output/plain(_:)`` makes them.
    mutating func add(_ cells: String...) { rows.append(cells.map(Output.plain)) }

    /// The table, a line an element.
    func lines(for terminal: Terminal) -> [String] {
        guard terminal.isTerminal else { return rows.map { $0.joined(separator: "\t") } }
        let widths = headings.indices.map { column in ([headings] + rows).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }
            var text = padded.joined(separator: "  ")
            while text.last == " " { text.removeLast() }
            return text
        }
        return [terminal.bold(line(headings))] + rows.map(line)
    }

    /// Writes the table to standard output.
    func print() throws {
        for line in lines(for: .output) { try Output.raw(line) }
    }
}
