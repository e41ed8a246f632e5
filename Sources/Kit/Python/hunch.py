"""Hunch for Python: tell it what the user does, and offer what it suggests.

    import hunch
    hunch.Activity("org.example.Guide.restaurant", "Yank Sing", place={"city": "San Francisco"}).show()

Names and keys are those of Hunch's D-Bus interfaces, which the installed XML files describe. A keyword argument has an
underscore where a key has a hyphen. Values may be str, bool, int, float, bytes, datetime (without an offset: local time),
mappings, and lists of these; None is left out. Calls raise Error.

An app that serves something (a delegate, content, an index) needs GLib's main loop: run() runs it. Calls of such an app
run the default main context until the answer arrives, so that Hunch can ask the app meanwhile.
"""

import datetime
import traceback
from collections.abc import Iterable, Mapping

from gi.repository import Gio, GLib

__all__ = [
    "Activity", "Content", "Directions", "Error", "Index", "Suggestion", "changes", "complete", "continue_activity",
    "current", "delete_activities", "delete_donations", "directions", "donate", "find", "likely", "quit", "recent",
    "recent_places", "relevant", "run", "serve", "suggestions", "upcoming", "watch",
]

_AGENT = "org.hunch.Agent1"
_ROOT = "/org/hunch/Agent1"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_INTERFACES = Gio.DBusNodeInfo.new_for_xml(
    """<node>
      <interface name="org.hunch.ActivityDelegate1">
        <method name="Save">
          <arg type="o" direction="in"/><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/>
        </method>
      </interface>
      <interface name="org.freedesktop.Application">
        <method name="Activate"><arg type="a{sv}" direction="in"/></method>
        <method name="Open"><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/></method>
        <method name="ActivateAction">
          <arg type="s" direction="in"/><arg type="av" direction="in"/><arg type="a{sv}" direction="in"/>
        </method>
      </interface>
      <interface name="org.hunch.ContinueActivity1">
        <method name="Continue"><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="in"/></method>
      </interface>
      <interface name="org.hunch.IndexDelegate1">
        <method name="ReindexAll"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/></method>
        <method name="ReindexItems">
          <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/>
        </method>
      </interface>
      <interface name="org.hunch.PlayableContent1">
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
        <property name="Version" type="u" access="read"/>
      </interface>
    </node>"""
)


class Error(Exception):
    """What Hunch, or the bus, answered instead. `name` is the name of the D-Bus error."""

    def __init__(self, message, name="org.freedesktop.DBus.Error.Failed"):
        super().__init__(message)
        self.name = name

    @property
    def code(self):
        """The last part of the name, such as Disabled, or the code of a refused donation."""
        return self.name.rpartition(".")[2]


# Values

def _variant(value):
    """Returns a value as the D-Bus type that fits it."""
    if isinstance(value, GLib.Variant):
        return value
    if isinstance(value, bool):
        return GLib.Variant("b", value)
    if isinstance(value, int):
        return GLib.Variant("x" if value < 1 << 63 else "t", value)
    if isinstance(value, float):
        return GLib.Variant("d", value)
    if isinstance(value, str):
        return GLib.Variant("s", value)
    if isinstance(value, (bytes, bytearray)):
        return GLib.Variant("ay", bytes(value))
    if isinstance(value, datetime.date):
        # A date without a time is the start of the day. Before 1970, it is negative.
        moment = value if isinstance(value, datetime.datetime) else datetime.datetime(value.year, value.month, value.day)
        microseconds = round(moment.timestamp() * 1_000_000)
        return GLib.Variant("t" if microseconds >= 0 else "x", microseconds)
    if isinstance(value, Mapping):
        return GLib.Variant("a{sv}", _dictionary(value))
    if isinstance(value, (list, tuple, set, frozenset)):
        items = list(value)
        if all(isinstance(item, str) for item in items):
            return GLib.Variant("as", items)
        if all(isinstance(item, Mapping) for item in items):
            return GLib.Variant("aa{sv}", [_dictionary(item) for item in items])
        return GLib.Variant("av", [_variant(item) for item in items])
    raise TypeError(f"Hunch takes no {type(value).__name__}: {value!r}")


