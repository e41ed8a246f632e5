internal import JSON
internal import Localization
internal import HunchModel

/// Reads the JSON-LD of a script.
struct JSONLDReader {
    private(set) var items: [Markup.Item] = []
    private(set) var problems: [MarkupProblem] = []

    /// Whether a script holds JSON-LD.
    static func isData(_ script: HTMLElement) -> Bool {
        let type = script.attribute(.type)?.lowercased().split(separator: ";").first
        return type.map { MarkupText.collapsed(String($0)) } == "application/ld+json"
    }

    /// Reads a script.
    mutating func read(_ script: HTMLElement) {
        let text = script.rawText
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        do throws(JSONScanner.Fault) {
            try take(Self.values(in: text), script.line)
        } catch {
            let line = script.line + Self.line(of: error, in: text)
            if case .depth = error.kind { return report(.limit, error.reason, line) }
            do throws(JSONScanner.Fault) {
                try take(Self.values(in: JSONRepair.repaired(text)), script.line)
                report(.repaired, localized("JSON-LD was repaired: %1", error.reason), line)
            } catch {
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

    /// Returns the values of a text, of which there may be several.
    private static func values(in text: String) throws(JSONScanner.Fault) -> [JSONValue] {
        var bytes = Array(text.utf8)
        bytes.append(0)
        var found: [JSONValue] = []
        var fault: JSONScanner.Fault?
        bytes.withUnsafeBufferPointer { buffer in
            do throws(JSONScanner.Fault) {
                var scanner = JSONScanner(nulTerminated: buffer)
                while scanner.peek() != 0 { found.append(try scanner.value()) }
                try scanner.finish()
            } catch { fault = error }
        }
        if let fault { throw fault }
        return found
    }

    private mutating func take(_ values: [JSONValue], _ line: Int) throws(JSONScanner.Fault) {
        for value in values { take(value, line) }
    }

    /// Takes the items of a value: an array has several, and so has an object with a graph.
    private mutating func take(_ value: JSONValue, _ line: Int) {
        switch value {
        case .array(let values): for value in values { take(value, line) }
        case .object(var object):
            if let graph = object["@graph"] {
                take(graph, line)
                object["@graph"] = nil
            }
            // What is left of an object with a graph are often only its context and name.
            if object.keys.contains(where: { $0 != "@context" && $0 != "@id" })
                || object["@context"] == nil && !object.isEmpty
            {
                items.append(Markup.Item(syntax: .jsonLD, line: line, value: .object(object)))
            }
        case .null, .boolean, .number, .string: break
        }
    }
}
