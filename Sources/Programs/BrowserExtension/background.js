// Tells the native host about the page that is in front for three seconds, and when the person leaves it.
"use strict";

const HOST = "org.hunch.browser";
/** The time after which a page counts as looked at, in milliseconds. */
const DWELL = 3_000;
/** The time after which a page without structured data is read again: some insert it late, in milliseconds. */
const SECOND_LOOK = 5_000;
/** The time without a window in front after which the person has left, in milliseconds. The popup takes the focus. */
const PATIENCE = 500;
/** The maximum length of an address. Longer ones are ignored. */
const ADDRESS_LIMIT = 4_000;
/** The names of parameters that may be secret. The values of others are kept up to 64 characters. */
const SECRETS = /token|key|auth|sess|sid|code|pass|pwd|secret|sig|hash|nonce|state|otp|mail|user/i;

let port = null;
let reading = null;
let leaving = null;
let isPopupOpen = false;
/** Whether another app is in front. */
let isAway = false;
/** The number of looks and departures, so that an outdated one is dropped. */
let turns = 0;
/** The page that the host knows to be in front: `{ tab, url }`. */
let current = null;
/** What is known about the page of each tab: `{ found, problem }`. */
const known = new Map();
/** The functions that take the answers of the host, by the number of the message. */
const asked = new Map();
let count = 0;

/** Sends a message to the host, and returns its answer. */
function ask(message) {
  if (!port) connect();
  count += 1;
  const id = count;
  return new Promise((resolve) => {
    asked.set(id, resolve);
    port.postMessage({ id, ...message });
  });
}

function connect() {
  port = chrome.runtime.connectNative(HOST);
  port.onMessage.addListener((answer) => {
    asked.get(answer.id)?.(answer);
    asked.delete(answer.id);
  });
  port.onDisconnect.addListener((closed) => {
    const error = (closed.error ?? chrome.runtime.lastError)?.message ?? "";
    console.info(`Hunch: ${error || "the native host ended"}`);
    // Chromium: “Specified native messaging host not found.” Firefox: “No such native application …”
    const isMissing = /not found|no such native/i.test(error);
    const problem = chrome.i18n.getMessage(isMissing ? "noHost" : "hostEnded");
    port = null;
    if (current) remember(current.tab, { found: null, problem });
    current = null;
    for (const resolve of asked.values()) resolve({ problem });
    asked.clear();
  });
}

/** Returns the words for the type of a subject, in the language of the browser. */
function words(found) {
  const translated = chrome.i18n.getMessage(`type_${found.type}`);
  if (translated) return translated;
  const isEnglish = chrome.i18n.getUILanguage().startsWith("en");
  const isSchema = /^[A-Z][A-Za-z]+$/.test(found.type);
  if (isEnglish && isSchema) return found.type.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return chrome.i18n.getMessage(`kind_${found.kind}`);
}

function show(tab, found) {
  // An error means that the tab was closed.
  const ignore = () => {};
  const title = found ? `${found.title.slice(0, 100)} · ${words(found)}` : "Hunch";
  chrome.action.setTitle({ tabId: tab, title }).catch(ignore);
  // A badge would cover the icon.
  const name = found ? "found" : "icon";
  chrome.action.setIcon({ tabId: tab, path: { 16: `${name}-16.png`, 32: `${name}-32.png` } }).catch(ignore);
}

function remember(tab, page) {
  known.set(tab, page);
  show(tab, page.found);
}

function forget(tab) {
  if (known.delete(tab)) show(tab, null);
}

/** Returns an address without user, query and fragment, which may be secret. */
function plain(address) {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}

/**
 * Returns the address that Hunch may know. The site publishes the canonical address of a page, so that keeps its query,
 * without parameters that may be secret.
 */
function address(tab, page) {
  const canonical = URL.canParse(page.canonical ?? "") ? new URL(page.canonical) : null;
  if (!canonical || plain(canonical.href) !== plain(tab.url)) return plain(tab.url);
  for (const [name, value] of [...canonical.searchParams]) {
    if (SECRETS.test(name) || value.length > 64) canonical.searchParams.delete(name);
  }
  return plain(tab.url) + canonical.search;
}

/** Returns the site of an address, for excluding it: the host name without `www.`. */
function siteOf(address) {
  return new URL(address).hostname.replace(/^www\./, "");
}

async function excludedSites() {
  return (await chrome.storage.local.get("excluded")).excluded ?? [];
}

