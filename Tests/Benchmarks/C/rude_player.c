// A media player that behaves badly.
// usage: rude_player NAME calm             says nothing by itself
//        rude_player NAME changes RATE     tells of RATE property changes a second
//        rude_player NAME huge MEGABYTES   tells of metadata of that size, ten times a second
// It answers when it is asked for its properties. NAME is the last part of its name on the session bus. At SIGTERM it
// prints how many changes it told.
#include <dbus/dbus.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PLAYER "org.mpris.MediaPlayer2.Player"

static volatile sig_atomic_t ended;
static void end(int number) { (void)number; ended = 1; }

static void entry(DBusMessageIter *map, const char *key, int type, const char *signature, const void *value) {
    DBusMessageIter pair, variant;
    dbus_message_iter_open_container(map, DBUS_TYPE_DICT_ENTRY, NULL, &pair);
    dbus_message_iter_append_basic(&pair, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&pair, DBUS_TYPE_VARIANT, signature, &variant);
    dbus_message_iter_append_basic(&variant, type, value);
    dbus_message_iter_close_container(&pair, &variant);
    dbus_message_iter_close_container(map, &pair);
}

static void metadata(DBusMessageIter *map, const char *title) {
    const char *key = "Metadata", *track = "/org/example/track";
    DBusMessageIter pair, variant, inner;
    dbus_message_iter_open_container(map, DBUS_TYPE_DICT_ENTRY, NULL, &pair);
    dbus_message_iter_append_basic(&pair, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&pair, DBUS_TYPE_VARIANT, "a{sv}", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "{sv}", &inner);
    entry(&inner, "mpris:trackid", DBUS_TYPE_OBJECT_PATH, "o", &track);
    entry(&inner, "xesam:title", DBUS_TYPE_STRING, "s", &title);
    dbus_message_iter_close_container(&variant, &inner);
    dbus_message_iter_close_container(&pair, &variant);
    dbus_message_iter_close_container(map, &pair);
}

static DBusHandlerResult answer(DBusConnection *bus, DBusMessage *call, void *data) {
    (void)data;
    const char *interface = "", *status = "Paused", *identity = "Rude";
    if (!dbus_message_is_method_call(call, "org.freedesktop.DBus.Properties", "GetAll")) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &interface, DBUS_TYPE_INVALID);
    DBusMessage *reply = dbus_message_new_method_return(call);
    DBusMessageIter top, map;
    dbus_message_iter_init_append(reply, &top);
    dbus_message_iter_open_container(&top, DBUS_TYPE_ARRAY, "{sv}", &map);
    if (!strcmp(interface, PLAYER)) {
        entry(&map, "PlaybackStatus", DBUS_TYPE_STRING, "s", &status);
        metadata(&map, "A title");
    } else {
        entry(&map, "Identity", DBUS_TYPE_STRING, "s", &identity);
    }
    dbus_message_iter_close_container(&top, &map);
    dbus_connection_send(bus, reply, NULL);
    dbus_message_unref(reply);
    return DBUS_HANDLER_RESULT_HANDLED;
}

static void tell(DBusConnection *bus, const char *title) {
    const char *interface = PLAYER;
    DBusMessage *signal = dbus_message_new_signal("/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties", "PropertiesChanged");
    DBusMessageIter top, map, none;
    dbus_message_iter_init_append(signal, &top);
    dbus_message_iter_append_basic(&top, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_open_container(&top, DBUS_TYPE_ARRAY, "{sv}", &map);
    metadata(&map, title);
    dbus_message_iter_close_container(&top, &map);
    dbus_message_iter_open_container(&top, DBUS_TYPE_ARRAY, "s", &none);
    dbus_message_iter_close_container(&top, &none);
    dbus_connection_send(bus, signal, NULL);
    dbus_message_unref(signal);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int megabytes = argc > 3 && !strcmp(argv[2], "huge") ? atoi(argv[3]) : 0;
    double rate = megabytes ? 10 : argc > 3 && !strcmp(argv[2], "changes") ? atof(argv[3]) : 0;
    char *huge = NULL;
    if (megabytes) {
        size_t size = (size_t)megabytes << 20;
        huge = malloc(size + 1);
        if (!huge) return 1;
        memset(huge, 'x', size);
        huge[size] = 0;
    }
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    if (!bus) return 1;
    dbus_connection_add_filter(bus, answer, NULL, NULL);
    char name[256];
    snprintf(name, sizeof name, "org.mpris.MediaPlayer2.%s", argv[1]);
    if (dbus_bus_request_name(bus, name, 0, NULL) != 1) return 1;
    signal(SIGTERM, end);
    puts("ready");
    fflush(stdout);
    long told = 0;
    double start = now();
    while (!ended && dbus_connection_read_write_dispatch(bus, rate ? 1 : 100)) {
        // So many as are due by now, whatever the bus or the machine held up.
        long due = (long)((now() - start) * rate);
        for (; told < due && !ended; told++) {
            char title[64];
            snprintf(title, sizeof title, "Title %ld", told);
            tell(bus, huge ? huge : title);
            // The bus takes it in its own time; what waits here must not grow without end.
            if (dbus_connection_get_outgoing_size(bus) > (16 << 20)) dbus_connection_flush(bus);
        }
    }
    printf("told %ld\n", told);
    return 0;
}