def _dictionary(mapping=(), **keys):
    """Returns the entries of a mapping and the keyword arguments as an a{sv}."""
    if not isinstance(mapping, (Mapping, tuple)):
        raise TypeError(f"Hunch takes a dictionary, not {mapping!r}")
    named = {name.replace("_", "-"): value for name, value in keys.items()}
    return {key: _variant(value) for key, value in {**dict(mapping), **named}.items() if value is not None}


def _list(value):
    """Returns a list of one text or dictionary, or of several."""
    if isinstance(value, (str, Mapping)):
        return [value]
    if not isinstance(value, Iterable):
        raise TypeError(f"Hunch takes texts or dictionaries here, not {value!r}")
    return list(value)


def _text(name, value):
    """Returns the value of a donation's parameter as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, (str, int, float)):
        raise TypeError(f"the parameter {name} of a donation is a text or a number, not {value!r}")
    return str(value)


def _flat(values):
    """Returns the values of a call that takes several, or lists of them."""
    return [one for value in values for one in _list(value)]


def _python(value):
    """Returns a D-Bus value as Python's, with bytes for ay."""
    kind = value.get_type_string()
    if kind == "v":
        return _python(value.get_variant())
    if kind == "ay":
        return bytes(value.unpack())
    if kind.startswith("a{"):
        entries = (value.get_child_value(index) for index in range(value.n_children()))
        return {entry.get_child_value(0).unpack(): _python(entry.get_child_value(1)) for entry in entries}
    if kind[0] in "a(":
        return [_python(value.get_child_value(index)) for index in range(value.n_children())]
    return value.unpack()


# The bus

class _Bus:
    """The connection to the session bus, made by the first call."""

    connection = None
    # Whether this process serves objects, which Hunch may call while this process waits for an answer.
    serves = False

    def open(self):
        if self.connection is None:
            try:
                self.connection = Gio.bus_get_sync(Gio.BusType.SESSION)
            except GLib.Error as error:
                raise _error(error) from None
        return self.connection

    def call(self, interface, member, signature="()", values=(), path=_ROOT, service=_AGENT, starts=True, seconds=-1):
        """Calls a method. Returns its results: none, one, or a list."""
        arguments = (
            service, path, interface, member, GLib.Variant(signature, tuple(values)), None,
            Gio.DBusCallFlags.NONE if starts else Gio.DBusCallFlags.NO_AUTO_START, seconds, None,
        )
        connection = self.open()
        try:
            results = self._run(connection, arguments) if self.serves else connection.call_sync(*arguments)
        except GLib.Error as error:
            raise _error(error) from None
        results = _python(results)
        return None if not results else results[0] if len(results) == 1 else results

    @staticmethod
    def _run(connection, arguments):
        answers = []
        connection.call(*arguments, lambda source, answer: answers.append(answer))
        context = GLib.MainContext.ref_thread_default()
        while not answers:
            context.iteration(True)
        return connection.call_finish(answers[0])

    def export(self, path, interface, methods, properties=()):
        """Exports an object, each of whose methods gets Python values. Returns the number for ending that."""
        info = _INTERFACES.lookup_interface(interface)
        properties = dict(properties)

        def handle(connection, sender, path, interface, member, values, invocation):
            method = info.lookup_method(member)
            try:
                result = methods[member](*_python(values))
                signature = "(" + "".join(argument.signature for argument in method.out_args) + ")"
                invocation.return_value(GLib.Variant(signature, (result,) if method.out_args else ()))
            except Error as error:
                invocation.return_dbus_error(error.name, str(error))
            except NotImplementedError as error:
                invocation.return_dbus_error("org.freedesktop.DBus.Error.NotSupported", str(error) or member)
            except Exception as error:
                traceback.print_exc()
                invocation.return_dbus_error("org.freedesktop.DBus.Error.Failed", f"{type(error).__name__}: {error}")

        self.serves = True
        return self.open().register_object(path, info, handle, lambda *names: properties[names[-1]](), None)


