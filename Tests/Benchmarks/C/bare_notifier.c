// The least that could be done when a headset connects: it waits, asks one app what it would play, and notifies.
// usage: bare_notifier SETTLE      SETTLE in milliseconds
// Follows the one device of cycles.py on the system bus; takes its notification away when it is pressed or the device goes.
#include <dbus/dbus.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOTIFICATIONS "org.freedesktop.Notifications"
#define SERVER "/org/freedesktop/Notifications"

static DBusConnection *session_bus, *system_bus;
static dbus_uint32_t shown;

static DBusMessage *ask(DBusMessage *call) {
    DBusError error;
    dbus_error_init(&error);
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(session_bus, call, 5000, &error);
    if (!reply) {
        fprintf(stderr, "bare_notifier: %s: %s\n", dbus_message_get_member(call), error.message);
        exit(1);
    }
    dbus_message_unref(call);
    return reply;
}

static void append_empty(DBusMessageIter *to, const char *type) {
    DBusMessageIter array;
    dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, type, &array);
    dbus_message_iter_close_container(to, &array);
}

static void prepare(void) {
    const char *item = "41";
    DBusMessage *m = dbus_message_new_method_call("org.example.Bench", "/org/example/Bench", "org.hunch.PlayableContent1", "InitializePlaybackQueue");
    DBusMessageIter top, items;
    dbus_message_iter_init_append(m, &top);
    dbus_message_iter_open_container(&top, DBUS_TYPE_ARRAY, "s", &items);
    dbus_message_iter_append_basic(&items, DBUS_TYPE_STRING, &item);
    dbus_message_iter_close_container(&top, &items);
    append_empty(&top, "{sv}");
    dbus_message_unref(ask(m));
}

static void notify(void) {
    const char *empty = "", *title = "Episode 41", *keys[] = {"play", "Play", "not-now", "Not now"};
    dbus_uint32_t replaced = 0;
    dbus_int32_t timeout = 30000;
    DBusMessage *m = dbus_message_new_method_call(NOTIFICATIONS, SERVER, NOTIFICATIONS, "Notify");
    DBusMessageIter top, actions;
    dbus_message_iter_init_append(m, &top);
    dbus_message_iter_append_basic(&top, DBUS_TYPE_STRING, &title);
    dbus_message_iter_append_basic(&top, DBUS_TYPE_UINT32, &replaced);
    for (int i = 0; i < 3; i++) dbus_message_iter_append_basic(&top, DBUS_TYPE_STRING, i == 1 ? &title : &empty);
    dbus_message_iter_open_container(&top, DBUS_TYPE_ARRAY, "s", &actions);
    for (int i = 0; i < 4; i++) dbus_message_iter_append_basic(&actions, DBUS_TYPE_STRING, &keys[i]);
    dbus_message_iter_close_container(&top, &actions);
    append_empty(&top, "{sv}");
    dbus_message_iter_append_basic(&top, DBUS_TYPE_INT32, &timeout);
    DBusMessage *reply = ask(m);
    if (!dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT32, &shown, DBUS_TYPE_INVALID)) exit(1);
    dbus_message_unref(reply);
}

static void take_away(void) {
    if (!shown) return;
    DBusMessage *m = dbus_message_new_method_call(NOTIFICATIONS, SERVER, NOTIFICATIONS, "CloseNotification");
    dbus_message_append_args(m, DBUS_TYPE_UINT32, &shown, DBUS_TYPE_INVALID);
    shown = 0;
    dbus_message_unref(ask(m));
}

// Whether a message tells of the device; what of it is then in *connected.
static int tells_of_device(DBusMessage *m, dbus_bool_t *connected) {
    DBusMessageIter top, map, entry, value;
    if (!dbus_message_is_signal(m, DBUS_INTERFACE_PROPERTIES, "PropertiesChanged")) return 0;
    dbus_message_iter_init(m, &top);
    dbus_message_iter_next(&top);
    dbus_message_iter_recurse(&top, &map);
    dbus_message_iter_recurse(&map, &entry);
    dbus_message_iter_next(&entry);
    dbus_message_iter_recurse(&entry, &value);
    dbus_message_iter_get_basic(&value, connected);
    return 1;
}

static void read_all(DBusConnection *bus, long settle) {
    DBusMessage *m;
    dbus_bool_t connected;
    if (!dbus_connection_read_write(bus, 0)) exit(0);
    while ((m = dbus_connection_pop_message(bus))) {
        if (tells_of_device(m, &connected)) {
            if (connected) {
                struct timespec pause = {settle / 1000, settle % 1000 * 1000000};
                nanosleep(&pause, NULL);
                prepare();
                notify();
            } else {
                take_away();
            }
        } else if (dbus_message_is_signal(m, NOTIFICATIONS, "ActionInvoked")) {
            take_away();
        }
        dbus_message_unref(m);
    }
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    session_bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    system_bus = dbus_bus_get(DBUS_BUS_SYSTEM, NULL);
    if (!session_bus || !system_bus) return 1;
    dbus_bus_add_match(system_bus, "type='signal',member='PropertiesChanged',arg0='org.bluez.Device1'", NULL);
    dbus_bus_add_match(session_bus, "type='signal',interface='" NOTIFICATIONS "'", NULL);
    struct pollfd ready[2] = {{.events = POLLIN}, {.events = POLLIN}};
    if (!dbus_connection_get_unix_fd(session_bus, &ready[0].fd) || !dbus_connection_get_unix_fd(system_bus, &ready[1].fd)) return 1;
    for (;;) {
        // What came with the answer to a call is in the queue already, of which no descriptor tells.
        read_all(session_bus, atol(argv[1]));
        read_all(system_bus, atol(argv[1]));
        if (dbus_connection_get_dispatch_status(session_bus) == DBUS_DISPATCH_COMPLETE) poll(ready, 2, -1);
    }
}
