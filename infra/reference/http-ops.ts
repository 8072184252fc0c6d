/** What the reference page says about the ops that speak to any JSON API. Its examples are executed by tests. */

/** One object, as in the example of `http.resource`. */
export const resourceExample = `\`\`\`yaml
version: 1
providers:
  http:
    hooks:
      base_url: https://api.hooks.example/v1
      auth: { bearer_env: HOOKS_TOKEN }
changes:
  - id: webhook
    adapter: http
    op: resource
    api: hooks
    vars: { project: storefront }
    find: { path: "/projects/{project}/webhooks", list_path: /items, match: { name: "\${ctx.scope}" }, next: /next }
    read: { path: "/projects/{project}/webhooks/{id}" }
    create: { method: POST, path: "/projects/{project}/webhooks", body: { signing: { secret: env://HOOKS_SIGNING } } }
    update: { method: PATCH }
    fields: { url: "https://\${ctx.scope}.example/hook", events: [deploy, rollback] }
    ready: { match: { status: ready }, failed: { status: failed } }
    outputs: { token: { path: /token, sensitive: true } }
\`\`\``;

/** One item of a list, as in the example of `http.list_item`. */
export const listItemExample = `\`\`\`yaml
version: 1
providers:
  http:
    login:
      base_url: https://api.login.example
      auth: { header: X-Api-Key, value_env: LOGIN_APIKEY }
changes:
  - id: origin
    adapter: http
    op: list_item
    api: login
    parent: { path: /config/auth, method: PATCH }
    list_path: /allowed_origins
    item: "https://\${ctx.scope}.example"
\`\`\``;

const shared = [
  'A path goes below the address of its API. `{name}` in it is a value of `vars` and stands for one step, whatever characters it has; `{id}` is the provider’s id. A field is a top-level name or a pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)).',
  'The host must stand in `http_hosts` of the policy. An address that is not public (private, loopback, link-local, metadata, and IPv6 addresses with an IPv4 one inside) is refused whatever stands there: the name is resolved once for a connection, every answer is judged, and the connection goes to one of them. Redirects are not followed.',
  'Paths, `vars`, `match` and the name of an item are names: they are stored and shown, and a secret in one is refused (`SECRET_IN_IDENTITY`). What the resource is, is told by the address of the API, its `account` and its name. Other headers, or another variable for the credential, change nothing of that.',
].join(' ');

export const resourceText = [
  'One object of any JSON API: the requests that find, make, change and remove it.',
  shared,
  'With `find` the object is the one of a list whose fields `match`; several are a mistake (`PARAM_INVALID`). Without it, it is what is at `read.path`. A create sends `match`, `fields` and `create.body` together; one that is refused because the object is there takes nothing over: the next run says `adopt`. `fields` are compared by their JSON and put back by `update`; a line without `update` refuses a difference. What the API never shows belongs into `create.body`: a field that is written and then shown otherwise is an error. A new object is looked at until `ready` says so; nothing waits in place, and after ten minutes the line fails (`WAIT_TIMEOUT`).',
  'The ledger keeps how the object is found and removed, so that a destroy needs no plan.',
  resourceExample,
].join('\n\n');

export const listItemText = [
  'One item of a list, of a text with separators, or of a map, that is a part of an object and that others write, too.',
  shared,
  'The whole collection is read, changed and written, at most three times; order and all other items stay. While it is written the object is locked for every line of every run that writes a part of it; who finds it locked comes back. What is written outside Lockkeeper in that moment is not held off: the look afterwards finds a lost item, not a lost other one. With `shape: map` and `send: field` one entry is sent as a merge patch. Removing the item from an object that is gone is success. The other items are reported as unmanaged.',
  listItemExample,
].join('\n\n');

/** One request, as in the example of `http.action`. */
export const actionExample = `\`\`\`yaml
version: 1
providers:
  http:
    cdn:
      base_url: https://api.cdn.example/v1
      auth: { bearer_env: CDN_TOKEN }
changes:
  - id: purge
    adapter: http
    op: action
    api: cdn
    vars: { zone: storefront }
    path: "/zones/{zone}/purges"
    body: { prefix: "/\${ctx.scope}" }
    trigger: "\${ctx.git.sha}"
    idempotency_key: true
\`\`\``;

export const actionText = [
  'One request, for what has to happen once and leaves nothing that could be looked at: a cache is purged, a search index is built.',
  'Whether it is due is told by the ledger alone, and nothing is ever read: it is sent when its `trigger` is another than the one it was last sent for in this scope. A plan says `run` of one that is due. It is recorded when the API has answered; a death in between sends it once more, so it happens at least once, and exactly once where the API takes an `idempotency_key`. A request that was sent is never rolled back: a run that fails names it. A destroy sends `undo` where there is one, at least once, and forgets the action then. It has no outputs.',
  shared,
  actionExample,
].join('\n\n');