_bus = _Bus()


def _error(error):
    # PyGObject's strip_remote_error() changes only a copy.
    name = Gio.DBusError.get_remote_error(error) or "org.freedesktop.DBus.Error.Failed"
    return Error(error.message.removeprefix(f"GDBus.Error:{name}: "), name)


# Activities

class Activity:
    """What the app shows: an activity with a type of the app's own in reverse DNS notation, a title, and the further keys of
    org.hunch.Activities1.BecomeCurrent.

    With `save`, changed() marks the activity, and Hunch calls save() for the changed keys when it needs them. As a context
    manager, the activity is shown on entry and ends on exit.
    """

    _count = 0
    # The values that remove keys which are not texts.
    _NOTHING = {"place": {}, "media": {}, "keywords": [], "payload": b"", "start": 0, "end": 0, "expiry": 0}

    def __init__(self, type, title, *, save=None, **keys):
        self._keys = dict(type=type, title=title, **keys)
        self._path = None
        if save is not None:
            Activity._count += 1
            path = f"/org/hunch/python/activity{Activity._count}"
            methods = {"Save": lambda activity, options: _dictionary(**save())}
            _bus.export(path, "org.hunch.ActivityDelegate1", methods)
            self._keys["delegate"] = GLib.Variant("o", path)
        self._saves = save is not None

    def show(self):
        """Makes it the current activity of the desktop: the user turned to it."""
        # All keys again, since Hunch keeps nothing of an activity while it is off or paused.
        keys = [_dictionary(**self._keys)]
        if self._path is None or not (self._call("Update", "(a{sv})", keys) and self._call("BecomeCurrent")):
            self._path = _bus.call(
                "org.hunch.Activities1", "BecomeCurrent", "(a{sv})", keys)
        return self

    def update(self, **keys):
        """Changes keys. None removes one."""
        for name, value in keys.items():
            if value is None:
                keys[name] = self._NOTHING.get(name, "")
        if self._path is not None and not self._call("Update", "(a{sv})", [_dictionary(**keys)]):
            self._path = None
        # Not after an error.
        self._keys.update(keys)

    def changed(self):
        """Marks it, so that Hunch asks for the changed keys when it needs them."""
        if not self._saves:
            raise Error("an activity without save() has nothing to ask for; use update()")
        self.update(needs_save=True)

    def hide(self):
        """Resigns: the user turned away from it. Only then does Hunch suggest something because of it."""
        if self._path is not None:
            self._call("Resign")

    def end(self):
        """Invalidates: it has ended, and nothing is suggested because of it."""
        if self._path is not None:
            self._call("Invalidate")
            self._path = None

    def _call(self, member, signature="()", values=()):
        """Calls a method. Returns False if Hunch has restarted and no longer knows the activity."""
        try:
            _bus.call("org.hunch.Activity1", member, signature, values, path=self._path)
            return True
        except Error as error:
            if error.name != "org.freedesktop.DBus.Error.UnknownObject":
                raise
            return False

    def __enter__(self):
        return self.show()

    def __exit__(self, *exception):
        self.end()


def current():
    """Returns the current activity as a dictionary; an empty one if there is none that this app may see."""
    return _bus.call("org.hunch.Activities1", "Current")


def recent(**options):
    """Returns the live activities that this app may see, the latest first. Options: limit, app, text."""
    return _bus.call("org.hunch.Activities1", "Recent", "(a{sv})", [_dictionary(**options)])


