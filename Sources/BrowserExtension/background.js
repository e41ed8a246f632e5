// Tells the native host about the page that is in front for three seconds, and when the person leaves it.
"use strict";

const HOST = "org.hunch.browser";
/** The time after which a page counts as looked at, in milliseconds. */
const DWELL = 3_000;
/** The time without a window in front after which the person has left, in milliseconds. The popup takes the focus. */
const PATIENCE = 500;

let port = null;
let reading = null;
let leaving = null;
let isPopupOpen = false;
/** The page that the host knows to be in front: `{ tab, url }`. */
let current = null;
/** What is known about the page of each tab: `{ url, found, problem }`. */
const known = new Map();
/** The functions that take the answers to requests for directions, by the address of the page. */
const asked = new Map();

function host() {
  if (port) return port;
  port = chrome.runtime.connectNative(HOST);
  port.onMessage.addListener((message) => {
    if (message.directions) return answer(message.url, message.problem);
    for (const [tab, page] of known) {
      if (page.url !== message.url) continue;
      page.found = message.found ?? null;
      page.problem = message.problem;
      show(tab, page.found);
    }
  });
  port.onDisconnect.addListener((closed) => {
    const error = (closed.error ?? chrome.runtime.lastError)?.message;
    console.info(`Hunch: ${error ?? "the native host ended"}`);
    port = null;
    const problem = chrome.i18n.getMessage("noHost");
    if (current) known.set(current.tab, { url: current.url, found: null, problem });
    current = null;
    for (const url of asked.keys()) answer(url, problem);
  });
  return port;
}

function answer(url, problem) {
  asked.get(url)?.(problem ?? "");
  asked.delete(url);
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
  chrome.action.setTitle({ tabId: tab, title: found ? `${found.title} · ${words(found)}` : "" }).catch(ignore);
  chrome.action.setBadgeText({ tabId: tab, text: found ? "•" : "" }).catch(ignore);
}

/** Returns an address without user, query and fragment, which may be secret. */
function plain(address) {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}

/** Returns the address that Hunch may know. The site publishes the canonical address of a page, so that keeps its query. */
function address(tab, page) {
  const canonical = URL.canParse(page.canonical ?? "") ? new URL(page.canonical) : null;
  const isSamePage = canonical && plain(canonical.href) === plain(tab.url);
  return plain(tab.url) + (isSamePage ? canonical.search : "");
}

async function excludedSites() {
  return (await chrome.storage.local.get("excluded")).excluded ?? [];
}

function leave() {
  clearTimeout(reading);
  clearTimeout(leaving);
  if (current && port) port.postMessage({ left: current.url });
  current = null;
}

async function activeTab() {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  if (!tab || tab.incognito || !/^https?:/.test(tab.url ?? "")) return null;
  return (await excludedSites()).includes(new URL(tab.url).hostname) ? null : tab;
}

/** Looks at the tab in front. */
async function look() {
  const tab = await activeTab();
  clearTimeout(reading);
  clearTimeout(leaving);
  if (!current || current.tab !== tab?.id || current.address !== plain(tab.url)) leave();
  if (tab) reading = setTimeout(() => tell(tab.id, tab.url), DWELL);
}

/** Returns the structured data of a tab, if the browser allows to read it. */
async function read(id) {
  const run = chrome.scripting.executeScript({ target: { tabId: id }, files: ["content.js"] });
  const page = (await run.catch(() => null))?.[0]?.result;
  const tab = await chrome.tabs.get(id).catch(() => null);
  return page && tab ? { tab, page: { url: address(tab, page), title: page.title, html: page.html } } : null;
}

async function tell(id, seen) {
  const { tab, page } = (await read(id)) ?? {};
  if (!tab?.active || tab.url !== seen) return;
  current = { tab: id, url: page.url, address: plain(tab.url) };
  known.set(id, { url: page.url, found: known.get(id)?.found ?? null });
  host().postMessage({ page });
}

/** Asks the host for directions to the place of a tab. Returns why that failed; an empty text if it did not. */
async function directions(id) {
  const { page } = (await read(id)) ?? {};
  if (!page) return chrome.i18n.getMessage("notRead");
  return new Promise((resolve) => {
    asked.set(page.url, resolve);
    host().postMessage({ directions: page });
  });
}

async function setExcluded(site, isExcluded) {
  const others = (await excludedSites()).filter((other) => other !== site);
  await chrome.storage.local.set({ excluded: isExcluded ? [...others, site] : others });
  if (isExcluded) host().postMessage({ excluded: site });
  for (const [tab] of known) show(tab, null);
  known.clear();
  await look();
}

chrome.tabs.onActivated.addListener(look);
chrome.tabs.onRemoved.addListener((id) => {
  known.delete(id);
  if (current?.tab === id) look();
});
chrome.tabs.onUpdated.addListener((id, change, tab) => {
  if (change.url && known.has(id)) {
    known.delete(id);
    show(id, null);
  }
  if (tab.active && (change.url || change.status === "complete")) look();
});
chrome.windows.onFocusChanged.addListener((window) => {
  if (window !== chrome.windows.WINDOW_ID_NONE) return look();
  clearTimeout(leaving);
  leaving = setTimeout(() => { if (!isPopupOpen) leave(); }, PATIENCE);
});

chrome.runtime.onConnect.addListener((popup) => {
  isPopupOpen = true;
  popup.onDisconnect.addListener(() => {
    isPopupOpen = false;
    look();
  });
});

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  const state = async () => {
    const site = message.url && /^https?:/.test(message.url) ? new URL(message.url).hostname : "";
    const page = known.get(message.state);
    const isExcluded = (await excludedSites()).includes(site);
    return { site, isExcluded, type: page?.found ? words(page.found) : "", ...page };
  };
  if ("state" in message) state().then(respond);
  else if ("directions" in message) directions(message.directions).then(respond);
  else if ("exclude" in message) setExcluded(message.exclude, message.isExcluded).then(respond);
  // The answer comes later.
  return true;
});

// The browser may have started with a page.
look();
