/// Writes the XML that `Introspect` returns.
///
/// Source: D-Bus specification, "Introspection data format".
enum Introspection {
    private static let doctype = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        """

    static func node(interfaces: [ExportedInterface], children: [String]) -> String {
        var lines = [doctype, "<node>"]
        for interface in interfaces { lines += write(interface) }
        for child in children { lines.append("  <node name=\"\(child)\"/>") }
        lines.append("</node>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func write(_ interface: ExportedInterface) -> [String] {
        var lines = ["  <interface name=\"\(interface.name)\">"]
        for member in interface.members {
            switch member.content {
            case .method(let method):
                lines += element(
                    "method", method.name,
                    method.inputs.map { argument($0, "in") } + method.outputs.map { argument($0, "out") })
            case .signal(let signal):
                lines += element("signal", signal.name, signal.arguments.map { argument($0, nil) })
            case .property(let property):
                let access = property.set == nil ? "read" : "readwrite"
                let tag = "property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\""
                let name = "org.freedesktop.DBus.Property.EmitsChangedSignal"
                lines +=
                    property.notice == .value
                    ? ["    <\(tag)/>"]
                    : [
                        "    <\(tag)>",
                        "      <annotation name=\"\(name)\" value=\"\(property.notice.rawValue)\"/>",
                        "    </property>",
                    ]
            }
        }
        return lines + ["  </interface>"]
    }

    private static func element(_ tag: String, _ name: MemberName, _ content: [String]) -> [String] {
        content.isEmpty
            ? ["    <\(tag) name=\"\(name)\"/>"]
            : ["    <\(tag) name=\"\(name)\">"] + content + ["    </\(tag)>"]
    }

    private static func argument(_ argument: ExportedMember.Argument, _ direction: String?) -> String {
        let direction = direction.map { " direction=\"\($0)\"" } ?? ""
        return "      <arg name=\"\(escaped(argument.name))\" type=\"\(argument.type)\"\(direction)/>"
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
    }
}