def continue_activity(id, **options):
    """Opens the app at an activity. Returns what was opened: "activity", "url" or "app"."""
    return _bus.call("org.hunch.Activities1", "Continue", "(sa{sv})", [id, _dictionary(**options)])


# Development

def register(app):
    """Makes this program known as an app in development, such as a test, in developer mode ("hunch developer on"). Returns the
    identifier with which its data are kept, until the mode ends."""
    return _bus.call("org.hunch.Agent1", "Register", "(s)", [app])


# Donations

def donate(kind, parameters, **keys):
    """Reports an action that the user completed, such as donate("openItem", {"uri": …, "title": …}).

    Keys: date, id, group and the others of org.hunch.Donations1.Donate. Raises Error if Hunch does not take it; the
    last part of its name is then the code.
    """
    if not isinstance(parameters, Mapping):
        raise TypeError(f"the parameters of a donation are a dictionary, not {parameters!r}")
    given = {name: _text(name, value) for name, value in parameters.items() if value is not None}
    texts = GLib.Variant("a{ss}", given)
    [result] = _bus.call(
        "org.hunch.Donations1", "Donate", "(aa{sv})", [[_dictionary(kind=kind, parameters=texts, **keys)]])
    if not result["accepted"]:
        code = result["code"]
        raise Error(result.get("message") or code, "org.hunch.Donations1.Error." + code)


def delete_donations(ids=(), groups=(), everything=False):
    """Deletes donations of this app, and what is based on them. Returns their number."""
    return _delete("org.hunch.Donations1", ids, groups, everything)


def delete_activities(ids=(), groups=(), everything=False):
    """Deletes activities of this app, and what is based on them: with everything=True also all openItem donations of the app.
    Returns the number of activities and places."""
    return _delete("org.hunch.Activities1", ids, groups, everything)


def _delete(interface, ids, groups, everything):
    if everything:
        return _bus.call(interface, "DeleteAllOfCaller")
    deleted = 0
    if ids:
        deleted += _bus.call(interface, "DeleteById", "(as)", [_list(ids)])
    if groups:
        deleted += _bus.call(interface, "DeleteByGroup", "(as)", [_list(groups)])
    return deleted


def upcoming(items):
    """Announces media items that the user has not heard yet, the next one first: {"item": …, "title": …}."""
    _bus.call("org.hunch.Donations1", "SetUpcoming", "(aa{sv})", [[_dictionary(item) for item in _list(items)]])


def relevant(items):
    """Announces items that fit a trigger, time or place, with the keys of org.hunch.Donations1.SetRelevant."""
    _bus.call("org.hunch.Donations1", "SetRelevant", "(aa{sv})", [[_dictionary(item) for item in _list(items)]])


# The index

class Index:
    """An index of the app's content. An item is {"id": …, "title": …} with further attributes; domain, expires, protected and
    public are the keys of org.hunch.Index1.Change."""

    _ITEM_KEYS = ("id", "domain", "expires", "protected", "public")

    def __init__(self, name="default"):
        self.name = name

    def add(self, *items, state=None):
        """Adds items, or the items of lists. One replaces the item with the same identifier. Returns the result of change()."""
        return self.change(add=_flat(items), state=state)

    def delete(self, *ids, domains=(), state=None):
        """Deletes items by identifier, and all items of domains. Returns their number."""
        return self.change(delete=_flat(ids), delete_domains=_list(domains), state=state)["deleted"]

    def replace(self, items, state=None):
        """Replaces all items. Returns the result of change()."""
        return self.change(delete_all=True, add=items, state=state)

    def change(self, *, add=(), state=None, **changes):
        """Carries out changes together: delete_all, delete_domains, delete, add, and the client state (bytes or str).
        Returns a dictionary: the number of items "deleted", and of added ones that had "expired" already."""
        state = state.encode() if isinstance(state, str) else state
        added = GLib.Variant("aa{sv}", [self._item(item) for item in add])
        return _bus.call(
            "org.hunch.Index1", "Change", "(sa{sv})",
            [self.name, _dictionary(add=added, state=state, **{key: value for key, value in changes.items() if value})])

    @property
    def state(self):
        """The client state (bytes) of the last change; empty if Hunch does not have the index."""
        return _bus.call("org.hunch.Index1", "State", "(s)", [self.name])

    @classmethod
    def _item(cls, item):
        if not isinstance(item, Mapping):
            raise TypeError(f"an item is a dictionary with id and title, not {item!r}")
        # The form of the bus has the attributes by themselves.
        item = {**item, **item["attributes"]} if isinstance(item.get("attributes"), Mapping) else dict(item)
        item.pop("attributes", None)
        keys = {key: value for key, value in item.items() if key in cls._ITEM_KEYS}
        attributes = {key: value for key, value in item.items() if key not in cls._ITEM_KEYS}
        return _dictionary(keys, attributes=attributes)


