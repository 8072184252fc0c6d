/** Departures from what is published that are meant, each with the numbered assumption in `test/sim/<provider>/routes.ts` that says why. */
export const meant: Readonly<Record<string, string>> = {
  'vercel GET /v10/projects/:project/env: query until: not published': 'V3',
};

/**
 * What nobody publishes, so that nothing but an assumption stands behind it. Of errors the descriptions give at most the status;
 * the bytes of a file have no form.
 */
export const unpublished: Readonly<Record<string, string>> = {
  'clerk GET /instance 500': 'C1',
  'clerk POST /redirect_urls 422': 'C1',
  'github GET /app': 'G14',
  'github GET /app 200': 'G14',
  'github GET /app/hook/config': 'G14',
  'github GET /app/hook/config 200': 'G14',
  'github GET /app/installations': 'G14',
  'github GET /app/installations 200': 'G14',
  'github GET /codeload/:owner/:repo/legacy.tar.gz/:sha': 'G19',
  'github GET /codeload/:owner/:repo/legacy.tar.gz/:sha 200 raw': 'G19',
  'github GET /orgs/:org/teams/:team/memberships/:login': 'G16',
  'github GET /orgs/:org/teams/:team/memberships/:login 404': 'G16',
  'github GET /repos/:owner/:repo/issues': 'G17',
  'github GET /repos/:owner/:repo/issues 200': 'G17',
  'github GET /repos/:owner/:repo/issues/:number': 'G17',
  'github GET /repos/:owner/:repo/issues/:number 200': 'G17',
  'github PATCH /repos/:owner/:repo/issues/:number': 'G17',
  'github PATCH /repos/:owner/:repo/issues/:number 200': 'G17',
  'github POST /graphql': 'G18',
  'github POST /graphql 200': 'G18',
  'github POST /repos/:owner/:repo/issues': 'G17',
  'github POST /repos/:owner/:repo/issues 201': 'G17',
  'github GET /repos/:owner/:repo 500': 'G1',
  'github GET /repos/:owner/:repo/contents/:path+ 200 raw': 'G3',
  'github GET /repos/:owner/:repo/contents/:path+ 404': 'G1',
  'github GET /repos/:owner/:repo/tarball/:ref+': 'G19',
  'github GET /repos/:owner/:repo/tarball/:ref+ 302': 'G19',
  'github PATCH /repos/:owner/:repo/issues/comments/:comment 404': 'G1',
  'neon GET /projects/:project/branches 429': 'N1',
  'neon GET /projects/:project/branches 500': 'N1',
  'slack POST /auth.test': 'S1',
  'slack POST /auth.test 200': 'S1',
  'slack POST /chat.postEphemeral': 'S6',
  'slack POST /chat.postEphemeral 200': 'S6',
  'slack POST /chat.postMessage': 'S2',
  'slack POST /chat.postMessage 200': 'S3',
  'slack POST /chat.update': 'S3',
  'slack POST /chat.update 200': 'S3',
  'vercel GET /v9/projects/:project 500': 'V1',
};

/** Requests in the source that the drive does not send, each with the assumption that stands in for what is not tried. */
export const notDriven: Readonly<Record<string, string>> = {
  'github GET /user': 'G15',
};
