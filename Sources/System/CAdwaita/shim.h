#pragma once
#include <adwaita.h>
#include <glib-unix.h>

// Declared in gio-unix-2.0, which has no header in libadwaita's include path.
extern GAppInfo *g_desktop_app_info_new(const char *desktop_id);
extern gboolean g_desktop_app_info_get_boolean(GAppInfo *info, const char *key);

// The main queue of libdispatch, by which Swift's main actor runs, as another main loop sees it. Foundation's run loop
// uses the same two functions.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);