async function isExcluded(address) {
  const site = siteOf(address);
  return (await excludedSites()).some((other) => site === other || site.endsWith(`.${other}`));
}

function leave() {
  turns += 1;
  clearTimeout(reading);
  clearTimeout(leaving);
  if (current && port) ask({ left: current.url });
  current = null;
}

async function activeTab() {
  if (isAway && !isPopupOpen) return null;
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  if (!tab || tab.incognito || !/^https?:/.test(tab.url ?? "") || tab.url.length > ADDRESS_LIMIT) return null;
  return (await isExcluded(tab.url)) ? null : tab;
}

/**
 * Looks at the tab in front. The former page counts as left when the next one counts as looked at: a person who goes
 * from one restaurant to the next is still choosing.
 */
async function look() {
  turns += 1;
  const turn = turns;
  const tab = await activeTab();
  if (turn !== turns) return;
  clearTimeout(reading);
  clearTimeout(leaving);
  if (tab) reading = setTimeout(() => tell(tab.id, tab.url, turn, true), DWELL);
  // A new tab is empty before it has the next page.
  else leaving = setTimeout(leave, isAway ? PATIENCE : DWELL);
}

/** Returns the structured data of a tab, if the browser allows reading it. */
async function read(id) {
  const run = chrome.scripting.executeScript({ target: { tabId: id }, files: ["content.js"] });
  const page = (await run.catch(() => null))?.[0]?.result;
  const tab = await chrome.tabs.get(id).catch(() => null);
  return page && tab ? { tab, page: { url: address(tab, page), title: page.title, html: page.html } } : null;
}

async function tell(id, seen, turn, isFirst) {
  const { tab, page } = (await read(id)) ?? {};
  // The person may have left, or excluded the site, while a slow page was read.
  if (turn !== turns) return;
  if (!tab?.active || tab.url !== seen) return leave();
  current = { tab: id, url: page.url };
  const { found, problem } = await ask({ page });
  if (turn !== turns && current?.tab !== id) return;
  remember(id, { found: found ?? null, problem });
  if (turn === turns && isFirst && !found) reading = setTimeout(() => tell(id, seen, turn, false), SECOND_LOOK);
}

/** Asks the host for directions to the place of a tab. Returns why that failed; an empty text if it did not. */
async function directions(id) {
  const { page } = (await read(id)) ?? {};
  if (!page) return chrome.i18n.getMessage("notRead");
  return (await ask({ directions: page })).problem ?? "";
}

/** Excludes a site, or allows it again. Returns why Hunch did not forget its pages; an empty text if it did. */
async function setExcluded(site, isExcluded) {
  const others = (await excludedSites()).filter((other) => other !== site);
  await chrome.storage.local.set({ excluded: isExcluded ? [...others, site] : others });
  for (const tab of [...known.keys()]) forget(tab);
  await look();
  return isExcluded ? (await ask({ excluded: site })).problem ?? "" : "";
}

/** Returns what the popup shows about a tab. */
async function state(id, url) {
  const isPage = /^https?:/.test(url);
  const page = known.get(id);
  return {
    site: isPage ? siteOf(url) : "",
    isExcluded: isPage && (await isExcluded(url)),
    isKnown: page !== undefined,
    type: page?.found ? words(page.found) : "",
    ...page,
  };
}

chrome.tabs.onActivated.addListener(look);
chrome.tabs.onRemoved.addListener((id) => {
  known.delete(id);
  if (current?.tab === id) look();
});
chrome.tabs.onUpdated.addListener((id, change, tab) => {
  if (change.url) forget(id);
  if (tab.active && (change.url || change.status === "complete")) look();
});
chrome.windows.onFocusChanged.addListener((window) => {
  isAway = window === chrome.windows.WINDOW_ID_NONE;
  if (!isAway) return look();
  clearTimeout(leaving);
  leaving = setTimeout(() => { if (isAway && !isPopupOpen) leave(); }, PATIENCE);
});

chrome.runtime.onConnect.addListener((popup) => {
  isPopupOpen = true;
  popup.onDisconnect.addListener(() => {
    isPopupOpen = false;
    look();
  });
});

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  if ("state" in message) state(message.state, message.url).then(respond);
  else if ("directions" in message) directions(message.directions).then(respond);
  else if ("exclude" in message) setExcluded(message.exclude, message.isExcluded).then(respond);
  // The answer comes later.
  return true;
});

// The browser may have started with a page.
look();
