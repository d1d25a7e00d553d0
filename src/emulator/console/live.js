// Keeps the parts of a page that are marked `data-live` up to date: asks for the page anew every other second and puts in
// what has changed. Everything works without it, by reloading.

const intervalMilliseconds = 2000;
let isOn = true;
let isBusy = false;

forgetNotice();
const regions = () => [...document.querySelectorAll("[data-live]")];
// The address of a form that was refused is not that of a page.
if (regions().length > 0 && !document.querySelector("[data-still]")) {
  showSwitch();
  setInterval(refresh, intervalMilliseconds);
}

async function refresh() {
  if (!isOn || isBusy || document.hidden) return;
  isBusy = true;
  try {
    const response = await fetch(location.href, { cache: "no-store" });
    if (response.ok) putIn(new DOMParser().parseFromString(await response.text(), "text/html"));
    report(response.ok);
  } catch {
    report(false);
  } finally {
    isBusy = false;
  }
}

function putIn(fresh) {
  for (const current of regions()) {
    const next = fresh.getElementById(current.id);
    if (!next || isBeingFilledIn(current)) continue;
    for (const open of current.querySelectorAll("details[open][id]")) {
      next.querySelector(`#${CSS.escape(open.id)}`)?.setAttribute("open", "");
    }
    if (next.isEqualNode(current)) continue;
    const focused = controls(current).find((control) => control === document.activeElement);
    current.replaceWith(next);
    if (!focused) continue;
    const same = controls(next).find((control) => nameOf(control) === nameOf(focused));
    same?.focus({ preventScroll: true });
  }
}

/** What someone types is not taken away. */
function isBeingFilledIn(region) {
  return [...region.querySelectorAll("input:not([type=hidden]), select, textarea")].some((field) => {
    if (field === document.activeElement) return true;
    if (field.tagName === "SELECT") {
      const first = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(first, 0);
    }
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  });
}

function controls(region) {
  return [...region.querySelectorAll("a[href], button, summary, [tabindex]")];
}

/** What a control is known by, to give the focus back to it. */
function nameOf(control) {
  const holder = control.closest("details, form")?.id ?? "";
  return [control.tagName, control.getAttribute("href"), control.getAttribute("aria-label"), holder].join(" ");
}

/** What moves by itself can be stopped. */
function showSwitch() {
  const button = document.querySelector("[data-live-switch]");
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", "true");
  button.title = "This page keeps itself up to date";
  button.addEventListener("click", () => {
    isOn = !isOn;
    button.setAttribute("aria-pressed", String(isOn));
    button.textContent = isOn ? "Live" : "Stopped";
  });
}

function report(isReached) {
  const button = document.querySelector("[data-live-switch]");
  if (!button || !isOn) return;
  button.textContent = isReached ? "Live" : "Not reached";
  button.classList.toggle("lost", !isReached);
}

/** A notice is told once: its name does not stay in the address. */
function forgetNotice() {
  const url = new URL(location.href);
  if (!url.searchParams.has("notice")) return;
  url.searchParams.delete("notice");
  history.replaceState(null, "", url);
}
