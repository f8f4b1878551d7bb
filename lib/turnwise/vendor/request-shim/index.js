"use strict";
// danfojs-node reads URLs through the deprecated `request`; fetch does the same without its advisories.

const { Readable, PassThrough } = require("stream");

function request(options) {
  const { url, method = "GET", headers } = typeof options === "string" ? { url: options } : options;
  const out = new PassThrough();
  fetch(url, { method, headers })
    .then((response) => {
      out.emit("response", {
        statusCode: response.status,
        headers: Object.fromEntries(response.headers),
      });
      if (response.body) Readable.fromWeb(response.body).pipe(out);
      else out.end();
    })
    .catch((error) => out.destroy(error));
  return out;
}
request.get = request;

module.exports = request;
