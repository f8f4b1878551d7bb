export { escapeHtml } from "../base/escapeHtml";
