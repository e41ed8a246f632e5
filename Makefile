# `make help` lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
# The folder of the built programs. Set it to install an existing build: `make install BIN=.build/debug`.
BIN ?=
# The folder of systemd user units. Below a home folder it differs from that below /usr and /usr/local.
UNIT_DIR ?= $(if $(filter $(HOME)/% /home/%,$(PREFIX)),share,lib)/systemd/user

root := $(DESTDIR)$(PREFIX)
release_build = $(shell swift build -c release --static-swift-stdlib --show-bin-path)
# The folder of the programs as they are installed, from .ci/link.
LINKED ?= $(if $(BIN),,$(release_build)/linked)
# The folders of the programs for bin and for libexec. Only the release build has a library that the programs share.
built = $(if $(LINKED),$(LINKED)/bin,$(BIN))
built_services = $(if $(LINKED),$(LINKED)/libexec,$(BIN))
libraries = $(if $(LINKED),libhunch.so libhunch-commands.so)
swift_build = swift build --explicit-target-dependency-import-check error

# systemd supports increasing restart delays from version 254 on.
SYSTEMD_VERSION ?= $(shell systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
backoff = $(shell [ '$(SYSTEMD_VERSION)' -ge 254 ] 2>/dev/null && echo Systemd/backoff.conf)

regions := $(wildcard Regions/*.geojson)
interfaces := $(wildcard Sources/Base/AgentInterface/Interfaces/*.xml)
# A .service file that is named after a bus name is a D-Bus activation file. The others are systemd units.
activations := $(wildcard Systemd/org.*.service.in)
units := $(filter-out $(activations),$(wildcard Systemd/*.service.in))
entries := $(wildcard Systemd/*.desktop.in)
symbols := $(wildcard Systemd/*-symbolic.svg)
pictures := $(filter-out $(symbols),$(wildcard Systemd/*.svg))
catalogues := $(wildcard Sources/Base/Localization/Catalogue/*.po)
presets := $(wildcard Systemd/*.preset)
gnome_search := share/gnome-shell/search-providers/org.hunch.Settings-search-provider.ini
krunner := share/krunner/dbusplugins/org.hunch.Hunch.desktop
commands := hunch hunch-dev
windows := hunch-settings
services := hunchd hunch-geocoder-online hunch-browser hunch-calendar
pages := $(commands:%=share/man/man1/%.1) $(windows:%=share/man/man1/%.1) share/man/man8/hunchd.8
completions := $(foreach command,$(commands),share/bash-completion/completions/$(command) \
	share/zsh/site-functions/_$(command) share/fish/vendor_completions.d/$(command).fish)
metainfo := $(wildcard Systemd/*.metainfo.xml.in)
# Browsers look for the manifests of native messaging hosts in fixed folders, so only packages install them. Elsewhere,
# `hunch browser install` does.
host_manifests := $(if $(filter /usr,$(PREFIX)),usr/lib/mozilla etc/chromium etc/opt/chrome)
extension := share/hunch/browser-extension
# The public address of the project, with the pictures of the documentation below it. Software centres show them.
HOMEPAGE ?= https://hunch.example.org
version := $(shell sed -n 's/.*let text = "\(.*\)"/\1/p' Sources/Base/AgentInterface/HunchVersion.swift)
date = $(or $(shell git log -1 --format=%cs 2>/dev/null),$(shell date +%F))
fill_in = sed -e 's,@PREFIX@,$(PREFIX),g' -e 's,@BINDIR@,$(PREFIX)/bin,g' -e 's,@LIBEXECDIR@,$(PREFIX)/libexec,g' -e 's,@HOMEPAGE@,$(HOMEPAGE),g' \
	-e 's,@VERSION@,$(version),g' -e 's,@DATE@,$(date),g'

.PHONY: help run screenshot translations test test-core test-deb lint bench sanitize fuzz deps release install deb aggregator extension tarball uninstall

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

run: ## Build Hunch and show media and directions
	@.ci/deps build $$(.ci/demo --groups)
	$(swift_build)
	@$(MAKE) --no-print-directory install BIN=.build/debug STRIP=: DESTDIR= PREFIX='$(CURDIR)/.build/stage' >/dev/null
	@.ci/demo .build/stage

screenshot: ## Take the pictures of the documentation
	@.ci/deps build run core demo desktop
	$(swift_build) --build-tests
	HUNCH_SCREENSHOTS='$(CURDIR)/Documentation' swift test --skip-build --disable-xctest --filter 'SettingsWindowPictureTests|SearchDesktopTests|GnomeShellDesktopTests|PlasmaDesktopTests'
	@$(MAKE) --no-print-directory install BIN=.build/debug STRIP=: DESTDIR= PREFIX='$(CURDIR)/.build/stage' >/dev/null
	@SCREENSHOT='$(CURDIR)/Documentation/suggestion.png' .ci/demo .build/stage

test: ## Build everything and run all tests
	@.ci/deps build core desktop
	@.ci/test

test-core: ## Build everything and run the tests that need no GNOME, Plasma, map app or browser
	@.ci/deps build core
	@TEST_OPTIONS='--skip DesktopTests' .ci/test

lint: ## Check commit titles, format, scripts and the layering of the modules
	@.ci/deps build core
	@git log --format=%s $$(git rev-parse --verify --quiet origin/main >/dev/null && echo origin/main..HEAD || echo -20) | awk 'length > 72 { print "over 72 characters: " $$0; bad = 1 } END { exit bad }'
	swift format lint --strict -r Sources Tests Package.swift
	shellcheck -x -P SCRIPTDIR $(filter-out .ci/icu-data %.sql,$(wildcard .ci/*)) $(wildcard Tests/Benchmarks/bench-*) \
		Systemd/debian/postinst Systemd/debian/postrm Systemd/debian/prerm
	$(swift_build) --build-tests
	swift test --skip-build --disable-xctest --filter PackageTests

sanitize: ## Run the tests, except those of idling and of the sandbox, under ThreadSanitizer and AddressSanitizer
	@.ci/deps build core desktop
	@.ci/sanitize

bench: ## Benchmark Hunch beside its peers
	@.ci/deps build bench
	@.ci/bench

SECONDS ?= 60
fuzz: ## Fuzz every parser, for SECONDS=60 in total
	@.ci/deps build
	$(swift_build) --product fuzz
	.build/debug/fuzz '$(CURDIR)' '$(SECONDS)' $(FUZZERS)

translations: ## Update the translations after texts changed
	@.ci/deps build
	.ci/translations update

deps: ## Install the Debian packages to build, run, test and benchmark Hunch
	@.ci/deps build run demo core desktop bench

release: ## Build for installation
	$(if $(BIN),,@.ci/deps build release)
	$(if $(BIN),,$(foreach program,hunch hunch-dev hunch-settings hunch-browser hunch-geocoder-online hunch-calendar hunchd,$(call build_release,$(program))))
	$(if $(BIN),,.ci/link '$(release_build)' '$(LINKED)')

# $(1) is a program.
define build_release
HUNCH_COMMIT='$(shell git rev-parse --short=12 HEAD 2>/dev/null)' $(swift_build) -c release --static-swift-stdlib --product $(1)

endef

install: release ## Install under PREFIX (default /usr/local)
	install -d $(addprefix '$(root)'/,bin libexec share/hunch/regions share/hunch/places share/dbus-1/services share/dbus-1/interfaces \
		$(UNIT_DIR) share/applications share/metainfo share/pkgconfig share/man/man1 share/man/man8 share/icons/hicolor/scalable/apps \
		share/icons/hicolor/symbolic/apps \
		$(dir $(completions)))
	install -m 755 $(commands:%='$(built)/%') $(windows:%='$(built)/%') '$(root)/bin'
	install -m 755 $(services:%='$(built_services)/%') '$(root)/libexec'
	$(or $(STRIP),strip) $(commands:%='$(root)/bin/%') $(windows:%='$(root)/bin/%') $(services:%='$(root)/libexec/%')
	$(if $(libraries),install -D -m 644 -t '$(root)/lib/hunch' $(libraries:%='$(LINKED)/lib/hunch/%'))
	$(if $(libraries),$(or $(STRIP),strip --strip-unneeded) $(libraries:%='$(root)/lib/hunch/%'))
	$(if $(regions),install -m 644 $(regions) '$(root)/share/hunch/regions')
	install -m 644 Sources/Programs/GazetteerImport/Data/hunch/places/airports.txt '$(root)/share/hunch/places'
	$(if $(interfaces),install -m 644 $(interfaces) '$(root)/share/dbus-1/interfaces')
	install -D -m 644 -t '$(root)/share/hunch/python' Sources/Kit/Python/hunch.py
	install -D -m 644 -t '$(root)/share/hunch/gjs' Sources/Kit/GJS/hunch.js
	$(if $(pictures),install -m 644 $(pictures) '$(root)/share/icons/hicolor/scalable/apps')
	$(if $(symbols),install -m 644 $(symbols) '$(root)/share/icons/hicolor/symbolic/apps')
	install -m 644 $(windows:%=Systemd/%.1) '$(root)/share/man/man1'
	LC_ALL=C '$(built)/hunch' manual hunchd >'$(root)/share/man/man8/hunchd.8'
	$(foreach command,$(commands),$(call install_help,$(command)))
	chmod 644 $(pages:%='$(root)/%') $(completions:%='$(root)/%')
	$(foreach file,$(activations),$(call install_filled,$(file),share/dbus-1/services))
	$(foreach file,$(units),$(call install_filled,$(file),$(UNIT_DIR)))
	$(foreach file,$(entries),$(call install_filled,$(file),share/applications))
	$(foreach file,$(metainfo),$(call install_filled,$(file),share/metainfo))
	$(call install_filled,Systemd/hunch.pc.in,share/pkgconfig)
	install -D -m 644 -t '$(root)/$(UNIT_DIR)-preset' $(presets)
	install -D -m 644 Systemd/org.hunch.Settings.search-provider.ini '$(root)/$(gnome_search)'
	install -D -m 644 Systemd/org.hunch.Hunch.krunner.desktop '$(root)/$(krunner)'
	cd Sources/Programs/BrowserExtension && find . -type f -exec install -D -m 644 {} '$(root)/$(extension)/{}' ';'
	$(foreach folder,$(host_manifests),$(call install_manifest,$(folder)))
	.ci/translations compile '$(root)/share/locale'
	$(if $(backoff),install -D -m 644 -t '$(root)/$(UNIT_DIR)/hunchd.service.d' $(backoff))

# $(1) is a command, whose help texts become a manual page and completions. They are English, whatever the builder speaks.
define install_help
LC_ALL=C '$(built)/$(1)' manual >'$(root)/share/man/man1/$(1).1'
LC_ALL=C '$(built)/$(1)' --generate-completion-script bash | sed '1{/^#!/d}' >'$(root)/share/bash-completion/completions/$(1)'
LC_ALL=C '$(built)/$(1)' --generate-completion-script zsh >'$(root)/share/zsh/site-functions/_$(1)'
LC_ALL=C '$(built)/$(1)' --generate-completion-script fish >'$(root)/share/fish/vendor_completions.d/$(1).fish'

endef

# $(1) is the folder of a browser.
define install_manifest
install -d '$(DESTDIR)/$(1)/native-messaging-hosts'
$(fill_in) 'Systemd/org.hunch.browser.$(if $(findstring mozilla,$(1)),firefox,chromium).json.in' \
	>'$(DESTDIR)/$(1)/native-messaging-hosts/org.hunch.browser.json'
chmod 644 '$(DESTDIR)/$(1)/native-messaging-hosts/org.hunch.browser.json'

endef

# $(1) is a file with placeholders, $(2) its destination folder.
define install_filled
$(fill_in) '$(1)' > '$(root)/$(2)/$(notdir $(1:.in=))'
chmod 644 '$(root)/$(2)/$(notdir $(1:.in=))'

endef

deb: $(if $(BIN),,release) ## Build the Debian package in .build/packages
	@.ci/deps build package
	@.ci/deb '$(CURDIR)/.build/packages'

aggregator: ## Build the aggregator of popularity, for a server, in .build/packages
	@.ci/deps build release
	$(call build_release,hunch-aggregator)
	install -D -m 755 '$(release_build)/hunch-aggregator' .build/packages/hunch-aggregator
	$(or $(STRIP),strip) .build/packages/hunch-aggregator

extension: ## Pack the browser extension in .build/packages
	@.ci/deps package
	@.ci/extension '$(CURDIR)/.build/packages'

tarball: $(if $(BIN),,release) ## Build a relocatable archive for other distributions in .build/packages
	@.ci/tarball '$(CURDIR)/.build/packages'

test-deb: deb ## Test the Debian package in Debian 12 and 13 (as root)
	@.ci/deps build package chroot
	@.ci/test-deb "$$(ls -t '$(CURDIR)'/.build/packages/hunch_*.deb | head -n 1)"

uninstall: ## Remove what install installed
	rm -f $(commands:%='$(root)/bin/%') $(windows:%='$(root)/bin/%') $(services:%='$(root)/libexec/%') '$(root)'/lib/hunch/libhunch*.so
	rm -f $(pages:%='$(root)/%') $(completions:%='$(root)/%')
	rm -f $(foreach file,$(catalogues),'$(root)/share/locale/$(basename $(notdir $(file)))/LC_MESSAGES/hunch.mo')
	rm -f $(foreach file,$(regions),'$(root)/share/hunch/regions/$(notdir $(file))')
	rm -f '$(root)/share/hunch/places/airports.txt'
	rm -f $(foreach file,$(interfaces),'$(root)/share/dbus-1/interfaces/$(notdir $(file))')
	rm -f $(foreach file,$(pictures),'$(root)/share/icons/hicolor/scalable/apps/$(notdir $(file))')
	rm -f $(foreach file,$(symbols),'$(root)/share/icons/hicolor/symbolic/apps/$(notdir $(file))')
	rm -f $(foreach file,$(activations),'$(root)/share/dbus-1/services/$(notdir $(file:.in=))')
	rm -f $(foreach file,$(units),'$(root)/$(UNIT_DIR)/$(notdir $(file:.in=))')
	rm -f $(foreach file,$(metainfo),'$(root)/share/metainfo/$(notdir $(file:.in=))')
	rm -f '$(root)/share/pkgconfig/hunch.pc' '$(root)/share/hunch/python/hunch.py' '$(root)/share/hunch/gjs/hunch.js'
	rm -f $(foreach file,$(entries),'$(root)/share/applications/$(notdir $(file:.in=))')
	rm -f '$(root)/$(UNIT_DIR)/hunchd.service.d/backoff.conf' $(presets:Systemd/%='$(root)/$(UNIT_DIR)-preset/%')
	rm -f '$(root)/$(gnome_search)' '$(root)/$(krunner)'
	rm -rf '$(root)/$(extension)'
	rm -f $(host_manifests:%='$(DESTDIR)/%/native-messaging-hosts/org.hunch.browser.json')
	-rmdir '$(root)/lib/hunch' '$(root)/$(UNIT_DIR)/hunchd.service.d' '$(root)/share/hunch/regions' '$(root)/share/hunch/places' '$(root)/share/hunch/python' '$(root)/share/hunch/gjs' '$(root)/share/hunch'
