import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// The GJS library with a real agent.
@Suite("GJS library", .timeLimit(.minutes(15))) struct GJSDesktopTests {
    @Test("A GJS app uses every interface")
    func everything() async throws {
        let script = """
            import GLib from 'gi://GLib';
            import * as hunch from 'file://\(Surroundings.packageRoot)/Sources/Kit/GJS/hunch.js';

            const loop = new GLib.MainLoop(null, false);
            const page = 'org.example.Guide.page';
            async function tell(promise) {
                try { print('done', JSON.stringify(await promise)); } catch (error) { print(error.code ?? error.name, error.message); }
            }
            class Radio extends hunch.Content {
                children(parent) {
                    return parent === '' ? {show: {'xesam:title': 'Show', container: true}} : {'show/1': {'xesam:title': 'One'}};
                }
                prepare(items) { return {'xesam:title': 'One', item: items[0] ?? 'show/1', 'mpris:length': 60_000_000}; }
                play(item) { print('playing', item); this.nowPlaying(item, 'show'); }
            }
            async function main() {
                await tell(new hunch.Activity(page, 'Page', {plase: {city: 'Rome'}}).show());
                await tell(new hunch.Activity(page, 'Page', {start: 1_700_000_000}).show());
                const shown = await new hunch.Activity(page, 'Page', {
                    place: {name: 'Page', latitude: 48.85, longitude: 2.35}, start: new Date('2050-01-01T20:00:00Z'),
                    keywords: [], save: () => ({payload: new TextEncoder().encode('line=41')}),
                }).show();
                await shown.changed();
                print(new TextDecoder().decode((await hunch.current()).payload));
                await shown.end();
                const index = new hunch.Index('notes');
                await index.replace([{id: '1', title: 'Dim sum', text: 'with Ann'}], {state: 'version 1'});
                print(await index.state(), await hunch.complete('di'));
                for await (const item of hunch.find('ann')) print(item.title);
                await tell(index.delete(['1']));
                await tell(hunch.donate('playMedia', {title: 'A', startTime: 5}));
                const wanted = await hunch.parse('directions:?to=48.85,2.35&from=here&by=bus');
                print(wanted.destination.latitude, wanted.here, wanted.modes.join());
                const {suggestions} = await hunch.directions('48.85,2.35');
                print(suggestions[0].title, suggestions[0].origin, (await hunch.suggestions()).length);
                await hunch.serve('org.example.Guide', {content: new Radio()});
                await hunch.upcoming([{item: 'show/1', title: 'One'}]);
                hunch.watch(list => list.forEach(one => print('suggested', one.title, one.state)));
                print('ready');
            }
            main().catch(error => { logError(error); loop.quit(); });
            loop.run();
            """
        try await withMediaScene(played: []) { scene in
            try scene.rig.installMapApp()
            let program = try scene.rig.home.directory.write(script, to: "guide.js")
            try scene.rig.home.directory.write(
                """
                [Desktop Entry]
                Type=Application
                Name=Guide
                Exec=gjs -m \(program)
                Implements=org.hunch.PlayableContent1;

                """, to: "data/applications/org.example.Guide.desktop")
            let command = Command(
                "stdbuf", ["-oL", "gjs", "-m", program], environment: scene.rig.environment,
                ready: .line(containing: "ready"))
            try await withDaemon(command) { app in
                let lines = app.output.split(separator: "\n")
                #expect(lines[0].hasPrefix("InvalidInput unknown key “plase”; did you mean “place”?"))
                #expect(lines[1].hasPrefix("InvalidInput") && lines[1].contains("seconds"))
                #expect(lines[2...5] == ["line=41", "version 1 Dim", "Dim sum", "done 1"], "\(app.output)")
                #expect(lines[6].hasPrefix("timestamp “startTime”"))
                #expect(lines[7] == "48.85 true bus")
                #expect(lines[8].hasSuffix("requested 0"))
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary.contains("One"))
                try await app.waitForLine(containing: "suggested")
                try await scene.notifications.activate(shown.number, "play")
                try await app.waitForLine(containing: "playing show/1")
            }
        }
    }
}
