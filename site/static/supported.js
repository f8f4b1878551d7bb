// In the words of old browsers, which would show a blank page otherwise. The build writes it into every page.
(function () {
  function supported() {
    try {
      new Function("class Probe { static { Object.hasOwn(Probe, 'name'); } }");
      return (
        typeof structuredClone === "function" &&
        typeof WebAssembly === "object" &&
        typeof Worker === "function" &&
        typeof Array.prototype.at === "function"
      );
    } catch (tooOld) {
      return !tooOld;
    }
  }
  if (supported()) return;
  document.addEventListener("DOMContentLoaded", function () {
    var told = document.createElement("p");
    told.setAttribute("role", "alert");
    told.style.cssText =
      "position:relative;z-index:2000;max-width:40em;margin:0 auto;padding:2em 1em;font:1.1em/1.5 sans-serif;background:#fff;color:#1c1c1c";
    told.textContent =
      "The notebooks cannot run in this browser: it must be at least Chrome or Edge 98, Firefox 94 or Safari 16.4. " +
      "With a newer one, open this address again.";
    document.body.insertBefore(told, document.body.firstChild);
  });
})();
