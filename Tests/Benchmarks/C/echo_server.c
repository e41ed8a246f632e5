// The peer: answers on the session bus with libdbus alone
//   org.hunch.Benchmark.Echo(s) -> s        with the same text
//   org.hunch.Benchmark.Fill(s, u) -> s     with a text of that many bytes
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static DBusMessage *filled(DBusMessage *call) {
    const char *text = NULL;
    dbus_uint32_t length = 0;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &text, DBUS_TYPE_UINT32, &length, DBUS_TYPE_INVALID)) return NULL;
    char *bytes = malloc((size_t)length + 1);
    if (!bytes) return NULL;
    memset(bytes, 'x', length);
    bytes[length] = 0;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(reply, DBUS_TYPE_STRING, &bytes, DBUS_TYPE_INVALID);
    free(bytes);
    return reply;
}

static DBusMessage *echoed(DBusMessage *call) {
    const char *text = NULL;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID)) return NULL;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_append_args(reply, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
    return reply;
}

static DBusHandlerResult answer(DBusConnection *bus, DBusMessage *call, void *data) {
    (void)data;
    DBusMessage *reply = NULL;
    if (dbus_message_is_method_call(call, "org.hunch.Benchmark", "Echo")) reply = echoed(call);
    if (dbus_message_is_method_call(call, "org.hunch.Benchmark", "Fill")) reply = filled(call);
    if (!reply) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    dbus_connection_send(bus, reply, NULL);
    dbus_message_unref(reply);
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(void) {
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    if (!bus) return 1;
    dbus_connection_add_filter(bus, answer, NULL, NULL);
    if (dbus_bus_request_name(bus, "org.hunch.Benchmark.C", 0, NULL) != 1) return 1;
    puts("ready");
    fflush(stdout);
    while (dbus_connection_read_write_dispatch(bus, -1)) {}
    return 0;
}
