/* Hunch for GJS: tell it what the user does, and offer what it suggests.
 *
 *     import * as hunch from 'file:///usr/share/hunch/gjs/hunch.js';
 *     await new hunch.Activity('org.example.Guide.restaurant', 'Yank Sing', {place: {city: 'San Francisco'}}).show();
 *
 * Names and keys are those of Hunch's D-Bus interfaces, which the installed XML files describe. Values may be strings,
 * booleans, numbers, Uint8Array, Date, GLib.Variant, objects, and arrays of these; null and undefined are left out. Calls
 * are asynchronous, so the program needs a main loop, and their promises are rejected with an Error of this module.
 */

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';

const AGENT = 'org.hunch.Agent1';
const ROOT = '/org/hunch/Agent1';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const ACTIVITIES = 'org.hunch.Activities1';
const DONATIONS = 'org.hunch.Donations1';
const INDEX = 'org.hunch.Index1';
const SUGGESTION = 'org.hunch.Suggestion1';
const CONTENT = 'org.hunch.PlayableContent1';

const SERVED = {
    'org.hunch.ActivityDelegate1': `
        <method name="Save">
          <arg type="o" direction="in"/><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/>
        </method>`,
    'org.freedesktop.Application': `
        <method name="Activate"><arg type="a{sv}" direction="in"/></method>
        <method name="Open"><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/></method>
        <method name="ActivateAction">
          <arg type="s" direction="in"/><arg type="av" direction="in"/><arg type="a{sv}" direction="in"/>
        </method>`,
    'org.hunch.ContinueActivity1':
        '<method name="Continue"><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="in"/></method>',
    'org.hunch.IndexDelegate1': `
        <method name="ReindexAll"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/></method>
        <method name="ReindexItems">
          <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/>
        </method>`,
    [CONTENT]: `
        <method name="ChildItems">
          <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="u" direction="in"/>
          <arg type="a{sv}" direction="in"/><arg type="a(sa{sv})" direction="out"/>
        </method>
        <method name="BeginLoadingChildItems"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/></method>
        <method name="ContentItem">
          <arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/>
        </method>
        <method name="InitializePlaybackQueue">
          <arg type="as" direction="in"/><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/>
        </method>
        <method name="InitiatePlayback"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/></method>
        <method name="UpdateContext"><arg type="a{sv}" direction="in"/></method>
        <signal name="ContentChanged"><arg type="as"/></signal>
        <signal name="UpdatesBegan"/>
        <signal name="UpdatesEnded"/>
        <property name="NowPlayingIds" type="as" access="read"/>
        <property name="Version" type="u" access="read"/>`,
};

/** What Hunch, or the bus, answered instead. `name` is the name of the D-Bus error, and `code` its last part. */
export class HunchError extends Error {
    constructor(message, name = 'org.freedesktop.DBus.Error.Failed') {
        super(message);
        this.name = name;
    }

    get code() {
        return this.name.split('.').pop();
    }
}

// Values

function variant(value) {
    if (value instanceof GLib.Variant)
        return value;
    if (typeof value === 'boolean')
        return new GLib.Variant('b', value);
    if (typeof value === 'number')
        return new GLib.Variant(Number.isSafeInteger(value) ? 'x' : 'd', value);
    if (typeof value === 'string')
        return new GLib.Variant('s', value);
    if (value instanceof Uint8Array)
        return GLib.Variant.new_from_bytes(new GLib.VariantType('ay'), new GLib.Bytes(value), true);
    if (value instanceof Date)
        // Before 1970, it is negative.
        return new GLib.Variant(value.getTime() >= 0 ? 't' : 'x', value.getTime() * 1000);
    if (Array.isArray(value)) {
        if (value.every(item => typeof item === 'string'))
            return new GLib.Variant('as', value);
        if (value.every(item => isRecord(item)))
            return new GLib.Variant('aa{sv}', value.map(entries));
        return new GLib.Variant('av', value.map(variant));
    }
    if (isRecord(value))
        return new GLib.Variant('a{sv}', entries(value));
    throw new TypeError(`Hunch takes no ${typeof value}: ${value}`);
}