def find(text, **options):
    """Yields the items that a search finds, the best first. Options: those of org.hunch.Index1.Search."""
    path = _bus.call("org.hunch.Index1", "Search", "(sa{sv})", [text, _dictionary(**options)])
    complete = False
    while not complete:
        items, complete = _bus.call("org.hunch.Search1", "Next", "(u)", [100], path=path)
        yield from items


def complete(text, **options):
    """Returns a text with its last word completed by words in titles. Options: index, app."""
    return _bus.call("org.hunch.Index1", "Complete", "(sa{sv})", [text, _dictionary(**options)])


# Suggestions

class Suggestion:
    """A suggestion. It has the properties of org.hunch.Suggestion1 in small letters: title, subtitle, kind, score, state, …"""

    def __init__(self, path, properties):
        self.path = path
        self.id = path.rpartition("/")[2]
        for name, value in properties.items():
            setattr(self, "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)[1:], value)

    def accept(self, **options):
        """Does what it says. Options: activation_token, automatic."""
        self._call("Accept", "(a{sv})", [_dictionary(**options)])

    def dismiss(self, reason=""):
        """Dismisses it; for its device for good with the reason "never"."""
        self._call("Dismiss", "(s)", [reason])

    def explain(self):
        """Returns why Hunch makes it, with the keys of org.hunch.Suggestion1.Explain."""
        return self._call("Explain")

    def _call(self, member, signature="()", values=()):
        # What it says may be to start an app and wait until it plays.
        return _bus.call("org.hunch.Suggestion1", member, signature, values, path=self.path, seconds=60_000)

    def __repr__(self):
        return f"<Suggestion {self.title!r}>"


def suggestions(all=False):
    """Returns what Hunch suggests now; with `all`, also what this app requested. Does not start Hunch."""
    return sorted(
        (one for one in _managed() if all or one.origin == "spontaneous"), key=lambda one: one.offered)


def _managed():
    try:
        objects = _bus.call("org.freedesktop.DBus.ObjectManager", "GetManagedObjects", starts=False)
    except Error as error:
        if error.name in ("org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner"):
            return []
        raise
    found = ((path, interfaces.get("org.hunch.Suggestion1")) for path, interfaces in objects.items())
    return [Suggestion(path, properties) for path, properties in found if properties]


def watch(callback):
    """Calls callback(suggestions()) now and whenever that changes, in the main loop. Returns a function that ends it."""
    connection, pending = _bus.open(), []

    def tell():
        pending.clear()
        callback(suggestions())
        return GLib.SOURCE_REMOVE

    def notice(*signal):
        if not pending:
            pending.append(GLib.idle_add(tell))

    # The agent sends these to those who asked for its objects.
    subscriptions = [
        connection.signal_subscribe(_AGENT, interface, member, path, None, flags, notice)
        for interface, member, path, flags in [
            ("org.freedesktop.DBus.ObjectManager", None, _ROOT, Gio.DBusSignalFlags.NONE),
            (_PROPERTIES, "PropertiesChanged", None, Gio.DBusSignalFlags.NONE),
        ]
    ]
    subscriptions.append(
        connection.signal_subscribe(
            "org.freedesktop.DBus", "org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus", _AGENT,
            Gio.DBusSignalFlags.NONE, notice))
    notice()

    def end():
        for subscription in subscriptions:
            connection.signal_unsubscribe(subscription)
        for source in pending:
            GLib.source_remove(source)

    return end


def changes():
    """Yields suggestions() now and whenever that changes, and runs the main context meanwhile."""
    seen = []
    end = watch(seen.append)
    try:
        while True:
            while not seen:
                GLib.MainContext.default().iteration(True)
            yield seen.pop(0)
    finally:
        end()


def likely(limit=6):
    """Returns what the user most likely wants now, the likeliest first."""
    return _of(_bus.call("org.hunch.Agent1", "Likely", "(a{sv})", [_dictionary(limit=limit)]))


class Directions(list):
    """The suggestions of routing apps, the best first. `resolved` is what Hunch understood. With
    explain=True, `excluded` says which apps do not serve the request, and why: see org.hunch.Directions1.Suggest."""

    def __init__(self, resolved, suggestions, excluded):
        super().__init__(suggestions)
        self.resolved, self.excluded = resolved, excluded


def directions(to, **options):
    """Returns Directions to a place: a text (a name, an address, coordinates or a link), or a map item as a dictionary.
    Options: the other keys of org.hunch.Directions1.Suggest."""
    request = {"destination": to} if isinstance(to, Mapping) else {"uri": to}
    resolved, paths, excluded = _bus.call(
        "org.hunch.Directions1", "Suggest", "(a{sv})", [_dictionary(request, **options)])
    return Directions(resolved, _of(paths), excluded)


def parse(link):
    """Returns the request that a link means, as a dictionary with "destination": for an app that shows routes and gets such a
    link. Looks nothing up. See org.hunch.Directions1.Parse."""
    return _bus.call("org.hunch.Directions1", "Parse", "(s)", [link])


def _of(paths):
    known = {one.path: one for one in _managed()}
    return [known[path] for path in paths if path in known]


def recent_places(callback, **options):
    """Calls callback(places) with the places that the user looked at lately, newest first, as map items: at once, and again if
    Hunch asked whether this app may know them and the user has answered. Options: limit, ask."""
    def tell():
        access, places = _bus.call("org.hunch.Directions1", "RecentPlaces", "(a{sv})", [_dictionary(**options)])
        callback(places)
        return access

    decided = []

    def answer(*signal):
        _bus.open().signal_unsubscribe(decided.pop())
        tell()

    decided.append(_bus.open().signal_subscribe(
        _AGENT, "org.hunch.Directions1", "RecentPlacesDecided", _ROOT, None, Gio.DBusSignalFlags.NONE, answer))
    if tell() != "asked":
        _bus.open().signal_unsubscribe(decided.pop())


# Serving

class Content:
    """Playable content of the app: override these methods, and pass an object to serve()."""

    _playing = ()
    _path = None

    def children(self, parent):
        """Returns the children of an item ("" is the root): a dictionary of items by their identifiers, in order. An item has
        the keys of org.hunch.PlayableContent1: xesam:title, subtitle, container, playable, progress, …"""
        return {}

    def item(self, identifier):
        """Returns an item; an empty dictionary if there is none. Searches the tree unless overridden."""
        parents = [""]
        while parents:
            children = self.children(parents.pop())
            if identifier in children:
                return children[identifier]
            parents += [name for name, child in children.items() if child.get("container")]
        return {}

    def prepare(self, items, context):
        """Returns what Play would play: a dictionary with xesam:title, item and the further keys. PLAYS NOTHING. Without
        items, chooses one, or raises NotImplementedError: then Hunch chooses."""
        raise NotImplementedError("Hunch may choose")

    def play(self, item):
        """Plays an item: the user pressed Play. Returns when it plays."""
        raise NotImplementedError("nothing can be played")

    def context_changed(self, context):
        """Learns how the content is used: see UpdateContext."""

    def now_playing(self, *identifiers):
        """Tells Hunch what plays now, most specific first; nothing without arguments."""
        self._playing = identifiers
        values = ("org.hunch.PlayableContent1", _dictionary(NowPlayingIds=list(identifiers)), [])
        self._emit(_PROPERTIES, "PropertiesChanged", "(sa{sv}as)", values)

    def changed(self, *parents):
        """Tells Hunch that the children of these items changed, or those of the root without arguments."""
        self._emit("org.hunch.PlayableContent1", "ContentChanged", "(as)", [list(parents) or [""]])

    def _emit(self, interface, member, signature, values):
        if self._path is not None:
            _bus.open().emit_signal(None, self._path, interface, member, GLib.Variant(signature, tuple(values)))

    def _methods(self):
        def page(parent, offset, limit, options):
            children = list(self.children(parent).items())[offset:offset + limit]
            return [(name, _dictionary(item)) for name, item in children]

        return {
            "ChildItems": page,
            "BeginLoadingChildItems": lambda parent, options: None,
            "ContentItem": lambda identifier, options: _dictionary(self.item(identifier)),
            "InitializePlaybackQueue": lambda items, context: _dictionary(self.prepare(items, context)),
            "InitiatePlayback": lambda item, options: self.play(item),
            "UpdateContext": lambda context: self.context_changed(context),
        }


def serve(app, *, content=None, open=None, reindex=None, activate=None):
    """Serves what Hunch asks an app for, under the app's name on the bus: its desktop identifier. Its desktop entry names the
    interfaces in Implements=.

    content: a Content (org.hunch.PlayableContent1)
    open: called with an activity, as a dictionary, that the user continues (org.hunch.ContinueActivity1)
    reindex: called with the name of an index, or "" for all, and the identifiers of items to index again, or None for all
        content (org.hunch.IndexDelegate1). Its return tells Hunch that everything is indexed.
    activate: called when the desktop starts or shows the app, which it does over the bus if the entry has DBusActivatable=true
        (org.freedesktop.Application); not for a Gio.Application, which does this itself
    """
    app = app.removesuffix(".desktop")
    path = "/" + app.replace(".", "/").replace("-", "_")
    if content is not None:
        content._path = path
        _bus.export(path, "org.hunch.PlayableContent1", content._methods(), {
            "NowPlayingIds": lambda: GLib.Variant("as", list(content._playing)),
            "Version": lambda: GLib.Variant("u", 1),
        })
    if open is not None:
        def take(activity, platform):
            open({**activity, "platform": platform} if platform else activity)
        _bus.export(path, "org.hunch.ContinueActivity1", {"Continue": take})
    if reindex is not None:
        _bus.export(path, "org.hunch.IndexDelegate1", {
            "ReindexAll": lambda index, options: reindex(index, None),
            "ReindexItems": lambda index, identifiers, options: reindex(index, identifiers),
        })
    if activate is not None:
        _bus.export(path, "org.freedesktop.Application", {
            "Activate": lambda platform: activate(),
            "Open": lambda addresses, platform: activate(),
            "ActivateAction": lambda action, parameters, platform: activate(),
        })
    bus = "org.freedesktop.DBus"
    # 4: do not queue; 1 and 4: this connection owns it.
    owner = _bus.call(bus, "RequestName", "(su)", [app, 4], path="/org/freedesktop/DBus", service=bus)
    if owner not in (1, 4):
        raise Error(f"another process has the name {app} on the bus; is the app running already?")


_loop = GLib.MainLoop()


def run():
    """Runs GLib's main loop until quit()."""
    _loop.run()


def quit():
    """Ends run() once what is under way has been answered."""
    GLib.idle_add(_loop.quit)
