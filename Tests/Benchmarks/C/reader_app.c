// An app that says when it has content: the monotonic time in nanoseconds, as a datagram to a socket.
// usage: reader_app SOCKET [URI]       has the URI at once, or nothing, and ends
//        reader_app SOCKET --serve     owns org.hunch.Bench.Reader; has what Open and Continue bring
#include <dbus/dbus.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

static const char *path;

static int tell(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t nanoseconds = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return 2;
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return 1;
    ssize_t sent = sendto(descriptor, &nanoseconds, sizeof nanoseconds, 0, (struct sockaddr *)&address, sizeof address);
    return sent == sizeof nanoseconds ? 0 : 1;
}

static DBusHandlerResult answer(DBusConnection *bus, DBusMessage *call, void *data) {
    (void)data;
    if (!dbus_message_is_method_call(call, "org.hunch.ContinueActivity1", "Continue")
        && !dbus_message_is_method_call(call, "org.freedesktop.Application", "Open"))
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    tell();
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_connection_send(bus, reply, NULL);
    dbus_message_unref(reply);
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    path = arguments[1];
    if (count < 3 || strcmp(arguments[2], "--serve") != 0) return tell();
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    if (!bus) return 1;
    dbus_connection_add_filter(bus, answer, NULL, NULL);
    if (dbus_bus_request_name(bus, "org.hunch.Bench.Reader", 0, NULL) != 1) return 1;
    puts("ready");
    fflush(stdout);
    while (dbus_connection_read_write_dispatch(bus, -1)) {}
    return 0;
}
