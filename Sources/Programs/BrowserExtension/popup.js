// Shows what Hunch found on the page in front.
"use strict";

const element = (id) => document.getElementById(id);
const text = (name, ...values) => chrome.i18n.getMessage(name, values);

function button(id, label, act) {
  element(id).hidden = false;
  element(id).textContent = label;
  element(id).onclick = async () => {
    const problem = await act();
    element("problem").textContent = problem;
    if (!problem) window.close();
  };
}

/** Returns the name of the message for a page about which nothing is known. */
function nothing(state) {
  if (!state.site) return "noPage";
  if (state.isExcluded) return "excluded";
  if (state.problem) return "notConnected";
  return state.isKnown ? "nothing" : "notYet";
}

async function show() {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  const state = await chrome.runtime.sendMessage({ state: tab?.id ?? -1, url: tab?.url ?? "" });
  for (const id of ["directions", "exclude"]) element(id).hidden = true;
  element("title").textContent = state.found?.title ?? text(nothing(state), state.site);
  element("type").textContent = state.type;
  if (state.problem) element("problem").textContent = state.problem;
  if (state.found?.hasPlace) {
    button("directions", text("directions"), () => chrome.runtime.sendMessage({ directions: tab.id }));
  }
  if (!state.site) return;
  button("exclude", text(state.isExcluded ? "include" : "exclude", state.site), () =>
    chrome.runtime.sendMessage({ exclude: state.site, isExcluded: !state.isExcluded }));
}

// Tells the background script that the popup has the focus.
chrome.runtime.connect({ name: "popup" });
show();
// The page may be read while the popup is open.
setInterval(show, 1_000);
