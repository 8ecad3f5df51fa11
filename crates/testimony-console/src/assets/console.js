// Shortcuts and small comforts. Everything works without them: every change is a form, every view an address.
"use strict";

(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  document.documentElement.classList.add("js");

  // On a narrow screen a row of links is wider than it; the one that is looked at is shown.
  const show = () => {
    for (const here of all(".sections [aria-current], .views [aria-current]")) {
      const row = here.parentElement;
      row.scrollLeft = here.offsetLeft - row.offsetLeft - row.clientWidth / 2 + here.offsetWidth / 2;
    }
  };
  show();
  addEventListener("resize", show);

  // What can be copied gets a button.
  for (const button of all("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Marked";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1600);
    });
  }

  // A choice that only changes the view takes effect at once.
  for (const form of all("form[data-sends]")) {
    form.addEventListener("change", () => form.requestSubmit());
  }

  // What cannot be undone is asked again, and nothing is sent twice.
  document.addEventListener("submit", (event) => {
    const words = event.submitter?.dataset.confirm;
    if (words && !confirm(words)) {
      event.preventDefault();
      return;
    }
    if (event.target.method === "post") {
      setTimeout(() => all("button", event.target).forEach((button) => { button.disabled = true; }), 0);
    }
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) all("button[disabled]").forEach((button) => { button.disabled = false; });
  });

  // What was done is said once: asking for the page again says nothing.
  const address = new URL(location.href);
  if (address.searchParams.has("done")) {
    address.searchParams.delete("done");
    address.searchParams.delete("undo");
    history.replaceState(null, "", address);
  }

  // Keys of one letter get in the way of whoever speaks to the machine, so they can be switched off; this browser keeps it.
  const SWITCH = "shortcuts";
  const kept = (change) => { try { return change(localStorage); } catch { return null; } };
  let listens = kept((store) => store.getItem(SWITCH)) !== "off";
  for (const label of all("[data-shortcuts]")) {
    const box = label.querySelector("input");
    label.hidden = false;
    box.checked = listens;
    box.addEventListener("change", () => {
      listens = box.checked;
      kept((store) => listens ? store.removeItem(SWITCH) : store.setItem(SWITCH, "off"));
    });
  }

  const rows = all("[data-row]");
  let at = -1;
  const go = (to) => {
    if (rows.length === 0) return;
    rows[at]?.classList.remove("here");
    at = Math.max(0, Math.min(rows.length - 1, to));
    const row = rows[at];
    row.classList.add("here");
    const target = row.querySelector("a[data-open]") ?? row.querySelector("a, button");
    target?.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  };

  // Whoever decided about a row comes back at the next.
  const next = rows.findIndex((row) => row.id !== "" && `#${row.id}` === location.hash);
  if (next >= 0) go(next);

  /** What a key presses: in the row that is looked at, else in the first that has it, else on the page. */
  const press = (key) => {
    const within = rows[at] ?? document;
    const target = within.querySelector(`[data-key="${key}"]`);
    if (!target) return false;
    target.click();
    if (target.tagName === "SUMMARY") target.parentElement.querySelector("textarea, input")?.focus();
    return true;
  };

  let led = false;
  const keys = {
    j: () => go(at + 1),
    k: () => go(at - 1),
    "/": () => document.querySelector("[data-search]")?.focus(),
    u: () => document.querySelector('[data-key="u"]')?.click(),
    g: () => { led = true; setTimeout(() => { led = false; }, 1200); },
    "?": () => { location.href = "/account"; },
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.target.closest("input, textarea, select");
    if (field) {
      if (event.key === "Escape") field.blur();
      return;
    }
    if (!listens) return;
    if (led) {
      const section = document.querySelector(`[data-go="${CSS.escape(event.key)}"]`);
      led = false;
      if (section) { event.preventDefault(); section.click(); }
      return;
    }
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); return; }
    if (/^[a-z]$/.test(event.key) && at >= 0 && press(event.key)) event.preventDefault();
  });
})();
