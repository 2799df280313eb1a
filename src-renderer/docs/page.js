/* The page at /docs: the description of the interface, for people. All of it is our own files; nothing is asked of any other place. */
window.SwaggerUIBundle({
  dom_id: '#description',
  url: '/docs/json',
  docExpansion: 'list',
  validatorUrl: null,
  persistAuthorization: true,
  tryItOutEnabled: true,
});
