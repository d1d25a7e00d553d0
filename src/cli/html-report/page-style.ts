/** The style of the report: light and dark, for a phone and for paper. */
export const pageStyle = `
:root { color-scheme: light dark; --line: #d0d4da; --soft: #f3f4f6; --muted: #4b5563; --link: #0b57d0; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3c424b; --soft: #23272e; --muted: #a8b0bb; --link: #8ab4f8; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .25rem; }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
a { color: var(--link); }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
code { font: .9em ui-monospace, monospace; background: var(--soft); border-radius: .25rem; padding: .1em .3em; }
dl { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0; color: var(--muted); }
dl div { display: flex; gap: .4rem; }
dt::after { content: ":"; }
dd { margin: 0; }
.summary { font-size: 1.15rem; margin: .75rem 0 0; }
.archives { list-style: disc; margin: .5rem 0 0; padding-left: 1.25rem; }
.legend { color: var(--muted); margin: 0 0 .5rem; max-width: 50rem; }
.filter { position: sticky; top: 0; margin: 1rem 0 0; padding: .5rem 0; background: Canvas; border-bottom: 1px solid var(--line); }
.filter label { display: block; font-size: .9rem; color: var(--muted); }
.filter input { font: inherit; width: min(100%, 24rem); padding: .3rem .5rem; border: 1px solid var(--muted); border-radius: .3rem; }
ul { padding: 0; margin: 0; list-style: none; }
.groups > li { border-top: 1px solid var(--line); padding: .4rem 0; }
.groups p { margin: 0; }
summary { cursor: pointer; }
.tenants { display: flex; flex-wrap: wrap; gap: .1rem 1rem; padding: .2rem 0 .2rem 1.1rem; }
article { border-top: 1px solid var(--line); padding: .75rem 0; scroll-margin-top: 6rem; }
article:target { background: var(--soft); }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .2rem .75rem .2rem 0; }
th { font-size: .85rem; font-weight: 600; color: var(--muted); }
@media (max-width: 40rem) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { padding: .3rem 0; }
  td { padding: 0; }
  td::before { content: attr(data-label) ": "; color: var(--muted); }
}
@media print {
  .filter { display: none; }
  body { max-width: none; padding: 0; }
  article, .groups > li { break-inside: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`;
