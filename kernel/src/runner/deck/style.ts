/** The look of a deck: black on white, as pictures are stored, and large enough for the last row. */
export const deckStyle = `
:root { --ink: #1b1f24; --soft: #f4f5f7; --line: #d7dbe0; --dim: #5a6472; --link: #0b5cad;
  --keyword: #7b2d8b; --string: #0a6b3d; --number: #9a4b00; --comment: #5a6472; }
body { background: #ffffff; }
.reveal { font: 30px/1.4 system-ui, "DejaVu Sans", sans-serif; color: var(--ink); }
.reveal .slides { text-align: left; }
.reveal .slides section { height: 100%; padding: 0; }
.content { padding: 20px 30px; box-sizing: border-box; }
.content h1 { font-size: 64px; line-height: 1.15; margin: 120px 0 40px; font-weight: 700; }
.content h2, .content h3 { font-size: 44px; line-height: 1.2; margin: 10px 0 30px; font-weight: 700; }
.content p { margin: 0 0 22px; }
.content ul, .content ol { margin: 0 0 22px 1.2em; }
.content a { color: var(--link); }
.content strong { font-weight: 700; }
.content em { font-style: italic; }
.content blockquote { margin: 30px 0; padding: 18px 28px; background: #eef4fb; border-left: 8px solid var(--link); border-radius: 6px; }
.content blockquote p:last-child { margin: 0; }
.prediction { margin: 30px 0; padding: 18px 28px; background: #eef4fb; border-left: 8px solid var(--link); border-radius: 6px; }
.prediction p { margin: 0 0 14px; }
.prediction .choices { list-style: none; margin: 0 0 14px; padding: 0; display: grid; gap: 10px; }
.prediction .choices li { display: grid; grid-template-columns: 1fr 96px; gap: 12px; }
.prediction button { font: inherit; color: var(--ink); text-align: left; padding: 10px 18px; border: 2px solid var(--dim); border-radius: 8px; cursor: pointer;
  background: linear-gradient(to right, #b9d6f2 calc(var(--share, 0) * 100%), #ffffff 0); }
.prediction button[aria-pressed="true"] { border-color: var(--link); box-shadow: inset 0 0 0 2px var(--link); font-weight: 700; }
.prediction input { font: inherit; width: 100%; box-sizing: border-box; border: 2px solid var(--line); border-radius: 8px; text-align: center; background: #ffffff; color: var(--ink); }
.prediction button:focus-visible, .prediction input:focus-visible { outline: 4px solid var(--link); outline-offset: 2px; }
.prediction .fragment { color: var(--dim); margin: 0; }
.content code { font: 0.85em/1.4 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; background: var(--soft);
  border-radius: 4px; padding: 0 0.2em; }
.content pre { background: var(--soft); border: 1px solid var(--line); border-radius: 8px; padding: 20px 24px; margin: 0 0 20px;
  white-space: pre; overflow: hidden; line-height: 1.45; }
.content pre code { background: none; padding: 0; font-size: inherit; line-height: inherit; }
.content table { border-collapse: collapse; font-size: 24px; line-height: 1.3; margin: 0 0 24px; width: 100%; }
.content th, .content td { border: 1px solid var(--line); padding: 8px 14px; text-align: left; vertical-align: top; }
.content th { background: var(--soft); font-weight: 700; }
.content td code { overflow-wrap: anywhere; }
.content td:last-child { min-width: 200px; }
.content caption { text-align: left; color: var(--dim); padding-bottom: 10px; }
.content .output { margin: 0 0 18px; }
.content .output img { display: block; max-width: 100%; max-height: 640px; margin: 0 auto; }
.content.beside { display: grid; grid-template-columns: auto 1fr; column-gap: 40px; align-content: center; }
.content.beside > .output { grid-column: 1; grid-row: 1 / span 9; }
.content.beside > .markdown { grid-column: 2; }
.reveal .slide-number { right: auto; left: 14px; bottom: 10px; background: none; color: var(--dim); font: 16px system-ui, sans-serif; }
.reveal .slide-number a { color: inherit; }
.keyword { color: var(--keyword); } .string { color: var(--string); } .number { color: var(--number); }
.comment { color: var(--comment); font-style: italic; }
`;
