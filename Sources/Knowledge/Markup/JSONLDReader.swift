internal import HTML
internal import JSON
internal import Localization
internal import HunchModel

/// Reads the JSON-LD of the scripts of a page.
struct JSONLDReader {
    /// The maximum number of values in the scripts of a page.
    private static let valueLimit = 100_000
    private var remainingValues = JSONLDReader.valueLimit
    /// The number of values before the last fault.
    private var faultyValues = 0
    /// Whether no more scripts are read.
    var isFull: Bool {
        remainingValues <= 0 || items.count > Markup.maximumItems || problems.count >= Markup.maximumProblems
    }

    private(set) var items: [Markup.Item] = []
    private(set) var problems: [MarkupProblem] = []

    /// Whether a script holds JSON-LD.
    static func isData(_ script: HTMLElement) -> Bool {
        guard let type = script.attribute(.type) else { return false }
        return type == "application/ld+json"
            || type.lowercased().split(separator: ";").first.map { MarkupText.collapsed(String($0)) }
                == "application/ld+json"
    }

    /// Reads a script.
    mutating func read(_ script: HTMLElement) {
        let text = script.rawText
        guard text.utf8.contains(where: { $0 > 0x20 }) else { return }
        do throws(JSONScanner.Fault) {
            take(try values(in: Array(text.utf8), script.line), script.line)
        } catch {
            let line = script.line + Self.line(of: error, in: text)
            if case .depth = error.kind { return report(.limit, error.reason, line) }
            do throws(JSONScanner.Fault) {
                let former = items.count
                take(try values(in: JSONRepair.repaired(text), script.line), script.line)
                guard items.count > former else {
                    return report(.notJSON, localized("JSON-LD cannot be read: %1", error.reason), line)
                }
                report(.repaired, localized("JSON-LD was repaired: %1", error.reason), line)
            } catch {
                remainingValues -= faultyValues
                report(.notJSON, localized("JSON-LD cannot be read: %1", error.reason), line)
            }
        }
    }

    private mutating func report(_ code: MarkupProblem.Code, _ message: String, _ line: Int) {
        problems.append(MarkupProblem(line: line, code: code, message: message))
    }

    /// The number of line breaks before a fault.
    private static func line(of fault: JSONScanner.Fault, in text: String) -> Int {
        text.utf8.prefix(fault.offset).count { $0 == 0x0A }
    }

    /// Returns the values of a text in UTF-8, of which there may be several.
    private mutating func values(
        in text: consuming [UInt8], _ line: Int
    ) throws(JSONScanner.Fault) -> [JSONValue] {
        text.append(0)
        var found: [JSONValue] = []
        var fault: JSONScanner.Fault?
        var isCut = false
        text.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(nulTerminated: buffer)
            // A text with a fault is read again once it is repaired.
            defer {
                if fault == nil { remainingValues -= scanner.valueCount } else { faultyValues = scanner.valueCount }
            }
            do throws(JSONScanner.Fault) {
                scanner.valueLimit = remainingValues
                while scanner.peek() != 0, !scanner.isFull { found.append(try scanner.value()) }
                isCut = scanner.isCut || scanner.peek() != 0
                if !isCut { try scanner.finish() }
            } catch { fault = error }
        }
        if let fault { throw fault }
        if isCut {
            let message = localized("JSON-LD has more than %1 values; the others are left out", Self.valueLimit)
            report(.limit, message, line)
        }
        return found
    }

    private mutating func take(_ values: [JSONValue], _ line: Int) {
        for value in values { take(JSONLDText.plain(value), line) }
    }

    /// Takes the items of a value: an array has several, as does an object with a graph.
    private mutating func take(_ value: JSONValue, _ line: Int) {
        switch value {
        case .array(let values): for value in values { take(value, line) }
        case .object(var object):
            if let graph = object["@graph"] {
                take(graph, line)
                object["@graph"] = nil
            }
            // Often only the context and the name of an object with a graph are left.
            if object.keys.contains(where: { $0 != "@context" && $0 != "@id" })
                || object["@context"] == nil && !object.isEmpty
            {
                items.append(Markup.Item(syntax: .jsonLD, line: line, value: .object(object)))
            }
        case .null, .boolean, .number, .string: break
        }
    }
}
