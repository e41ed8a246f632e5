internal import Glibc

/// Rows of text: aligned under headings on a terminal, otherwise tab-separated without headings.
package struct Table {
    private let headings: [String]
    private var rows: [[String]] = []
    /// The number and the link of each row; empty if rows have none.
    private var links: [(number: Int, link: String)] = []

    package init(_ headings: String...) { self.headings = headings }

    private init(headings: [String]) { self.headings = headings }

    /// Writes a list to standard output: with JSON one object a line, otherwise a table with a row for each item.
    package static func list<Item: Encodable>(
        _ items: [Item], json: Bool, _ headings: String..., cells: (Item) -> [String]
    ) throws {
        if json { return try items.forEach { try Output.raw(Output.json($0)) } }
        var table = Table(headings: headings)
        table.rows = items.map { cells($0).map(Output.plain) }
        try table.print()
    }

    /// Adds a row with a cell for each heading, made safe by ``Output/plain(_:)``.
    package mutating func add(_ cells: String...) { rows.append(cells.map(Output.plain)) }

    /// Adds a row with a link. On a terminal, the row begins with its number, and the whole link stands below it, so that
    /// it can be copied. Elsewhere, the row has no number, and the link is its last cell.
    package mutating func add(_ cells: String..., number: Int, link: String) {
        rows.append(cells.map(Output.plain))
        links.append((number, Output.plain(link)))
    }

    /// The minimum number of columns of a cut cell.
    private static let narrowest = 8
    private static let gap = 2

    /// Returns the table, one element a line.
    ///
    /// - Parameter width: the columns of the terminal. The widest cells are cut so that lines fit.
    package func lines(for terminal: Terminal, width: Int = .max) -> [String] {
        guard terminal.isTerminal else {
            let cells = links.isEmpty ? rows : zip(rows, links).map { $0 + [$1.link] }
            return cells.map { $0.joined(separator: "\t") }
        }
        if !links.isEmpty { return numbered(for: terminal, width: width) }
        var widths = headings.indices.map { column in
            ([headings] + rows).map { Terminal.columns(of: $0[column]) }.max() ?? 0
        }
        while widths.reduce(0, +) + Self.gap * (widths.count - 1) > width,
            let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.narrowest
        {
            widths[widest] -= 1
        }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                let cell = Terminal.cut(cell, toColumns: width)
                return cell + String(repeating: " ", count: max(0, width - Terminal.columns(of: cell)))
            }
            var text = padded.joined(separator: String(repeating: " ", count: Self.gap))
            while text.last == " " { text.removeLast() }
            return text
        }
        return [terminal.bold(line(headings))] + rows.map(line)
    }

    private func numbered(for terminal: Terminal, width: Int) -> [String] {
        var table = Table(headings: ["#"] + headings)
        table.rows = zip(rows, links).map { ["\($1.number)"] + $0 }
        let lines = table.lines(for: terminal, width: width)
        let longest = links.map { "\($0.number)".count }.max() ?? 0
        let indent = String(repeating: " ", count: longest + Self.gap)
        return [lines[0]] + zip(lines.dropFirst(), links).flatMap { [$0, indent + $1.link] }
    }

    /// Writes the table to standard output.
    package func print() throws {
        for line in lines(for: .output, width: Terminal.width(of: STDOUT_FILENO)) { try Output.raw(line) }
    }
}
