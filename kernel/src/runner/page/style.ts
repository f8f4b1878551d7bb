/** The page's whole style: system fonts, light or dark by the reader's setting; wide outputs scroll on their own. */
export const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --ground: #ffffff; --soft: #f4f5f7; --line: #d7dbe0; --dim: #5a6472;
  --keyword: #7b2d8b; --string: #0a6b3d; --number: #9a4b00; --comment: #5a6472; --link: #0b5cad; --error: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e7eb; --ground: #15181c; --soft: #1f2429; --line: #38404a; --dim: #9aa5b1;
    --keyword: #d79be6; --string: #7fd6a2; --number: #f0b070; --comment: #9aa5b1; --link: #7cb7f5; --error: #ff8a80; } }
body { margin: 0; color: var(--ink); background: var(--ground); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
a { color: var(--link); }
h1, h2, h3 { line-height: 1.25; }
pre, code, samp { font: 0.875rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { margin: 0; padding: 0.7rem 0.9rem; overflow-x: auto; white-space: pre; tab-size: 2; }
.input { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; margin-top: 1rem; }
.output { margin: 0.4rem 0 1rem; overflow-x: auto; }
.output pre { padding: 0.2rem 0.9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.stderr { border-left: 3px solid var(--number); }
.error { border-left: 3px solid var(--error); }
.markdown code { background: var(--soft); border-radius: 3px; padding: 0 0.25em; }
.markdown pre { background: var(--soft); border-radius: 6px; }
.markdown pre code { background: none; padding: 0; }
blockquote { margin: 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--dim); }
table { border-collapse: collapse; font-size: 0.9rem; }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left; }
thead, th { background: var(--soft); }
img, .output svg { max-width: 100%; height: auto; }
.count, .note { color: var(--dim); font-size: 0.85rem; }
.keyword { color: var(--keyword); } .string { color: var(--string); } .number { color: var(--number); }
.comment { color: var(--comment); font-style: italic; }
.ansi-bold { font-weight: 700; } .ansi-italic { font-style: italic; } .ansi-underline { text-decoration: underline; }
.ansi-fg-red { color: var(--error); } .ansi-fg-green { color: var(--string); } .ansi-fg-yellow { color: var(--number); }
.ansi-fg-blue { color: var(--link); } .ansi-fg-magenta { color: var(--keyword); } .ansi-fg-cyan { color: var(--link); }
`;
