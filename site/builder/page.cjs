"use strict";
// The frame of the pages that belong to no application: a lesson's, and those that are only read.

const escape = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/** Text whose numbers have no more than three digits that count, as a reader wants them: a sixtieth is 0.0167. */
const shortNumbers = (text) =>
  text.replace(/\d+\.\d{5,}/g, (number) => String(Number(Number(number).toPrecision(3))));

/** The first heading of a Markdown file, or its name. */
const titleOf = (text, name) => /^# +(.*)$/m.exec(text)?.[1].replace(/[`*_]/g, "") ?? name;

/** `up` leads to the site's first page; `description` and `policy` are text, `script` and `main` are as they are written. */
const page = ({ title, up, description, policy, script, main }) => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${policy === undefined ? "" : `<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">\n`}<title>${escape(title)} · turnwise</title>
${description === undefined ? "" : `<meta name="description" content="${escape(description)}">\n`}<link rel="icon" href="${up}extensions/turnwise-kernel/static/logo-64x64.png">
${script === undefined ? "" : `<script>${script}</script>\n`}<link rel="stylesheet" href="${up}style.css">
</head>
<body>${main}</body>
</html>
`;

module.exports = { escape: escape, shortNumbers: shortNumbers, titleOf: titleOf, page: page };
