import Glibc
import HunchModel

/// A program that is installed next to this one.
package struct SiblingProgram {
    private let name: String

    package init(name: String) { self.name = name }

    /// The absolute path of the program next to this one or in the `libexec` next to this folder; `nil` if it is not
    /// there.
    package var path: String? {
        OwnProgram.folder.flatMap { folder in
            ["\(folder)/\(name)", "\(Self.parent(of: folder))/libexec/\(name)"].first { access($0, X_OK) == 0 }
        }
    }

    /// Returns the path of a file among the data that is installed with this program; `nil` if it is not there.
    package static func data(_ file: String) -> String? {
        let path = OwnProgram.folder.map { "\(parent(of: $0))/share/hunch/\(file)" }
        return path.flatMap { access($0, F_OK) == 0 ? $0 : nil }
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// Replaces this process by the program. Returns only if that failed.
    package func replaceThis(arguments: [String]) {
        let pointers = ([name] + arguments).map { strdup($0) } + [nil]
        // The program next to this one, else that of $PATH. Each call returns only if it failed.
        if let folder = OwnProgram.folder { execv("\(folder)/\(name)", pointers) }
        execvp(name, pointers)
    }
}
