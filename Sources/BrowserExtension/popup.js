// Shows what Hunch found on the page in front.
"use strict";

const element = (id) => document.getElementById(id);
const text = (name, ...values) => chrome.i18n.getMessage(name, values);

function button(id, label, act) {
  element(id).hidden = false;
  element(id).textContent = label;
  element(id).onclick = act;
}

async function show() {
  // Tells the background script that the popup has the focus.
  chrome.runtime.connect({ name: "popup" });
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  const state = await chrome.runtime.sendMessage({ state: tab?.id ?? -1, url: tab?.url ?? "" });
  const nothing = state.isExcluded ? "excluded" : state.problem ? "notConnected" : "nothing";
  element("title").textContent = state.found?.title ?? text(nothing, state.site);
  element("type").textContent = state.type;
  element("problem").textContent = state.problem ?? "";
  if (state.found?.hasPlace) {
    button("directions", text("directions"), async () => {
      const problem = await chrome.runtime.sendMessage({ directions: tab.id });
      element("problem").textContent = problem;
      if (!problem) window.close();
    });
  }
  if (!state.site) return;
  button("exclude", text(state.isExcluded ? "include" : "exclude", state.site), async () => {
    await chrome.runtime.sendMessage({ exclude: state.site, isExcluded: !state.isExcluded });
    window.close();
  });
}

show();
