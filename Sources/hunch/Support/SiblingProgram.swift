import CommandSupport
import FoundationEssentials
import Glibc

/// A program that is installed beside this one.
struct SiblingProgram {
    let name: String

    /// Replaces this process by the program. Returns only if that failed.
    func replaceThis(arguments: [String]) {
        let pointers = ([name] + arguments).map { strdup($0) } + [nil]
        // The program beside this one, else that of $PATH. Each call returns only if it failed.
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        if let folder = own?.split(separator: "/").dropLast() {
            execv("/\(folder.joined(separator: "/"))/\(name)", pointers)
        }
        execvp(name, pointers)
    }
}