function isRecord(value) {
    return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array) &&
        !(value instanceof Date) && !(value instanceof GLib.Variant);
}

/** Returns an object's entries as those of an a{sv}. */
function entries(record = {}) {
    const result = {};
    for (const [key, value] of Object.entries(record)) {
        if (value !== null && value !== undefined)
            result[key] = variant(value);
    }
    return result;
}

/** Returns a D-Bus value as JavaScript's, with Uint8Array for ay. */
function plain(value) {
    const kind = value.get_type_string();
    if (kind === 'v')
        return plain(value.get_variant());
    if (kind === 'ay')
        return value.get_data_as_bytes().toArray();
    const children = () => Array.from({length: value.n_children()}, (_, index) => value.get_child_value(index));
    if (kind.startsWith('a{'))
        return Object.fromEntries(children().map(entry => [entry.get_child_value(0).unpack(), plain(entry.get_child_value(1))]));
    if (kind.startsWith('a') || kind.startsWith('('))
        return children().map(plain);
    return value.deepUnpack();
}

// The bus

function asHunchError(error) {
    if (error instanceof HunchError || !(error instanceof GLib.Error))
        return error;
    const name = Gio.DBusError.get_remote_error(error) ?? 'org.freedesktop.DBus.Error.Failed';
    return new HunchError(error.message.replace(`GDBus.Error:${name}: `, ''), name);
}

function call(interfaceName, member, signature = '()', values = [], options = {}) {
    const {path = ROOT, service = AGENT, starts = true, seconds = -1} = options;
    const flags = starts ? Gio.DBusCallFlags.NONE : Gio.DBusCallFlags.NO_AUTO_START;
    const timeout = seconds < 0 ? -1 : seconds * 1000;
    return new Promise((resolve, reject) => {
        try {
            Gio.DBus.session.call(
                service, path, interfaceName, member, new GLib.Variant(signature, values), null, flags, timeout, null,
                (connection, answer) => {
                    try {
                        const results = plain(connection.call_finish(answer));
                        resolve(results.length > 1 ? results : results[0]);
                    } catch (error) {
                        reject(asHunchError(error));
                    }
                });
        } catch (error) {
            reject(asHunchError(error));
        }
    });
}

/** Serves an object, whose methods get JavaScript values, and may be asynchronous. */
function serveObject(path, interfaceName, methods, properties = {}) {
    const info = Gio.DBusNodeInfo.new_for_xml(
        `<node><interface name="${interfaceName}">${SERVED[interfaceName]}</interface></node>`).interfaces[0];
    Gio.DBus.session.register_object(
        path, info,
        async (connection, sender, objectPath, name, member, values, invocation) => {
            const outputs = info.lookup_method(member).out_args.map(argument => argument.signature);
            try {
                const result = await methods[member](...plain(values));
                invocation.return_value(new GLib.Variant(`(${outputs.join('')})`, outputs.length ? [result] : []));
            } catch (error) {
                if (!(error instanceof HunchError))
                    logError(error, member);
                invocation.return_dbus_error(
                    error instanceof HunchError ? error.name : 'org.freedesktop.DBus.Error.Failed', `${error.message ?? error}`);
            }
        },
        (connection, sender, objectPath, name, property) => properties[property](), null);
}

// Activities

let activityCount = 0;
/** The values that remove keys which are not texts. */
const NOTHING = {place: {}, media: {}, keywords: [], payload: new Uint8Array(), start: 0, end: 0, expiry: 0};

/** What the app shows: a type of the app's own in reverse DNS notation, a title, and the further keys of
 * org.hunch.Activities1.BecomeCurrent. With `save`, changed() marks the activity, and Hunch calls save() for the changed keys
 * when it needs them. */
export class Activity {
    #keys;
    #path = null;

    constructor(type, title, {save, ...keys} = {}) {
        this.#keys = {type, title, ...keys};
        if (save) {
            activityCount += 1;
            const path = `/org/hunch/gjs/activity${activityCount}`;
            serveObject(path, 'org.hunch.ActivityDelegate1', {Save: async () => entries(await save())});
            this.#keys.delegate = new GLib.Variant('o', path);
        }
    }

