// Shows the description of the API; calls made from here carry the session's CSRF token.
const place = document.getElementById("api-docs");

window.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  validatorUrl: null,
  supportedSubmitMethods: ["get", "post"],
  requestInterceptor: (request) => {
    request.headers["X-CSRFToken"] = place.dataset.csrf;
    return request;
  },
});
