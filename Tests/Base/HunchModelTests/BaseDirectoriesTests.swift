import HunchModel
import Testing

@Suite("XDG base directories")
struct BaseDirectoriesTests {
    @Test("Defaults are relative to the home folder")
    func defaults() {
        let folders = BaseDirectories(environment: ["HOME": "/home/a"])
        #expect(folders.dataSearchPath == ["/home/a/.local/share", "/usr/local/share", "/usr/share"])
        #expect(folders.configSearchPath == ["/home/a/.config", "/etc/xdg"])
        #expect(folders.stateHome == "/home/a/.local/state")
        #expect(folders.cacheHome == "/home/a/.cache")
    }

    @Test("Relative, empty and repeated paths in variables are skipped")
    func variables() {
        let folders = BaseDirectories(environment: [
            "HOME": "/home/a", "XDG_DATA_HOME": "/d/", "XDG_DATA_DIRS": "/b:c::/b/:/d:/", "XDG_CONFIG_HOME": "rel",
        ])
        #expect(folders.dataSearchPath == ["/d", "/b", "/"])
        #expect(folders.configHome == "/home/a/.config")
    }

    @Test("Without a home folder there are no home paths")
    func nothing() {
        let folders = BaseDirectories(environment: [:])
        #expect(folders.dataHome == nil && folders.stateHome == nil && folders.cacheHome == nil)
        #expect(folders.dataSearchPath == ["/usr/local/share", "/usr/share"])
    }
}