    /** Makes it the current activity of the desktop: the user turned to it. */
    async show() {
        // All keys again, since Hunch keeps nothing of an activity while it is off or paused.
        const isThere = this.#path !== null && await this.#call('Update', '(a{sv})', [entries(this.#keys)]) &&
            await this.#call('BecomeCurrent');
        if (!isThere)
            this.#path = await call(ACTIVITIES, 'BecomeCurrent', '(a{sv})', [entries(this.#keys)]);
        return this;
    }

    /** Changes keys. null removes one. */
    async update(keys) {
        const changes = {};
        for (const [name, value] of Object.entries(keys))
            changes[name] = value ?? NOTHING[name] ?? '';
        if (this.#path !== null && !await this.#call('Update', '(a{sv})', [entries(changes)]))
            this.#path = null;
        // Not after an error.
        Object.assign(this.#keys, changes);
    }

    /** Marks it, so that Hunch asks for the changed keys when it needs them. */
    changed() {
        return this.update({'needs-save': true});
    }

    /** Resigns: the user turned away from it. Only then does Hunch suggest something because of it. */
    async hide() {
        if (this.#path !== null)
            await this.#call('Resign');
    }

    /** Invalidates: it has ended, and nothing is suggested because of it. */
    async end() {
        if (this.#path !== null)
            await this.#call('Invalidate');
        this.#path = null;
    }

    /** Calls a method. Returns false if Hunch has restarted and no longer knows the activity. */
    async #call(member, signature, values) {
        try {
            await call('org.hunch.Activity1', member, signature, values, {path: this.#path});
            return true;
        } catch (error) {
            if (error.name !== 'org.freedesktop.DBus.Error.UnknownObject')
                throw error;
            return false;
        }
    }
}

/** Returns the current activity; an empty object if there is none that this app may see. */
export const current = () => call(ACTIVITIES, 'Current');

/** Returns the live activities that this app may see, the latest first. Options: limit, app, text. */
export const recent = (options = {}) => call(ACTIVITIES, 'Recent', '(a{sv})', [entries(options)]);

/** Opens the app at an activity. Returns what was opened: "activity", "url" or "app". */
export const continueActivity = (id, options = {}) => call(ACTIVITIES, 'Continue', '(sa{sv})', [id, entries(options)]);

// Donations

/** Reports an action that the user completed, such as donate('openItem', {uri, title}). Keys: those of
 * org.hunch.Donations1.Donate. Rejects with the code if Hunch does not take it. */
export async function donate(kind, parameters, keys = {}) {
    const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined);
    for (const [name, value] of given) {
        if (!['string', 'number', 'boolean'].includes(typeof value))
            throw new TypeError(`the parameter ${name} of a donation is a text or a number, not ${value}`);
    }
    const texts = Object.fromEntries(given.map(([name, value]) => [name, `${value}`]));
    const item = entries({kind, parameters: new GLib.Variant('a{ss}', texts), ...keys});
    const [result] = await call(DONATIONS, 'Donate', '(aa{sv})', [[item]]);
    if (!result.accepted)
        throw new HunchError(result.message ?? result.code, `${DONATIONS}.Error.${result.code}`);
}

/** Deletes donations of this app, and what is based on them: {ids, groups} or {everything: true}. Returns their number. */
export const deleteDonations = selection => deleteOf(DONATIONS, selection);

/** Deletes activities of this app, and what is based on them, likewise; with everything also all openItem donations of the app.
 * Returns the number of activities and places. */
export const deleteActivities = selection => deleteOf(ACTIVITIES, selection);

async function deleteOf(name, {ids = [], groups = [], everything = false, ...others}) {
    if (Object.keys(others).length)
        throw new TypeError(`give ids, groups or everything, not ${Object.keys(others)}`);
    if (everything)
        return call(name, 'DeleteAllOfCaller');
    let count = 0;
    if (ids.length)
        count += await call(name, 'DeleteById', '(as)', [[ids].flat()]);
    if (groups.length)
        count += await call(name, 'DeleteByGroup', '(as)', [[groups].flat()]);
    return count;
}

/** Announces media items that the user has not heard yet, the next one first: {item, title}. */
export const upcoming = items => call(DONATIONS, 'SetUpcoming', '(aa{sv})', [[items].flat().map(entries)]);

/** Announces items that fit a trigger, time or place, with the keys of org.hunch.Donations1.SetRelevant. */
export const relevant = items => call(DONATIONS, 'SetRelevant', '(aa{sv})', [[items].flat().map(entries)]);

// The index

/** An index of the app's content. An item is {id, title} with further attributes; domain, expires, protected and public are
 * the keys of org.hunch.Index1.Change. */
export class Index {
    constructor(name = 'default') {
        this.name = name;
    }

    /** Adds items. One replaces the item with the same identifier. Returns the result of change(). */
    add(items, options = {}) {
        return this.change({add: items, ...options});
    }

    /** Deletes items by identifier. Returns their number. */
    async delete(ids, options = {}) {
        return (await this.change({delete: [ids].flat(), ...options})).deleted;
    }

    /** Replaces all items. Returns the result of change(). */
    replace(items, options = {}) {
        return this.change({'delete-all': true, add: items, ...options});
    }

    /** Carries out changes together, with the keys of org.hunch.Index1.Change; `state` may be a string. Returns the number of
     * items `deleted`, and of added ones that had `expired` already. */
    change({add = [], state, ...changes}) {
        const items = [add].flat().map(({id, domain, expires, protected: isProtected, public: isPublic, ...attributes}) =>
            entries({id, domain, expires, protected: isProtected, public: isPublic, attributes}));
        const keys = {...changes, add: new GLib.Variant('aa{sv}', items)};
        if (state !== undefined)
            keys.state = typeof state === 'string' ? new TextEncoder().encode(state) : state;
        return call(INDEX, 'Change', '(sa{sv})', [this.name, entries(keys)]);
    }

    /** Returns the client state of the last change as text; empty if Hunch does not have the index. */
    async state() {
        return new TextDecoder().decode(await call(INDEX, 'State', '(s)', [this.name]));
    }
}

/** Yields the items that a search finds, the best first: for await (const item of find(text)). */
export async function* find(text, options = {}) {
    const path = await call(INDEX, 'Search', '(sa{sv})', [text, entries(options)]);
    let isComplete = false;
    while (!isComplete) {
        let items;
        [items, isComplete] = await call('org.hunch.Search1', 'Next', '(u)', [100], {path});
        yield* items;
    }
}

/** Returns a text with its last word completed by words in titles. */
export const complete = (text, options = {}) => call(INDEX, 'Complete', '(sa{sv})', [text, entries(options)]);

// Suggestions

/** A suggestion, with the properties of org.hunch.Suggestion1: title, subtitle, kind, score, state, appName, … */
export class Suggestion {
    constructor(path, properties) {
        this.path = path;
        this.id = path.split('/').pop();
        for (const [name, value] of Object.entries(properties))
            this[name[0].toLowerCase() + name.slice(1)] = value;
    }

    /** Does what it says. Options: activation-token, automatic. */
    accept(options = {}) {
        return this.#call('Accept', '(a{sv})', [entries(options)]);
    }

    /** Dismisses it; for its device for good with the reason "never". */
    dismiss(reason = '') {
        return this.#call('Dismiss', '(s)', [reason]);
    }

    /** Returns why Hunch makes it. */
    explain() {
        return this.#call('Explain');
    }

    #call(member, signature, values) {
        // What it says may be to start an app and wait until it plays.
        return call(SUGGESTION, member, signature, values, {path: this.path, seconds: 60});
    }
}

/** Returns what Hunch suggests now; with {all: true}, also what this app requested. Does not start Hunch. */
export async function suggestions({all = false} = {}) {
    return (await managed()).filter(one => all || one.origin === 'spontaneous').sort((a, b) => a.offered - b.offered);
}

async function managed() {
    let objects;
    try {
        objects = await call('org.freedesktop.DBus.ObjectManager', 'GetManagedObjects', '()', [], {starts: false});
    } catch (error) {
        if (['ServiceUnknown', 'NameHasNoOwner'].includes(error.code))
            return [];
        throw error;
    }
    return Object.entries(objects).filter(([, interfaces]) => SUGGESTION in interfaces)
        .map(([path, interfaces]) => new Suggestion(path, interfaces[SUGGESTION]));
}

/** Calls callback(suggestions) now and whenever that changes. Returns a function that ends it. */
export function watch(callback) {
    let pending = 0;
    const notice = () => {
        pending ||= GLib.idle_add(GLib.PRIORITY_DEFAULT_IDLE, () => {
            pending = 0;
            suggestions().then(callback).catch(logError);
            return GLib.SOURCE_REMOVE;
        });
    };
    const subscribe = (sender, name, member, path, argument) => Gio.DBus.session.signal_subscribe(
        sender, name, member, path, argument, Gio.DBusSignalFlags.NONE, notice);
    const subscriptions = [
        subscribe(AGENT, 'org.freedesktop.DBus.ObjectManager', null, ROOT, null),
        subscribe(AGENT, PROPERTIES, 'PropertiesChanged', null, null),
        subscribe('org.freedesktop.DBus', 'org.freedesktop.DBus', 'NameOwnerChanged', '/org/freedesktop/DBus', AGENT),
    ];
    notice();
    return () => {
        subscriptions.forEach(subscription => Gio.DBus.session.signal_unsubscribe(subscription));
        if (pending)
            GLib.source_remove(pending);
        pending = 0;
    };
}

/** Returns what the user most likely wants now, the likeliest first. */
export async function likely(options = {}) {
    return ofPaths(await call(AGENT, 'Likely', '(a{sv})', [entries(typeof options === 'number' ? {limit: options} : options)]));
}

/** Calls callback(places) with the places that the user looked at lately, newest first, as map items: at once, and again if Hunch
 * asked whether this app may know them and the user has answered. Options: limit, ask. */
export async function recentPlaces(callback, options = {}) {
    const tell = async () => {
        const [access, places] = await call('org.hunch.Directions1', 'RecentPlaces', '(a{sv})', [entries(options)]);
        callback(places);
        return access;
    };
    const decided = Gio.DBus.session.signal_subscribe(
        AGENT, 'org.hunch.Directions1', 'RecentPlacesDecided', ROOT, null, Gio.DBusSignalFlags.NONE, () => {
            Gio.DBus.session.signal_unsubscribe(decided);
            tell().catch(logError);
        });
    let access;
    try {
        access = await tell();
    } finally {
        if (access !== 'asked')
            Gio.DBus.session.signal_unsubscribe(decided);
    }
}

/** Returns the suggestions of routing apps, the best first: to a text (a name, an address, coordinates or a link), or to a map
 * item as an object. Also returns what Hunch understood, and with {explain: true} which apps do not serve the request:
 * {suggestions, resolved, excluded}. Options: the other keys of org.hunch.Directions1.Suggest. */
export async function directions(to, options = {}) {
    const request = {...typeof to === 'string' ? {uri: to} : {destination: to}, ...options};
    const [resolved, paths, excluded] = await call('org.hunch.Directions1', 'Suggest', '(a{sv})', [entries(request)]);
    return {suggestions: await ofPaths(paths), resolved, excluded};
}

/** Makes this program known as an app in development, in developer mode ("hunch developer on"). Returns the identifier with
 * which its data are kept, until the mode ends. */
export const register = app => call('org.hunch.Agent1', 'Register', '(s)', [app]);

/** Returns the request that a link means, with `destination`: for an app that shows routes and gets such a link. Looks nothing
 * up. See org.hunch.Directions1.Parse. */
export const parse = link => call('org.hunch.Directions1', 'Parse', '(s)', [link]);

async function ofPaths(paths) {
    const known = new Map((await managed()).map(one => [one.path, one]));
    return paths.map(path => known.get(path)).filter(one => one);
}

// Serving

/** Playable content of the app: override these methods, which may be asynchronous, and pass an object to serve(). */
export class Content {
    #playing = [];
    #path = null;

    /** Returns the children of an item ('' is the root): an object of items by their identifiers, in order. An item has the
     * keys of org.hunch.PlayableContent1: xesam:title, subtitle, container, playable, progress, … */
    children(_parent) {
        return {};
    }

    /** Returns an item; an empty object if there is none. Searches the tree unless overridden. */
    async item(identifier) {
        const parents = [''];
        while (parents.length) {
            const children = await this.children(parents.pop());
            if (identifier in children)
                return children[identifier];
            parents.push(...Object.keys(children).filter(name => children[name].container));
        }
        return {};
    }

    /** Returns what Play would play: an object with xesam:title, item and the further keys. PLAYS NOTHING. Without items,
     * chooses one, or leaves the choice to Hunch, as this method does. */
    prepare(_items, _context) {
        throw new HunchError('Hunch may choose', 'org.freedesktop.DBus.Error.NotSupported');
    }

    /** Plays an item: the user pressed Play. Returns when it plays. */
    play(_item) {
        throw new HunchError('nothing can be played', 'org.freedesktop.DBus.Error.NotSupported');
    }

    /** Learns how the content is used: see UpdateContext. */
    contextChanged(_context) {}

    /** Tells Hunch what plays now, most specific first; nothing without arguments. */
    nowPlaying(...identifiers) {
        this.#playing = identifiers;
        this.#emit(PROPERTIES, 'PropertiesChanged', '(sa{sv}as)', [CONTENT, entries({NowPlayingIds: identifiers}), []]);
    }

    /** Tells Hunch that the children of these items changed, or those of the root without arguments. */
    changed(...parents) {
        this.#emit(CONTENT, 'ContentChanged', '(as)', [parents.length ? parents : ['']]);
    }

    #emit(name, member, signature, values) {
        if (this.#path !== null)
            Gio.DBus.session.emit_signal(null, this.#path, name, member, new GLib.Variant(signature, values));
    }

    /** Serves the content. Called by serve(). */
    _serve(path) {
        this.#path = path;
        serveObject(path, CONTENT, {
            ChildItems: async (parent, offset, limit) => Object.entries(await this.children(parent))
                .slice(offset, offset + limit).map(([name, item]) => [name, entries(item)]),
            BeginLoadingChildItems: () => {},
            ContentItem: async identifier => entries(await this.item(identifier)),
            InitializePlaybackQueue: async (items, context) => entries(await this.prepare(items, context)),
            InitiatePlayback: item => this.play(item),
            UpdateContext: context => this.contextChanged(context),
        }, {
            NowPlayingIds: () => new GLib.Variant('as', this.#playing),
            Version: () => new GLib.Variant('u', 1),
        });
    }
}

/** Serves what Hunch asks an app for, under the app's name on the bus: its desktop identifier. Its desktop entry names the
 * interfaces in Implements=.
 *
 * content: a Content (org.hunch.PlayableContent1)
 * open: called with an activity that the user continues (org.hunch.ContinueActivity1)
 * reindex: called with the name of an index, or '' for all, and the identifiers of items to index again, or null for all
 *     content (org.hunch.IndexDelegate1). Its return tells Hunch that everything is indexed.
 * activate: called when the desktop starts or shows the app, which it does over the bus if the entry has DBusActivatable=true
 *     (org.freedesktop.Application); not for a Gio.Application, which does this itself
 */
export async function serve(app, {content, open, reindex, activate} = {}) {
    app = app.replace(/\.desktop$/, '');
    const path = `/${app.replaceAll('.', '/').replaceAll('-', '_')}`;
    content?._serve(path);
    if (open)
        serveObject(path, 'org.hunch.ContinueActivity1', {Continue: (activity, platform) => open({...activity, platform})});
    if (reindex) {
        serveObject(path, 'org.hunch.IndexDelegate1', {
            ReindexAll: index => reindex(index, null),
            ReindexItems: (index, identifiers) => reindex(index, identifiers),
        });
    }
    if (activate) {
        serveObject(path, 'org.freedesktop.Application', {
            Activate: () => activate(), Open: () => activate(), ActivateAction: () => activate(),
        });
    }
    const bus = 'org.freedesktop.DBus';
    // 4: do not queue; 1 and 4: this connection owns it.
    const owner = await call(bus, 'RequestName', '(su)', [app, 4], {path: '/org/freedesktop/DBus', service: bus});
    if (owner !== 1 && owner !== 4)
        throw new HunchError(`another process has the name ${app} on the bus; is the app running already?`);
}
