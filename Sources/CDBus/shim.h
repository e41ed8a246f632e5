#pragma once
#include <dbus/dbus.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
