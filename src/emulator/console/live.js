// Updates the parts of a page that have the attribute `data-live`: fetches the page every two seconds, and replaces the
// parts that changed. Without this script, a reload does the same.

const intervalMilliseconds = 2000;
let isOn = true;
let isBusy = false;

removeNoticeFromUrl();
const regions = () => [...document.querySelectorAll("[data-live]")];
// After a refused form, the URL is that of the form and not of a page that can be fetched.
if (regions().length > 0 && !document.querySelector("[data-still]")) {
  showSwitch();
  setInterval(refresh, intervalMilliseconds);
}

async function refresh() {
  if (!isOn || isBusy || document.hidden) return;
  isBusy = true;
  try {
    const response = await fetch(location.href, { cache: "no-store" });
    if (response.ok) update(new DOMParser().parseFromString(await response.text(), "text/html"));
    report(response.ok);
  } catch {
    report(false);
  } finally {
    isBusy = false;
  }
}

function update(fresh) {
  for (const current of regions()) {
    const next = fresh.getElementById(current.id);
    if (!next || isBeingEdited(current)) continue;
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

/** Whether somebody is editing a form in a region. Such a region is not replaced. */
function isBeingEdited(region) {
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

/** What identifies a control, to give the focus back to it after its region was replaced. */
function nameOf(control) {
  const holder = control.closest("details, form")?.id ?? "";
  return [control.tagName, control.getAttribute("href"), control.getAttribute("aria-label"), holder].join(" ");
}

/** Shows the button that stops the updates. */
function showSwitch() {
  const button = document.querySelector("[data-live-switch]");
  if (!button) return;
  button.hidden = false;
  button.setAttribute("aria-pressed", "true");
  button.title = "This page updates itself";
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

/** The notice is shown once, so its id does not stay in the URL. */
function removeNoticeFromUrl() {
  const url = new URL(location.href);
  if (!url.searchParams.has("notice")) return;
  url.searchParams.delete("notice");
  history.replaceState(null, "", url);
}
