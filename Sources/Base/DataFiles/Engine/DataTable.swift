internal import DesktopFiles
internal import HunchModel
internal import Localization

/// A row of a table: what a group of a data file says.
package protocol DataRow: Sendable {
    /// The name of the file, such as `players.conf`.
    static var file: String { get }
    /// The file that Hunch has itself.
    static var shipped: [UInt8] { get }
    /// Reads a group.
    init(_ group: inout DataGroup) throws(DataFault)
}

/// The rows of a kind: those of the user, of packages, and of Hunch.
///
/// A group of the user replaces the group of the same name of packages and of Hunch. An empty one removes it.
package struct DataTable<Row: DataRow>: Sendable {
    /// The rows, those of the user first.
    package let rows: [Row]
    /// The faults of the files. A group with a fault counts as missing.
    package let problems: [DataProblem]

    /// Reads the file that Hunch has, and others of its name.
    package init(_ own: OwnDataFiles = OwnDataFiles()) {
        var rows: [Row] = []
        var problems: [DataProblem] = []
        var names: Set<String> = []
        func read(_ path: String, _ text: String) {
            let (groups, faults) = Self.groups(in: text)
            var found: Set<String> = []
            func add(_ fault: DataFault) {
                problems.append(DataProblem(place: "\(path):\(fault.line)", message: fault.message))
            }
            faults.forEach(add)
            for var group in groups where !names.contains(group.name) {
                do throws(DataFault) {
                    let row = try Row(&group)
                    try group.checkKeys()
                    rows.append(row)
                    found.insert(group.name)
                } catch {
                    add(error)
                }
            }
            names.formUnion(found)
        }
        for file in own.files where file.name == Row.file {
            if let text = file.text {
                read(file.path, text)
            } else {
                problems.append(
                    DataProblem(
                        place: file.path,
                        message: localized("it cannot be read as text of at most %1 bytes", OwnDataFiles.maximumBytes)))
            }
        }
        read(Row.file, String(decoding: Row.shipped, as: UTF8.self))
        (self.rows, self.problems) = (rows, problems)
    }

    /// Returns the groups of a text. A group that comes twice is one. A faulty line loses the group in which it is.
    private static func groups(in text: String) -> (groups: [DataGroup], faults: [DataFault]) {
        var groups: [DataGroup] = []
        var numbers: [String: Int] = [:]
        var lost: Set<Int> = []
        var faults: [DataFault] = []
        // The group of the keys that follow; −1 before the first one and after a faulty header.
        var current = -1
        func lose(_ line: Int, _ message: String) {
            if lost.insert(current).inserted { faults.append(DataFault(line: line, message: message)) }
        }
        KeyFileLine.forEach(in: text) { (line, content) throws(Never) in
            switch content {
            case .group(let name):
                current = numbers[name] ?? groups.count
                guard current == groups.count else { return }
                numbers[name] = current
                groups.append(DataGroup(name: name, line: line))
            case .entry(let key, let value) where groups.indices.contains(current):
                groups[current].add(key, value, line: line)
            case .entry: lose(line, localized("a key comes before the first group"))
            case .fault(let fault):
                if fault == .openHeader { (current, lost) = (-1, lost.subtracting([-1])) }
                lose(line, localized("the line is neither [NAME] nor KEY=VALUE nor # a comment"))
            }
        }
        return (groups.indices.filter { !lost.contains($0) }.map { groups[$0] }, faults)
    }
}
