import type { Answer, Incoming } from '../wire/answer.ts';
import type { Scene } from '../world/world.ts';
import { githubError } from './errors.ts';
import { codeloadPath } from './tarball.ts';

/** The longest an app's own token may run, in seconds. GitHub allows ten minutes, and a minute of drift before it. */
const longest = 660;

/**
 * What is wrong with a request's credential, if anything. Routes of the app itself take a JSON web token; everything else takes
 * any bearer but one: a token handed out here that has run out is refused.
 */
export function refuseGitHub(request: Incoming, scene: Scene): Answer | undefined {
  if (request.path.startsWith(codeloadPath)) return undefined;
  const [, token] = /^(?:bearer|token) (\S+)$/i.exec(request.headers['authorization'] ?? '') ?? [];
  if (token === undefined) return githubError(401, 'Requires authentication');
  const forApp = request.path === '/app' || request.path.startsWith('/app/') || /^\/(repos\/[^/]+\/[^/]+|repositories\/\d+)\/installation$/.test(request.path);
  const claims = claimsOf(token);
  if (forApp) return claims === undefined ? githubError(401, 'A JSON web token could not be decoded') : outOfDate(claims, scene.now / 1000);
  const expires = scene.world.github.tokens[token];
  if (claims !== undefined || (expires !== undefined && expires <= scene.now)) return githubError(401, 'Bad credentials');
  return undefined;
}

interface Claims {
  readonly iss: unknown;
  readonly iat: number;
  readonly exp: number;
}

/** The claims of a JSON web token; undefined for any other credential. The signature is not looked at. */
function claimsOf(token: string): Claims | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString()) as Partial<Claims>;
    if (claims.iss === undefined || typeof claims.iat !== 'number' || typeof claims.exp !== 'number') return undefined;
    return { iss: claims.iss, iat: claims.iat, exp: claims.exp };
  } catch {
    return undefined;
  }
}

function outOfDate(claims: Claims, now: number): Answer | undefined {
  if (claims.exp <= now)
    return githubError(401, "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires");
  if (claims.exp - claims.iat > longest || claims.exp - now > longest) return githubError(401, "'Expiration time' claim ('exp') is too far in the future");
  if (claims.iat > now + 60) return githubError(401, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued");
  return undefined;
}
